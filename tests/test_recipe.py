"""Runs the README's recipe for checking a deal against known answers and the engine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.handlers.deal_verification import DEAL

ROOT = Path(__file__).parent.parent
SIGNS = str.maketrans("SHDC", "♠♥♦♣")
KNOWN = json.loads((ROOT / "tests" / "scenarios" / "shuffle.json").read_text())["cases"]


def recipe() -> str:
    """The code under the heading."""
    section = (ROOT / "README.md").read_text().partition("## Check a deal yourself")[2]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block.group(1)


def run(*arguments: str) -> list[str]:
    """Return the recipe's output, from an interpreter that can't see this project."""
    command = [sys.executable, "-I", "-c", recipe(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout.splitlines()


def dealt_by_the_engine(*arguments: str) -> dict[str, object]:
    command = [sys.executable, "-m", "engine", "deal", *arguments]
    answer: dict[str, object] = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    )
    return answer


def test_it_has_about_twenty_lines_of_code() -> None:
    assert len([line for line in recipe().splitlines() if line.strip()]) <= 24


def test_it_is_what_the_bot_sends() -> None:
    assert DEAL.read_text("utf-8") == recipe()


@pytest.mark.parametrize(
    "arguments", [[], ["aa"], ["key", "3", "-", "0"], ["aa", "3", "x", "0"], ["aa", "", "-", "0"]]
)
def test_without_what_it_needs_it_says_how_it_is_used(arguments: list[str]) -> None:
    command = [sys.executable, "-I", "-c", recipe(), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert (ended.returncode, ended.stderr) == (1, "usage: python deal.py KEY PLAYERS LEADER CUT\n")


def test_it_finds_the_known_commitment_and_leader() -> None:
    case = KNOWN[0]
    first_line = run(case["seed"], str(case["seats"]), "-", "0")[0]
    assert first_line == f"{case['commitment']} leader {case['leader'] + 1}"


@pytest.mark.parametrize(
    ("players", "leader", "cut"), [(3, None, 0), (3, 2, 0), (4, 1, 17), (6, 6, 36), (2, None, 9)]
)
def test_it_deals_the_hands_that_the_engine_deals(players: int, leader: int | None, cut: int) -> None:
    seed = f"{players}{cut:02d}".encode().hex().rjust(64, "a")
    names = [f"p{n}" for n in range(1, players + 1)]
    options = ["--seed", seed, "--players", ",".join(names), "--cut", str(cut)]
    engine = dealt_by_the_engine(*options, *(() if leader is None else ("--leader", f"p{leader}")))
    head, *lines = run(seed, str(players), "-" if leader is None else str(leader), str(cut))
    assert head == f"{engine['commitment']} leader {str(engine['leader']).removeprefix('p')}"
    hands = engine["hands"]
    assert isinstance(hands, dict)
    for line in lines:
        seat, *cards = line.split()
        assert cards == [card.translate(SIGNS) for card in hands[f"p{seat}"]]
