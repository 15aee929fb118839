"""The page of everything one can press or type is complete, and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

from bot.buttons import BUTTONS
from bot.screens.help import Scope

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "INPUTS.md").read_text(encoding="utf-8")
ROWS = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "tested by" not in line]
NAMED = {name for row in ROWS for name in re.findall(r"`([^`]+)`", row[0])}


def test_every_kind_of_button_is_on_the_page() -> None:
    assert {kind.__name__ for kind in BUTTONS.values()} <= NAMED


def test_every_command_is_on_the_page() -> None:
    assert {f"/{name}" for scope in Scope for name in scope.value} | {"/start"} <= NAMED


def test_nothing_is_on_the_page_that_there_is_not() -> None:
    kinds = {kind.__name__ for kind in BUTTONS.values()}
    commands = {f"/{name}" for scope in Scope for name in scope.value} | {"/start"}
    assert NAMED - kinds - commands == set()


def test_every_row_names_tests_and_each_of_them_exists() -> None:
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= set(
            re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        )
    for row in ROWS:
        tests = re.findall(r"`(test_\w+)`", row[-1])
        assert tests, row
        assert set(tests) <= found, set(tests) - found
