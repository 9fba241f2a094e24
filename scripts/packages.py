"""Builds the packages, and tries them as strangers will: in bare environments of every Python that is there.

`python -m scripts.packages` makes `dist/`, installs wheel and sdist into environments of their own, and runs what they
bring; then it lets pre-commit use the hook, and runs the steps of the action. It ends with 1 where something fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from scripts.bench.client import Server
from scripts.bench.editing import Buffer
from ts_lsp import __version__

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
EXAMPLE = ROOT / "examples" / "mistakes.py"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
LARGEST_WHEEL = 2.5
"""Megabytes."""


class Broken(Exception):
    """Says what did not do what it should."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="A further Python to try.")
    arguments = parser.parse_args()
    try:
        packages = build()
        for version, python in {**pythons(), **{each: each for each in arguments.python}}.items():
            for package in packages:
                start = time.perf_counter()
                try_package(python, package)
                print(f"Python {version}: {package.suffix} works ({time.perf_counter() - start:.0f} s)", flush=True)
        try_hook()
        try_action()
    except Broken as problem:
        print(f"packages: {problem}", file=sys.stderr)
        return 1
    missing = [each for each in PYTHONS if each not in pythons()]
    print(f"not tried, as they are not here: Python {', '.join(missing)}" if missing else "all Pythons were tried")
    return 0


def run(*command: str | Path, folder: Path = ROOT, code: int = 0, variables: Mapping[str, str] | None = None) -> str:
    """What a command prints, which has to end with `code`."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | dict(variables or {})
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode != code:
        raise Broken(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def expect(found: str, part: str) -> None:
    if part not in found:
        raise Broken(f"{part!r} is missing in:\n{found}")


def build() -> Sequence[Path]:
    """Wheel and sdist of this folder; the wheel is made from the sdist, which so is known to be whole."""
    run(sys.executable, "-m", "build", "--outdir", DIST)
    packages = [DIST / f"ts_lsp-{__version__}-py3-none-any.whl", DIST / f"ts_lsp-{__version__}.tar.gz"]
    for package in packages:
        print(f"{package.name}: {package.stat().st_size / 1e6:.2f} MB")
    if packages[0].stat().st_size > LARGEST_WHEEL * 1e6:
        raise Broken(f"the wheel is larger than {LARGEST_WHEEL} MB")
    return packages


def pythons() -> Mapping[str, str]:
    """The Pythons that ts-lsp is for and that run here, by their version."""
    return dict(found for version in PYTHONS for found in _python(version))


def _python(version: str) -> Iterator[tuple[str, str]]:
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for each in (shutil.which(f"python{version}"), *managed.glob(f"{version}.*/bin/python")):
        if each is not None and subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode == 0:
            yield version, str(each)
            return


def try_package(python: str, package: Path) -> None:
    """Installs a package into a bare environment, and uses all that it brings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        run(python, "-m", "venv", folder / "bare", folder=folder)
        programs = folder / "bare" / "bin"
        run(programs / "python", "-m", "pip", "install", "--quiet", package, folder=folder)
        shutil.copy(EXAMPLE, folder / "mistakes.py")
        _try_command(programs / "ts-lsp", folder)
        _try_server(programs / "ts-lsp", folder)
        specification = "import ts_lsp.project.jupyter as found; print(found.specification(None)['ts-lsp']['argv'])"
        expect(run(programs / "python", "-c", specification, folder=folder), "'server'")


def _try_command(program: Path, folder: Path) -> None:
    expect(run(program, "--version", folder=folder), __version__)
    expect(run(program, "check", "mistakes.py", folder=folder, code=1), "reassigned-type")
    expect(run(program, "explain", "reassigned-type", folder=folder), "# reassigned-type")
    for shell in ("bash", "zsh", "fish"):
        expect(run(program, "completions", shell, folder=folder), "_TS_LSP_COMPLETE")


def _try_server(program: Path, folder: Path) -> None:
    server = Server([str(program), "server"], os.environ, folder, patience=60)
    try:
        server.start(pull=True, python="")
        uri = (folder / "mistakes.py").as_uri()
        server.open(uri, Buffer(EXAMPLE.read_text("utf-8")))
        answer = server.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        expect(json.dumps(answer.result), "reassigned-type")
    finally:
        server.stop()


def try_hook() -> None:
    """Lets pre-commit install this repository, and give its hook the files of another one."""
    run(sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copy(EXAMPLE, folder)
        run("git", "init", "--quiet", folder)
        run("git", "add", ".", folder=folder)
        own = {"PRE_COMMIT_HOME": str(folder / "cache")}
        command = (sys.executable, "-m", "pre_commit", "try-repo", ROOT, "ts-lsp", "--all-files")
        expect(run(*command, folder=folder, code=1, variables=own), "reassigned-type")
        (folder / EXAMPLE.name).write_bytes((ROOT / "examples" / "clean.py").read_bytes())
        expect(run(*command, folder=folder, variables=own), "Passed")
    print("the hook works")


def try_action() -> None:
    """Runs the steps of the action that are commands, one after the other, as a runner does."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copy(EXAMPLE, folder)
        given = {key: each["default"] for key, each in action["inputs"].items()} | {
            "paths": EXAMPLE.name,
            "arguments": "--scope all",
        }
        words = {f"${{{{ inputs.{key} }}}}": value for key, value in given.items()} | {
            "${{ github.action_path }}": str(ROOT)
        }
        *before, last = [step for step in action["runs"]["steps"] if "run" in step]
        for step in before:
            _run_step(step, words, folder)
        expect(_run_step(last, words, folder, code=1), f"file={EXAMPLE.name},line=17")
    print("the action works")


def _run_step(step: Mapping[str, object], words: Mapping[str, str], folder: Path, code: int = 0) -> str:
    variables = step.get("env", {})
    assert isinstance(variables, dict)
    own = {name: words[value] for name, value in variables.items()} | {"RUNNER_TEMP": str(folder)}
    return run("bash", "-eo", "pipefail", "-c", str(step["run"]), folder=folder, code=code, variables=own)


if __name__ == "__main__":
    sys.exit(main())
