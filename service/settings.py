"""The environment as one frozen Settings: every variable in one table, every error at once, secrets never in repr."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import msgspec

from schemas.policy import Policy
from service import settings_parsing as parsing, settings_tokens as credentials

PREFIX = "DECANT_"


class SettingsError(Exception):
    """Everything that is wrong with the environment, by variable name."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its field in Settings, its default as it would be written, its parser, its one-line meaning."""

    field: str
    default: str
    parse: Callable[[str], Any]
    doc: str

    @property
    def name(self) -> str:
        return PREFIX + self.field.upper()


_TEXT, _COUNT, _SIZE, _SPAN = parsing.text, parsing.count, parsing.size, parsing.seconds

VARIABLES: tuple[Variable, ...] = (
    Variable("host", "127.0.0.1", _TEXT, "Address to listen on; the container image sets 0.0.0.0."),
    Variable("port", "8080", parsing.port, "Port to listen on; 0 takes a free one and logs it."),
    Variable("policies", "", _TEXT, "Folder of policy files; empty: the shipped policies."),
    Variable("redis_url", "", _TEXT, "redis://host:6379/0, rediss://..., redis+sentinel://...; empty: memory store."),
    Variable(
        "secrets", "", _TEXT, "Keys that sign cursors, comma separated, 16 characters or more; the first one signs."
    ),
    Variable("secrets_file", "", _TEXT, "File with the same, one key per line; read again when it changes."),
    Variable("tokens", "", credentials.parse_tokens, "Bearer tokens as name:sha256hex, comma separated."),
    Variable("tokens_file", "", _TEXT, "File with the same, one per line; read again when it changes."),
    Variable("auth", "auto", parsing.one_of("auto", "on", "off"), "auto: tokens when there are any; off: open."),
    Variable("snapshot_max_age", "3600", _SPAN, "Seconds after which a snapshot ends, however often it is read."),
    Variable("memory_limit", "256MiB", _SIZE, "Ceiling of the memory store; the oldest snapshots go first."),
    Variable("snapshot_quota", "", parsing.size_or_none, "Bytes of snapshots one tenant may keep; empty: no bound."),
    Variable("max_body", "16MiB", _SIZE, "Largest request body on the wire."),
    Variable("max_inflated", "64MiB", _SIZE, "Largest request body after gzip or deflate."),
    Variable("max_depth", "500", _COUNT, "Deepest nesting of a JSON payload."),
    Variable("body_timeout", "30", _SPAN, "Seconds a request body may take to arrive."),
    Variable("keepalive", "75", _SPAN, "Seconds an idle connection, or a request's head, may take."),
    Variable("max_connections", "1000", _COUNT, "Open connections per process."),
    Variable("drain", "1.5", _SPAN, "Seconds between SIGTERM and closing the port, so that balancers look away."),
    Variable("workers", "1", _COUNT, "Processes that share the port; more than one needs Redis and a secret."),
    Variable("pool", "1", parsing.whole, "Processes for big payloads, started at first use; 0: none."),
    Variable("log_level", "INFO", parsing.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "Least level that is logged."),
)

