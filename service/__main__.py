"""The verbs: serve, check, compact, cursor, schema, settings."""

import argparse
import os
import sys
from pathlib import Path

from service.settings import SettingsError


def main(arguments: list[str] | None = None) -> int:
    """Runs a verb; the exit code."""
    asked = _parser().parse_args(arguments)
    try:
        code: int = asked.verb(asked)
    except SettingsError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="decant", description="Pours big tool results into small context windows.")
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    one = verbs.add_parser("serve", help="answer over HTTP; DECANT_* variables set it up")
    one.add_argument("--host", help="instead of DECANT_HOST")
    one.add_argument("--port", help="instead of DECANT_PORT")
    one.add_argument("--workers", help="instead of DECANT_WORKERS")
    one.set_defaults(verb=_serve)
    one = verbs.add_parser("check", help="validate a folder of policies, every error at once")
    one.add_argument("folder", nargs="?", type=Path, help="default: DECANT_POLICIES, else the shipped policies")
    one.set_defaults(verb=_check)
    one = verbs.add_parser("compact", help="run a policy on a file, offline")
    one.add_argument("file", help="a payload; - is standard input")
    one.add_argument("--policy")
    one.add_argument("--budget", type=int)
    one.add_argument("--query", default="")
    one.add_argument("--format", default="auto")
    one.add_argument("--explain", action="store_true", help="tokens after every step, and what was left out")
    one.set_defaults(verb=_compact)
    one = verbs.add_parser("cursor", help="explain a cursor; needs the secrets that signed it")
    one.add_argument("token")
    one.add_argument("--tenant", default="anonymous")
    one.set_defaults(verb=_cursor)
    one = verbs.add_parser("schema", help="print a generated schema")
    one.add_argument("which", choices=["openapi", "policy"], nargs="?", default="policy")
    one.set_defaults(verb=_schema)
    one = verbs.add_parser("settings", help="print every variable with its default")
    one.set_defaults(verb=_settings)
    return parser


def _serve(asked: argparse.Namespace) -> int:
    from service import app

    given = {"DECANT_HOST": asked.host, "DECANT_PORT": asked.port, "DECANT_WORKERS": asked.workers}
    environ = {**os.environ, **{name: value for name, value in given.items() if value is not None}}
    return app.serve(app.settings_of(environ))


def _check(asked: argparse.Namespace) -> int:
    from service import policies
    from service.settings import load_overrides

    where = asked.folder or policies.folder(os.environ.get("DECANT_POLICIES", ""))
    problems = policies.check(where, load_overrides(os.environ))
    for problem in problems:
        print(problem)
    if not problems:
        print(f"{where}: fine")
    return 1 if problems else 0


def _compact(asked: argparse.Namespace) -> int:
    from service import app, offline

    data = sys.stdin.buffer.read() if asked.file == "-" else Path(asked.file).read_bytes()
    settings = app.settings_of({**os.environ, "DECANT_AUTH": "off", "DECANT_TOKENS": "", "DECANT_TOKENS_FILE": ""})
    made = offline.compact(data, asked.file, settings, asked.policy, asked.budget, asked.query, asked.format)
    sys.stdout.buffer.write(made.body + b"\n")
    if asked.explain:
        print(offline.explain(made), file=sys.stderr)
    return 0


def _cursor(asked: argparse.Namespace) -> int:
    import msgspec

    from service.errors import Refusal
    from service.keys import KeyRing
    from service.snapshots import explain

    try:
        keys = KeyRing.from_settings(os.environ.get("DECANT_SECRETS"), os.environ.get("DECANT_SECRETS_FILE"))
        told = explain(asked.token, keys, asked.tenant)
    except (Refusal, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(msgspec.json.format(msgspec.json.encode(told)).decode())
    return 0 if told["verdict"] == "valid" else 1


def _schema(asked: argparse.Namespace) -> int:
    from service import policies
    from service.web import openapi

    sys.stdout.write(policies.schema_text() if asked.which == "policy" else openapi.written().decode())
    return 0


def _settings(asked: argparse.Namespace) -> int:
    from service.settings import example_file

    sys.stdout.write(example_file())
    return 0


if __name__ == "__main__":
    sys.exit(main())
