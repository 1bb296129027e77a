# Decant in an image: built from the lock files, run by nobody, with nothing to write to.
ARG BASE_IMAGE=python:3.11-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements.lock requirements-build.lock ./
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements-build.lock \
    && python -m venv /opt/decant \
    && /opt/decant/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY config/policies config/policies
COPY schemas schemas
COPY service service
RUN /opt/build/bin/python -m hatchling build -t wheel -d /build/dist \
    && /opt/decant/bin/pip install --no-cache-dir --no-deps --no-index /build/dist/*.whl

FROM ${BASE_IMAGE}
COPY --from=build /opt/decant /opt/decant
ENV PATH=/opt/decant/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DECANT_HOST=0.0.0.0
USER 10001:10001
EXPOSE 8080
# A busy event loop answers late, not never: three misses before the container counts as ill.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ.get('DECANT_PORT', '8080') + '/livez', timeout=2)"]
ENTRYPOINT ["decant"]
CMD ["serve"]
