"""Who may come in: known bearer tokens, or, without any, whoever calls this machine by a name of its own."""

import hashlib
import hmac
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aiohttp import web

from service.errors import HostRefused, Unauthenticated

ANONYMOUS = "anonymous"
LONGEST = 4096
OPEN_ROUTES = frozenset({"/livez", "/readyz", "/openapi.json"})


@dataclass(frozen=True, slots=True)
class Gate:
    """Tokens by hash, or none (open); `own_names_only` keeps web pages from rebinding their name to this service."""

    tokens: Callable[[], Mapping[bytes, str]] | None
    own_names_only: bool = False

    def __call__(self, request: web.Request, route: str) -> str:
        """The tenant of a request, or a refusal that says as little as possible."""
        if self.own_names_only and not is_own_name(request.headers.get("Host", "")):
            raise HostRefused("This service answers to localhost and to addresses only.")
        if self.tokens is None or route in OPEN_ROUTES:
            return ANONYMOUS
        headers = request.headers.getall("Authorization", [])
        if len(headers) != 1:
            raise Unauthenticated("A bearer token is needed." if not headers else "One Authorization header is needed.")
        scheme, _, token = headers[0].partition(" ")
        if scheme.lower() != "bearer" or not token.strip() or len(token) > LONGEST:
            raise Unauthenticated("A bearer token is needed.")
        tenant = known(token.strip(), self.tokens())
        if not tenant:
            raise Unauthenticated("The token is not known.")
        return tenant


def known(token: str, tokens: Mapping[bytes, str]) -> str:
    """The name behind a token, or nothing; every hash is compared, each in constant time."""
    digest = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
    found = ""
    for candidate, name in tokens.items():
        if hmac.compare_digest(candidate, digest):
            found = name
    return found


def is_own_name(host: str) -> bool:
    """Whether a Host header names localhost or an address: no DNS name of somebody else."""
    name = host.strip().lower()
    if not name or name.startswith("["):
        return not name or _is_address(name[1:].partition("]")[0])
    name = name.partition(":")[0].rstrip(".")
    return name == "localhost" or name.endswith(".localhost") or _is_address(name)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
