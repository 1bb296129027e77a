"""The manifests: each overlay renders, is valid to the letter, and holds what the design promises of it."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.settings import VARIABLES

ROOT = Path(__file__).parent.parent
RENDERED = ("k8s/base", "k8s/overlays/dev", "k8s/overlays/prod")

needs_kubectl = pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl, which renders the overlays, is absent")


@cache
def render(folder: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The manifests of an overlay, by kind and name."""
    done = subprocess.run(["kubectl", "kustomize", str(ROOT / folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr, "a deprecated field"
    manifests = [manifest for manifest in yaml.safe_load_all(done.stdout) if manifest]
    return {(manifest["kind"], manifest["metadata"]["name"]): manifest for manifest in manifests}


def pod(manifest: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = manifest["spec"]["template"]["spec"]
    return spec


def pods(folder: str) -> list[dict[str, Any]]:
    return [pod(manifest) for (kind, _), manifest in render(folder).items() if kind == "Deployment"]


def variables(folder: str) -> dict[str, Any]:
    (container,) = pod(render(folder)["Deployment", "decant"])["containers"]
    return {entry["name"]: entry.get("value") for entry in container["env"]}


@needs_kubectl
@pytest.mark.parametrize("folder", RENDERED)
def test_every_manifest_is_valid_to_the_letter(folder: str) -> None:
    for manifest in render(folder).values():
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


@needs_kubectl
def test_the_validation_would_notice_a_misspelling() -> None:
    manifest = yaml.safe_load(yaml.safe_dump(render("k8s/base")["Deployment", "decant"]))
    pod(manifest)["containers"][0]["livenesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)


@needs_kubectl
@pytest.mark.parametrize("folder", RENDERED)
def test_every_pod_runs_as_nobody_with_nothing(folder: str) -> None:
    for spec in pods(folder):
        assert spec["enableServiceLinks"] is False
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["runAsUser"] > 0
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for container in spec["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert "memory" in container["resources"]["limits"]
            assert not [mount for mount in container.get("volumeMounts", []) if "subPath" in mount]


@needs_kubectl
@pytest.mark.parametrize("folder", RENDERED)
def test_the_probes_ask_the_right_doors_and_a_drain_has_time(folder: str) -> None:
    spec = pod(render(folder)["Deployment", "decant"])
    (container,) = spec["containers"]
    assert container["livenessProbe"]["httpGet"] == {"path": "/livez", "port": "http"}
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "http"}
    assert "lifecycle" not in container
    assert spec["terminationGracePeriodSeconds"] >= 30


@needs_kubectl
@pytest.mark.parametrize("folder", RENDERED)
def test_the_policies_are_a_folder_whose_name_never_changes(folder: str) -> None:
    policies = {path.name: path.read_text() for path in (ROOT / "config/policies").iterdir()}
    assert render(folder)["ConfigMap", "decant-policies"].get("data", {}) == policies
    (container,) = pod(render(folder)["Deployment", "decant"])["containers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts["policies"] == variables(folder)["DECANT_POLICIES"]


def test_the_kustomization_lists_every_policy_file() -> None:
    listed = yaml.safe_load((ROOT / "config/Kustomization").read_text())["configMapGenerator"][0]["files"]
    assert listed == sorted(f"policies/{path.name}" for path in (ROOT / "config/policies").iterdir())


@needs_kubectl
@pytest.mark.parametrize("folder", RENDERED)
def test_the_service_knows_every_variable_that_is_set(folder: str) -> None:
    known = {variable.name for variable in VARIABLES}
    assert {name for name in variables(folder) if name.startswith("DECANT_")} <= known


@needs_kubectl
def test_prod_scales_survives_and_keeps_to_itself() -> None:
    prod = render("k8s/overlays/prod")
    assert "replicas" not in prod["Deployment", "decant"]["spec"]
    assert prod["HorizontalPodAutoscaler", "decant"]["spec"]["minReplicas"] >= 2
    assert prod["PodDisruptionBudget", "decant"]["spec"]["maxUnavailable"] == 1
    assert prod["NetworkPolicy", "decant"]["spec"]["policyTypes"] == ["Ingress", "Egress"]
    spread = pod(prod["Deployment", "decant"])["topologySpreadConstraints"]
    assert [each["topologyKey"] for each in spread] == ["topology.kubernetes.io/zone", "kubernetes.io/hostname"]
    assert prod["Namespace", "decant"]["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


@needs_kubectl
def test_prod_takes_its_secrets_from_a_folder_and_does_not_start_without() -> None:
    secret = ROOT / "k8s/overlays/prod/secret"
    known = variables("k8s/overlays/prod")
    environ = {name: text.replace("/etc/decant/secret", str(secret)) for name, text in known.items() if text}
    assert environ["DECANT_TOKENS_FILE"] == str(secret / "tokens")
    environ |= {"PATH": os.environ["PATH"], "DECANT_POLICIES": "", "DECANT_PORT": "0"}
    command = [sys.executable, "-m", "service", "serve"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 2
    assert "DECANT_TOKENS_FILE" in done.stderr
    assert "DECANT_SECRETS_FILE" in done.stderr


@needs_kubectl
def test_dev_brings_a_redis_that_keeps_nothing_and_a_collector() -> None:
    dev = render("k8s/overlays/dev")
    (redis,) = pod(dev["Deployment", "redis"])["containers"]
    assert redis["args"][:4] == ["--save", "", "--appendonly", "no"]
    assert ("Service", "otel-collector") in dev
    assert variables("k8s/overlays/dev")["OTEL_EXPORTER_OTLP_ENDPOINT"] == "http://otel-collector:4318"
