"""Counts the mutants of the engine that its tests kill: `make mutants`, which takes half an hour or more.

mutmut (https://github.com/boxed/mutmut, BSD) makes thousands of mutants of `engine/`, each with one small
change: another operator, another number, an omitted argument. A mutant is *killed* when a test fails for it;
a survivor shows a gap in the tests or makes no difference (CONTRIBUTING.md lists the latter).

There are two passes over a copy of the engine that has been made fully mutable (`benchmarks.mutable`):

1. mutmut itself, quickly: it forks a process for each mutant and runs the tests that reach the change.
2. Each surviving mutant gets its own process and all the tests (`benchmarks.mutant_trials`). Only this pass
   covers what happens while modules are imported, such as the construction of tables.

The tests are those of `tests/engine` except the property tests, which are slow and random; `engine/players`
and its tests are left out. `[tool.mutmut]` in pyproject.toml configures this. Tracebacks are off, because
looking up lines in modules with all their mutants takes longer than a test. mutmut gets its own virtual
environment, created on first use next to this file, with the project's own pytest. The copy is `mutants/` in
the repository's root.

    python -m benchmarks.mutants [MODULE…] [--jobs 2]

prints a table by module and the surviving changes. The exit status is 1 if the unchanged copy fails its
tests, and 0 otherwise.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import venv
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.mutable import mutable

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent
ENVIRONMENT: Final = HERE / ".venv-mutmut"
MUTMUT: Final = "mutmut==3.8.1"
SHARED: Final = ("pytest", "pytest-asyncio", "pytest-timeout", "hypothesis")
"""Also installed there, in the versions of the project's own environment."""

COPY: Final = ROOT / "mutants"
COPIED: Final = (
    "pyproject.toml",
    "engine",
    "tests/__init__.py",
    "tests/conftest.py",
    "tests/builders.py",
    "tests/inputs.py",
    "tests/engine",
    "tests/scenarios",
)
MUTANTS: Final = COPY / "mutants"
"""The directory of mutmut's engine, which contains all mutants; an environment variable selects one."""

SHARPEST: Final = ("tests/engine/test_playthroughs.py", "tests/engine/test_scenarios.py")
"""These kill the most mutants, so the second pass runs them first."""

KILLED: Final = frozenset({"killed", "timeout", "segfault"})


Arguments: TypeAlias = list[str | Path]


def main() -> int:
    """Run both passes and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as: game; default: all")
    parser.add_argument("--jobs", default=2, type=int, metavar="N", help="mutants at a time; default: 2")
    chosen = parser.parse_args()
    python = mutmuts_python()
    prepare()
    names = [f"engine.{module}.*" for module in chosen.modules]
    run: Arguments = [python, "-m", "mutmut", "run", "--max-children", str(chosen.jobs), *names]
    if subprocess.run(run, cwd=COPY, check=False).returncode:
        return 1
    outcomes = {name: outcome for name, outcome in first_outcomes(python).items() if outcome != "not checked"}
    alive = sorted(name for name, outcome in outcomes.items() if outcome not in KILLED)
    if second_outcomes(python, ["none"], jobs=1) != {"none": "survived"}:
        print("The copy fails its tests though nothing is changed in it.", file=sys.stderr)
        return 1
    print(f"\n{len(outcomes) - len(alive)} of {len(outcomes)} killed so far; {len(alive)} get a process each")
    outcomes |= second_outcomes(python, alive, chosen.jobs)
    print_report(python, outcomes)
    return 0


def mutmuts_python() -> Path:
    """Return the Python of mutmut's environment, creating it if necessary."""
    python = ENVIRONMENT / "bin" / "python"
    requirements = [MUTMUT, *(f"{name}=={version(name)}" for name in SHARED)]
    ready = ENVIRONMENT / "ready"
    if not ready.exists() or ready.read_text("utf-8").split() != requirements:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        install: Arguments = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
        subprocess.run([python, *install], check=True)
        ready.write_text("\n".join(requirements), "utf-8")
    return python


def prepare() -> None:
    """Recreate the copy."""
    shutil.rmtree(COPY, ignore_errors=True)
    for part in COPIED:
        source, target = ROOT / part, COPY / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for module in (COPY / "engine").rglob("*.py"):
        module.write_text(mutable(module.read_text("utf-8")), "utf-8")


def first_outcomes(python: Path) -> dict[str, str]:
    """Return the result of each mutant in mutmut's own run."""
    listed: Arguments = [python, "-m", "mutmut", "results", "--all", "true"]
    told = subprocess.run(listed, cwd=COPY, check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r"^ *(\S+): (.+)$", told, re.MULTILINE))


def second_outcomes(python: Path, names: Sequence[str], jobs: int) -> dict[str, str]:
    """Return the results of these mutants in separate processes (see `benchmarks.mutant_trials`)."""
    configured = tomllib.loads((COPY / "pyproject.toml").read_text("utf-8"))["tool"]["mutmut"]
    arguments = shlex.join(configured["pytest_add_cli_args"])
    tests = [shlex.join(chosen) for chosen in (SHARPEST, configured["pytest_add_cli_args_test_selection"])]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([python, "-m", "compileall", "-q", "engine"], cwd=MUTANTS, env=environment, check=True)
    tried = subprocess.run(
        [python, HERE / "mutant_trials.py", str(jobs), "engine", *(f"{arguments} {some}" for some in tests)],
        cwd=MUTANTS,
        env=environment,
        check=True,
        input="\n".join(names),
        stdout=subprocess.PIPE,
        text=True,
    )
    return dict(re.findall(r"^(\S+) (\S+)$", tried.stdout, re.MULTILINE))


def print_report(python: Path, outcomes: Mapping[str, str]) -> None:
    """Print a row for each module, the total, and the survivors."""
    alive = sorted(name for name, outcome in outcomes.items() if outcome not in KILLED)
    for name in alive:
        shown: Arguments = [python, "-m", "mutmut", "show", name]
        print(subprocess.run(shown, cwd=COPY, check=True, capture_output=True, text=True).stdout)
    made, left = Counter(map(module_of, outcomes)), Counter(map(module_of, alive))
    print("| module | mutants | killed | survived | score |\n|---|---:|---:|---:|---:|")
    for module in sorted(made):
        print(row(f"`{module}.py`", made[module], left[module]))
    print(row("all", made.total(), left.total()))


def module_of(name: str) -> str:
    """Return a mutant's module under `engine`: ``engine.game.x__lay__mutmut_1`` is in ``game``."""
    return name.split(".")[1]


def row(title: str, made: int, left: int) -> str:
    """Format a row of the table."""
    killed = made - left
    return f"| {title} | {made} | {killed} | {left} | {100 * killed / made:.1f} % |"


if __name__ == "__main__":
    sys.exit(main())
