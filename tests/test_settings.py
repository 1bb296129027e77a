"""The environment: documented, checked all at once, silent about secrets."""

from pathlib import Path

import pytest

from service import settings
from service.settings import OVERRIDES, VARIABLES, SettingsError, load
from service.settings_tokens import LOOK_EVERY, Reloaded, parse_tokens

EXAMPLE = Path(settings.__file__).parent.parent / "config" / "service.env.example"
HASH = "a" * 64


def wrong(environ: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as caught:
        load(environ)
    return str(caught.value)


def test_without_any_it_is_open_on_loopback() -> None:
    known = load({})
    assert (known.host, known.port, known.open, known.loopback, known.warnings) == ("127.0.0.1", 8080, True, True, ())


def test_the_example_file_is_what_the_table_says() -> None:
    assert EXAMPLE.read_text() == settings.example_file(), "run `decant settings > config/service.env.example`"


def test_every_default_is_read_back_as_it_is_documented() -> None:
    lines = [line[1:] for line in settings.example_file().splitlines() if line.startswith("#DECANT_")]
    spelled = dict(line.split("=", 1) for line in lines)
    assert len(spelled) == len(VARIABLES) + len(OVERRIDES)
    known = load(spelled)
    assert {key: settings.DEFAULTS[key] for key in OVERRIDES} == dict(known.overrides)
    assert load({}).max_body == known.max_body == 16 << 20


def test_every_error_at_once_by_name() -> None:
    told = wrong(
        {
            "DECANT_PORT": "http",
            "DECANT_MAX_BODY": "big",
            "DECANT_MAX_PAGE_SIZE": "201",
            "DECANT_TOKENS": "no-hash-at-all",
            "DECANT_WORKERS": "2",
            "DECANT_BODY_TIMEOUT": "soon",
            "DECANT_ENABLE_PAGINATION": "perhaps",
        }
    )
    names = "PORT MAX_BODY MAX_PAGE_SIZE TOKENS WORKERS BODY_TIMEOUT ENABLE_PAGINATION"
    assert all(f"DECANT_{name}" in told for name in names.split())
    assert "no-hash-at-all" not in told


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"DECANT_REDIS_URL": "redis://x"}, "DECANT_REDIS_URL needs DECANT_SECRETS"),
        ({"DECANT_WORKERS": "2", "DECANT_SECRETS": "k" * 32}, "needs DECANT_REDIS_URL"),
        ({"DECANT_AUTH": "off", "DECANT_TOKENS": f"me:{HASH}"}, "contradicts"),
        ({"DECANT_AUTH": "on"}, "needs tokens"),
        ({"DECANT_TOKENS": f"me:{HASH}", "DECANT_TOKENS_FILE": __file__}, "both set"),
        ({"DECANT_TOKENS_FILE": "/no/such/file"}, "DECANT_TOKENS_FILE=/no/such/file: No such file"),
    ],
)
def test_what_cannot_stand_together(environ: dict[str, str], said: str) -> None:
    assert said in wrong(environ)


def test_an_open_service_does_not_listen_to_others_and_says_both_ways_out() -> None:
    told = wrong({"DECANT_HOST": "0.0.0.0"})
    assert "DECANT_TOKENS=me:" in told
    assert "DECANT_AUTH=off" in told
    assert load({"DECANT_HOST": "0.0.0.0", "DECANT_AUTH": "off"}).open
    assert not load({"DECANT_HOST": "0.0.0.0", "DECANT_TOKENS": f"me:{HASH}"}).open


def test_secrets_are_not_shown() -> None:
    environ = {"DECANT_SECRETS": "sesame" * 4, "DECANT_REDIS_URL": "redis://:pw@h", "DECANT_TOKENS": f"me:{HASH}"}
    shown = repr(load(environ))
    assert not [word for word in ("sesame", "pw", HASH, "\\xaa") if word in shown]


def test_unknown_names_warn_and_injected_ones_do_not() -> None:
    known = load(
        {
            "DECANT_POLICES": "x",
            "DECANT_SERVICE_HOST": "10.0.0.1",
            "DECANT_PORT_8080_TCP": "tcp://10.0.0.1:8080",
            "DECANT_PORT": "tcp://10.0.0.1:8080",
        }
    )
    assert known.port == 8080
    assert len(known.warnings) == 2
    assert "nearest is DECANT_POLICIES" in known.warnings[0]
    assert "Kubernetes" in known.warnings[1]


@pytest.mark.parametrize(
    ("text", "value"), [("1024", 1024), ("16MiB", 16 << 20), ("16 mb", 16 << 20), ("2K", 2048), ("1G", 1 << 30)]
)
def test_sizes(text: str, value: int) -> None:
    assert load({"DECANT_MAX_BODY": text}).max_body == value


@pytest.mark.parametrize(("text", "value"), [("30", 30), ("1.5s", 1.5), ("250ms", 0.25), ("10m", 600), ("1h", 3600)])
def test_times(text: str, value: float) -> None:
    assert load({"DECANT_BODY_TIMEOUT": text}).body_timeout == value


def test_a_tokens_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    file, now = tmp_path / "tokens", [0.0]
    file.write_text(f"# ours\nali:{HASH}\nbea:{'b' * 64}\n")
    none: dict[bytes, str] = {}
    tokens = Reloaded(str(file), parse_tokens, none, lambda: now[0])
    assert sorted(tokens().values()) == ["ali", "bea"]
    for content, expected in ((f"cid:{'c' * 64}", ["cid"]), ("rubbish", ["cid"]), ("", ["cid"])):
        fresh = tmp_path / "fresh"
        fresh.write_text(content)
        fresh.rename(file)
        now[0] += LOOK_EVERY
        assert list(tokens().values()) == expected
    file.unlink()
    now[0] += LOOK_EVERY
    assert list(tokens().values()) == ["cid"]
