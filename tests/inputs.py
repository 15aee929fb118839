"""Records which buttons are pressed and which commands are typed, so that no input goes without a test.

A run of all end-to-end tests fails if it leaves out a kind of button or a command; a run of only some is not
judged. `tests/conftest.py` takes the hooks from here. Under xdist each worker hands in its share at its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

_ROOT: Final = Path(__file__).parents[1]
END_TO_END: Final = frozenset(
    path.relative_to(_ROOT).as_posix() for path in (_ROOT / "tests/e2e").glob("test_*.py")
)
_SHARE: Final = "inputs"
"""Where a worker's output has what was recorded in it."""

_recorded: set[str] = set()
_run: set[str] = set()
"""The test files of which something was run."""


def record(name: str) -> None:
    """Record that somebody has pressed a button of this kind, or typed this command."""
    _recorded.add(name)


def every_input() -> set[str]:
    """The kinds of buttons there are, and the commands."""
    # Imported here: a conftest is read before the workers measure the coverage of what these import.
    from bot.buttons import BUTTONS  # noqa: PLC0415
    from bot.screens.help import Scope  # noqa: PLC0415

    commands = {f"/{name}" for scope in Scope for name in scope.value}
    return {kind.__name__ for kind in BUTTONS.values()} | commands | {"/start"}


def left_out(recorded: Iterable[str]) -> list[str]:
    """The buttons and commands that are not among those recorded."""
    return sorted(every_input() - set(recorded))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test has been run, here or in a worker."""
    _run.add(report.nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist has ended."""
    _recorded.update(getattr(node, "workeroutput", {}).get(_SHARE, ()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand in the record; the main process fails the run if something was left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_SHARE] = sorted(_recorded)
    elif session.exitstatus == pytest.ExitCode.OK and _is_whole(session.config) and left_out(_recorded):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Report what was left out."""
    if _is_whole(config) and (missing := left_out(_recorded)):
        terminalreporter.section("pressed or typed by no end-to-end test")
        terminalreporter.line(" ".join(missing))


def _is_whole(config: pytest.Config) -> bool:
    """Have all end-to-end tests been run? A copy of the engine's tests alone has none."""
    chosen = any(config.getoption(name, None) for name in ("keyword", "markexpr", "deselect", "lf"))
    return not chosen and bool(END_TO_END) and _run >= END_TO_END