# These override the numbers of the policy `default`; every policy that extends it follows.
OVERRIDES: dict[str, str] = {
    "output_token_threshold": "Budget of an answer in tokens.",
    "hard_output_token_cap": "Most tokens of any answer, whatever it asks for.",
    "hard_byte_cap": "Most bytes of any answer.",
    "default_page_size": "Items of a page that asks for no limit.",
    "max_page_size": "Largest limit a page may ask for.",
    "chunk_tokens": "Tokens of a chunk.",
    "chunk_lines": "Lines of a chunk.",
    "cursor_ttl": "Seconds a cursor lives after it was last issued.",
    "enable_summarization": "Whether /compact cuts to the budget; off: to the hard cap.",
    "enable_pagination": "The same for /paginate.",
    "enable_chunking": "The same for /chunk.",
}
DEFAULTS = msgspec.to_builtins(Policy())


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment says, checked; build one with `load`."""

    host: str
    port: int
    policies: str
    redis_url: str = field(repr=False)
    secrets: str = field(repr=False)
    secrets_file: str
    tokens: Mapping[bytes, str] = field(repr=False)
    tokens_file: str
    auth: str
    snapshot_max_age: float
    memory_limit: int
    snapshot_quota: int | None
    max_body: int
    max_inflated: int
    max_depth: int
    body_timeout: float
    keepalive: float
    max_connections: int
    drain: float
    workers: int
    pool: int
    log_level: str
    overrides: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """No authentication: either switched off or nothing to check against."""
        return self.auth == "off" or not (self.tokens or self.tokens_file)

    @property
    def loopback(self) -> bool:
        return parsing.is_loopback(self.host)


def load(environ: Mapping[str, str], *checks: Callable[[Settings], str]) -> Settings:
    """Settings of an environment; SettingsError lists everything that is wrong with it, what `checks` say included."""
    problems: list[str] = []
    warnings = unknown_names(environ)
    found: dict[str, Any] = {}
    for variable in VARIABLES:
        found[variable.field] = _value(variable, environ, problems, warnings)
    overrides = _overrides(environ, problems)
    settings = Settings(**found, overrides=overrides, warnings=tuple(warnings))
    problems += conflicts(settings) + [wrong for check in checks if (wrong := check(settings))]
    if problems:
        raise SettingsError(problems)
    return settings


def _value(variable: Variable, environ: Mapping[str, str], problems: list[str], warnings: list[str]) -> Any:
    text = environ.get(variable.name, "").strip() or variable.default
    if variable.field == "port" and text.startswith("tcp://"):
        warnings.append(
            f"DECANT_PORT={text} was written by Kubernetes for a Service called decant; port {variable.default} is"
            " used. Set DECANT_PORT to a number, or enableServiceLinks: false in the pod."
        )
        text = variable.default
    try:
        return variable.parse(text)
    except ValueError as error:
        problems.append(f"{variable.name}: {error}")
        return variable.parse(variable.default) or text  # stands in, so that conflicts are found in the same go


def _overrides(environ: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
    found = {}
    for key in OVERRIDES:
        text = environ.get(PREFIX + key.upper(), "").strip()
        if not text:
            continue
        try:
            policy = msgspec.convert({key: text}, Policy, strict=False)
            found[key] = getattr(policy, key)
        except msgspec.ValidationError as error:
            problems.append(f"{PREFIX}{key.upper()}={text}: {str(error).split(' - at')[0]}")
    return found


def load_overrides(environ: Mapping[str, str]) -> dict[str, Any]:
    """The overrides alone, for `decant check`."""
    problems: list[str] = []
    found = _overrides(environ, problems)
    if problems:
        raise SettingsError(problems)
    return found


def unknown_names(environ: Mapping[str, str]) -> list[str]:
    """A warning for every DECANT_ name that means nothing here, with the nearest one that does."""
    known = [variable.name for variable in VARIABLES] + [PREFIX + key.upper() for key in OVERRIDES]
    # Kubernetes injects DECANT_SERVICE_HOST, DECANT_PORT_8080_TCP and the like for a Service of this name.
    injected = ("DECANT_SERVICE_", "DECANT_PORT_")
    unknown = [name for name in environ if name.startswith(PREFIX) and name not in known]
    return [
        f"{name} means nothing to this service" + "".join(f"; the nearest is {near}" for near in _near(name, known))
        for name in sorted(unknown)
        if not name.startswith(injected)
    ]


def _near(name: str, known: list[str]) -> list[str]:
    return get_close_matches(name, known, n=1, cutoff=0.6)


def conflicts(settings: Settings) -> list[str]:
    """What cannot stand together."""
    signed = bool(settings.secrets or settings.secrets_file)
    problems = []
    if settings.redis_url and not signed:
        problems.append("DECANT_REDIS_URL needs DECANT_SECRETS or DECANT_SECRETS_FILE: all processes sign alike.")
    if settings.workers > 1 and not signed:
        problems.append("DECANT_WORKERS above 1 needs DECANT_SECRETS or DECANT_SECRETS_FILE: all processes sign alike.")
    if settings.workers > 1 and not settings.redis_url:
        problems.append("DECANT_WORKERS above 1 needs DECANT_REDIS_URL: the memory store is not shared.")
    if settings.auth == "off" and (settings.tokens or settings.tokens_file):
        problems.append("DECANT_AUTH=off contradicts DECANT_TOKENS and DECANT_TOKENS_FILE: drop one of the two.")
    if settings.tokens and settings.tokens_file:
        problems.append("DECANT_TOKENS and DECANT_TOKENS_FILE are both set: keep one.")
    if settings.auth == "on" and not (settings.tokens or settings.tokens_file):
        problems.append(f"DECANT_AUTH=on needs tokens. {credentials.example()}")
    if settings.auth == "auto" and settings.open and not settings.loopback:
        problems.append(
            f"DECANT_HOST={settings.host} is reachable by others and there are no tokens."
            f" Either {credentials.example()} Or, when something else keeps strangers out: DECANT_AUTH=off"
        )
    wrong = credentials.complaint("DECANT_TOKENS_FILE", settings.tokens_file)
    return [*problems, wrong] if wrong else problems


def example_file() -> str:
    """config/service.env.example: every variable with its default and meaning."""
    lines = ["# Every variable of the service with its default; written by `decant settings`, held in step by a test."]
    for variable in VARIABLES:
        lines += ["", f"# {variable.doc}", f"#{variable.name}={variable.default}"]
    lines += ["", "# --- numbers of the policy `default`, and of every policy that extends it ---"]
    for key, doc in OVERRIDES.items():
        lines += ["", f"# {doc}", f"#{PREFIX}{key.upper()}={str(DEFAULTS[key]).lower()}"]
    return "\n".join(lines) + "\n"
