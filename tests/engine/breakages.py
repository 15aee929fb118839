"""Break a copy of the engine in every way that the properties' docstrings name, and see the property fail.

    python -m tests.engine.breakages [NAME…]

A property that still holds for the broken engine proves nothing; this command then says so and exits with
status 1. It takes some minutes, so it is not a part of the suite: run it after a change to the properties.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent


class Breakage(NamedTuple):
    """In `module`, `sound` becomes `broken`; then `property_` fails in `test`."""

    property_: str
    module: str
    sound: str
    broken: str
    test: str = "TestMatches"


BREAKAGES = (
    Breakage(
        "each_card_exists_once",
        "game.py",
        "hands, stock[owed:], discard,",
        "hands, stock, discard,",
    ),
    Breakage(
        "what_is_legal_is_what_is_accepted",
        "game.py",
        "raise Illegal(Reason.SUIT_NOT_ALLOWED)",
        "pass",
    ),
    Breakage(
        "a_refused_move_changes_nothing",
        "game.py",
        "    raise Illegal(Reason.NOT_YOUR_TURN",
        '    object.__setattr__(match.rules, "limit", match.rules.limit + 1)\n'
        "    raise Illegal(Reason.NOT_YOUR_TURN",
    ),
    Breakage(
        "somebody_can_move_while_a_round_runs",
        "legality.py",
        "return something_to_draw, not something_to_draw",
        "return something_to_draw, False",
    ),
    Breakage("a_dump_is_read_back_equal", "codec.py", 'passes=document["passes"]', "passes=0"),
    Breakage(
        "nobody_sees_what_he_may_not_know",
        "view.py",
        "found=running.found if seat == running.turn else None",
        "found=running.found",
    ),
    Breakage(
        "a_recycling_is_never_overdue",
        "game.py",
        "    draft.recycle_if_due()\n    if _is_blocked",
        "    if _is_blocked",
    ),
    Breakage(
        "test_totals_follow_from_the_rounds",
        "scoring.py",
        "(seat, finish_bonus(rules, last_card) if seat",
        "(seat, factor * finish_bonus(rules, last_card) if seat",
        test="test_totals_follow_from_the_rounds",
    ),
    Breakage("teardown", "notation.py", 'text["cut"] = move.cut', 'text["cut"] = 0'),
    Breakage(
        "test_every_round_ends_and_so_does_every_match",
        "game.py",
        " or moves >= MOST_MOVES\n",
        "\n",
        test="test_every_round_ends_and_so_does_every_match",
    ),
    Breakage(
        "test_rules_are_written_and_read_back_equal",
        "rules.py",
        "is not ranks.get(RANKS[rank_of(card)], Effect.NONE)",
        "is not Effect.NONE",
        test="test_rules_are_written_and_read_back_equal",
    ),
)


def main(names: Sequence[str]) -> int:
    """Try the breakages of these properties, or all of them."""
    held = 0
    for breakage in BREAKAGES:
        if names and breakage.property_ not in names:
            continue
        failure = first_failure(breakage)
        expected = failure is not None and breakage.property_ in failure
        held += not expected
        print(
            f"{'fails, as it should' if expected else 'NOT AS IT SHOULD'}: {breakage.property_}", flush=True
        )
        if not expected:
            print(failure or "  the property still holds")
    return min(held, 1)


def first_failure(breakage: Breakage) -> str | None:
    """What pytest says when the broken engine is tested; None if the test passes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("engine", "tests/engine", "pyproject.toml"):
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / part)
        shutil.copy(ROOT / "tests/__init__.py", copy / "tests/__init__.py")
        module = copy / "engine" / breakage.module
        text = module.read_text("utf-8")
        if text.count(breakage.sound) != 1:
            raise SystemExit(f"{breakage.property_}: what it breaks is not (once) in {breakage.module}")
        module.write_text(text.replace(breakage.sound, breakage.broken), "utf-8")
        tests = f"tests/engine/test_properties.py::{breakage.test}"
        arguments = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=first_failure", tests]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        return None if done.returncode == 0 else re.sub(r"(?m)^", "  ", done.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
