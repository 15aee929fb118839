"""Tries mutants one by one, each in its own process; only `benchmarks.mutants` starts this.

    python mutant_trials.py JOBS PACKAGE ARGUMENTS… < NAMES

The processes are forked from this one, which has imported pytest but not the tested code, so a mutant is
active while modules are imported, too (PACKAGE, which contains it, is imported first). ARGUMENTS are those
of a run of pytest, in one word; of several runs each starts only if the previous ones killed nothing. Prints
a line for each name: ``NAME survived``, ``NAME killed`` or ``NAME timeout``. The name "none" stands for no
mutant.

This runs in mutmut's environment, so it imports nothing of the project.
"""

import os
import resource
import shlex
import signal
import sys
from importlib import import_module

import pytest

for module in ("hypothesis", "mutmut.mutation.trampoline", "pytest_asyncio"):
    import_module(module)  # so that no process has to do it again

OPTIONS = ["-x", "-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
"""The warning says that the plugins above were already imported; it only concerns their authors."""

SECONDS_TO_DIE = 300
SECONDS_OF_WORK = 20
"""A mutant that runs for so long, or uses so much processor time (all tests take a quarter of that), hangs,
which counts as killed.
"""


def main() -> None:
    """Read names, keep so many processes running, and print each result."""
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
            print(running.pop(process), outcome(status), flush=True)


def start(name: str, package: str, runs: list[list[str]]) -> int:
    """Fork a process that tries this mutant; return its id."""
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
        import_module(package)  # failing here is cheaper than in pytest
        status = any(pytest.main([*OPTIONS, *arguments]) for arguments in runs)
    finally:
        os._exit(status)


def outcome(status: int) -> str:
    """Return the result of a mutant whose process ended with this wait status."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU):
        return "timeout"
    return "killed" if status else "survived"


if __name__ == "__main__":
    main()
