"""The clients in every language as programs: `fit SOURCE` and `more CURSOR`, a result on stdin, one on stdout."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CLIENTS = HERE.parent.parent / "schemas" / "clients"
BUILD = HERE / "build"  # like node_modules, no part of the repository
PYTHON = """
import asyncio, inspect, json, sys
import {module} as decant
verb, what = sys.argv[1:]
found = decant.fit(json.load(sys.stdin), source=what) if verb == "fit" else decant.more(what)
print(json.dumps(asyncio.run(found) if inspect.iscoroutine(found) else found))
"""
NODE = """
import { fit, more } from "./clients/decant.js";
import { readFileSync } from "node:fs";
const [verb, what] = process.argv.slice(2);
const found = verb === "fit" ? await fit(JSON.parse(readFileSync(0, "utf8")), { source: what }) : await more(what);
console.log(JSON.stringify(found));
"""
GO = """package main

import (
	"decant"
	"fmt"
	"io"
	"os"
)

func main() {
	if os.Args[1] == "more" {
		fmt.Println(string(decant.More(os.Args[2], nil)))
		return
	}
	result, _ := io.ReadAll(os.Stdin)
	fmt.Println(string(decant.Fit(result, decant.Options{"source": os.Args[2]})))
}
"""
JAVA = """import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

public class Driver {
    public static void main(String[] given) throws Exception {
        String result = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        String found = given[0].equals("more") ? Decant.more(given[1]) : Decant.fit(result, "source", given[1]);
        new PrintStream(System.out, true, "UTF-8").println(found);
    }
}
"""


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """No other process is in the folder meanwhile: tests run in several."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def need(*tools: str) -> None:
    """Skips the test where one of these is missing."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")


def _run(*command: str, folder: Path, **environ: str) -> None:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environ}, capture_output=True, text=True, timeout=170, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}"


@cache
def typescript() -> Path:
    """The folder of everything here that is TypeScript, compiled beside the packages it needs."""
    need("node", "npm")
    with alone(BUILD):
        lock, stamp = HERE / "package-lock.json", HERE / "node_modules" / ".stamp"
        if not stamp.exists() or stamp.read_bytes() != lock.read_bytes():
            _run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", folder=HERE)
            stamp.write_bytes(lock.read_bytes())
        sources = [*CLIENTS.glob("typescript/*.ts"), *HERE.glob("typescript/*.ts"), HERE / "tsconfig.json"]
        built = BUILD / "js"
        if not built.exists() or built.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            fresh = BUILD / "ts"
            shutil.rmtree(fresh, ignore_errors=True)
            (fresh / "clients").mkdir(parents=True)
            for source in sources[:-1]:
                inner = fresh / "clients" if source.parent.parent == CLIENTS else fresh
                shutil.copy(source, inner)
            _run("node", str(HERE / "node_modules/typescript/bin/tsc"), "--project", "tsconfig.json", folder=HERE)
            (built / "driver.js").write_text(NODE)
            os.utime(built)
    return BUILD / "js"


@cache
def golang() -> Path:
    """A program of the Go client."""
    need("go")
    with alone(BUILD):
        folder = BUILD / "go"
        folder.mkdir(exist_ok=True)
        (folder / "main.go").write_text(GO)
        (folder / "go.mod").write_text(
            f"module driver\n\ngo 1.19\n\nrequire decant v0.0.0\n\nreplace decant => {CLIENTS / 'go'}\n"
        )
        _run("go", "vet", "decant", folder=folder, GOFLAGS="-mod=mod")
        _run("go", "build", "-o", "driver", ".", folder=folder, GOFLAGS="-mod=mod")
    return folder / "driver"


@cache
def java() -> Path:
    """The folder with the classes of the Java client."""
    need("java", "javac")
    with alone(BUILD):
        folder = BUILD / "java"
        folder.mkdir(exist_ok=True)
        (folder / "Driver.java").write_text(JAVA)
        _run(
            "javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-d", ".",
            str(CLIENTS / "java/Decant.java"), "Driver.java", folder=folder,
        )  # fmt: skip
    return folder


def program(client: str) -> Sequence[str]:
    """The command that runs a client; skips the test where its language is missing."""
    if client == "curl":
        need("curl", "iconv")
        return [str(CLIENTS / "curl.sh")]
    if client == "typescript":
        return ["node", str(typescript() / "driver.js")]
    if client == "go":
        return [str(golang())]
    if client == "java":
        return ["java", "-XX:TieredStopAtLevel=1", "-cp", str(java()), "Driver"]
    module = {"python": "decant", "httpx": "decant_httpx"}[client]
    return [sys.executable, "-c", PYTHON.format(module=module)]
