"""The key ring: what it reads, what it refuses, how it turns over while the service runs."""

import os
from pathlib import Path

import pytest

from service.keys import LOOK_SECONDS, KeyRing, key_id, parse_secrets

OLD, NEW, NEXT = "the-secret-of-last-month", "the-secret-of-this-month", "the-secret-of-next-month"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def names(ring: KeyRing) -> list[str]:
    return [secret.decode() for _, secret in ring.verifying]


def test_the_first_signs_and_all_verify() -> None:
    ring = KeyRing.from_settings(f"{NEW}, {OLD},,{NEW}")
    assert names(ring) == [NEW, OLD]
    assert ring.signing == (key_id(NEW.encode()), NEW.encode())
    assert ring.shared


def test_the_id_does_not_depend_on_the_place() -> None:
    one, two = parse_secrets(f"{OLD},{NEW}", "DECANT_SECRETS"), parse_secrets(f"{NEW},{OLD}", "DECANT_SECRETS")
    assert dict(one) == dict(two)


def test_without_secrets_every_process_has_its_own() -> None:
    one, two = KeyRing.from_settings(), KeyRing.from_settings("", None)
    assert one.signing != two.signing
    assert not one.shared


@pytest.mark.parametrize("wrong", [" , ", "short", f"{NEW},short"])
def test_a_bad_list_is_refused_by_the_variables_name(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"^DECANT_SECRETS") as refused:
        KeyRing.from_settings(wrong)
    assert "short" not in str(refused.value)
    assert "16" in str(refused.value)


def test_one_source_is_enough(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="DECANT_SECRETS and DECANT_SECRETS_FILE"):
        KeyRing.from_settings(NEW, tmp_path / "keys")


def test_a_missing_or_broken_file_is_refused_at_start(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\xff\xfe" * 20)
    for file in (tmp_path / "none", tmp_path, broken):
        with pytest.raises(ValueError, match="DECANT_SECRETS_FILE"):
            KeyRing.from_settings(None, file)


def test_no_secret_in_its_repr() -> None:
    assert NEW not in repr(KeyRing.from_settings(NEW))


def test_a_rewritten_file_is_read_within_a_second(tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "keys"
    file.write_text(f"{OLD}\n")
    ring = KeyRing.from_settings(None, str(file), clock=clock)
    for secrets in ([OLD, NEW], [NEW, OLD], [NEXT, NEW]):
        file.write_text("\n".join(secrets) + "\n\n")
        clock.now += LOOK_SECONDS
        assert names(ring) == secrets


def test_between_two_looks_the_file_is_left_alone(tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "keys"
    file.write_text(OLD)
    ring = KeyRing.from_settings(None, file, clock=clock)
    file.write_text(NEW + "x")
    clock.now += LOOK_SECONDS / 2
    assert names(ring) == [OLD]


def test_a_broken_reload_keeps_the_old_ring_and_says_so(tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "keys"
    file.write_text(OLD)
    ring = KeyRing.from_settings(None, file, clock=clock)
    for break_it in (lambda: file.write_text("short"), lambda: file.write_text(""), file.unlink):
        break_it()
        clock.now += LOOK_SECONDS
        assert names(ring) == [OLD]
        assert "DECANT_SECRETS_FILE" in (ring.last_error or "")
    file.write_text(NEW)
    clock.now += LOOK_SECONDS
    assert names(ring) == [NEW]
    assert ring.last_error is None


def test_swapped_links_are_seen_each_time(tmp_path: Path) -> None:
    clock, file = Clock(), tmp_path / "keys"
    for number, secret in enumerate((OLD, NEW, NEXT)):
        (tmp_path / f"..{number}").mkdir()
        (tmp_path / f"..{number}" / "keys").write_text(secret)
        os.utime(tmp_path / f"..{number}" / "keys", (1, 1))
    (tmp_path / "..data").symlink_to("..0")
    file.symlink_to("..data/keys")
    ring = KeyRing.from_settings(None, file, clock=clock)
    for number, secret in ((1, NEW), (2, NEXT)):
        (tmp_path / "..next").symlink_to(f"..{number}")
        (tmp_path / "..next").rename(tmp_path / "..data")
        clock.now += LOOK_SECONDS
        assert names(ring) == [secret]
