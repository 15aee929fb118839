"""Tries mutants one by one, each in a process of its own; only `benchmarks.mutants` starts this.

    python mutant_trials.py JOBS PACKAGE ARGUMENTS… < NAMES

The processes are forked from this one, which has pytest in memory but nothing of what is tested: so a mutant
is in its place while modules are imported, too (first of all PACKAGE, where it is at home). ARGUMENTS are
those of a run of pytest, in one word; of several runs each comes only if those before it found nothing.
Prints a line for each name: ``NAME survived``, ``NAME killed`` or ``NAME timeout``. The name "none" stands
for no mutant.

This runs in mutmut's environment, so it uses nothing of the project's.
"""

import os
import resource
import shlex
import signal
import sys
from importlib import import_module

import pytest

for module in ("hypothesis", "mutmut.mutation.trampoline", "pytest_asyncio"):
    import_module(module)  # so that no process need do it again

OPTIONS = ["-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
"""The warning says that the plugins imported above were imported already; only their authors need know."""

SECONDS_TO_DIE = 300
SECONDS_OF_WORK = 20
"""After so long, or so much work of the processor (all tests take a quarter of that), a mutant hangs, which
is a way to be found out."""


def main() -> None:
    """Read names, keep so many processes going, print what became of each."""
    jobs = int(sys.argv[1])
    runs = [shlex.split(arguments) for arguments in sys.argv[3:]]
    sys.path.insert(0, "")
    names = sys.stdin.read().split()
    running: dict[int, str] = {}
    while names or running:
        while names and len(running) < jobs:
            name = names.pop(0)
            running[start(name, sys.argv[2], runs)] = name
        process, status = os.wait()
        if process in running:
            print(running.pop(process), fate(status), flush=True)


def start(name: str, package: str, runs: list[list[str]]) -> int:
    """Fork a process that tries this mutant; its id."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        signal.alarm(SECONDS_TO_DIE)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_OF_WORK, SECONDS_OF_WORK + 1))
        os.environ["MUTANT_UNDER_TEST"] = name
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        import_module(package)  # here a failure is cheaper than where pytest has to tell of it
        status = any(pytest.main([*OPTIONS, *arguments]) for arguments in runs)
    finally:
        os._exit(status)


def fate(status: int) -> str:
    """What became of a mutant whose process ended with this wait status."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU):
        return "timeout"
    return "killed" if status else "survived"


if __name__ == "__main__":
    main()
