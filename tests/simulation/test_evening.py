"""A short evening with everything that can go wrong: it holds, and the same seed gives the same trace."""

from __future__ import annotations

from pathlib import Path

from tests.simulation.evening import Evening, Plan

PLAN = Plan(seed="suite", hours=0.25, groups=3)


def evening(folder: Path) -> Evening:
    folder.mkdir()
    passed = Evening(PLAN, folder)
    passed.run()
    return passed


def test_no_invariant_is_broken_and_the_same_seed_gives_the_same_trace(tmp_path: Path) -> None:
    one, two = evening(tmp_path / "one"), evening(tmp_path / "two")
    assert list(one.simulation.trace.newest) == list(two.simulation.trace.newest)
    assert one.simulation.trace.digest == two.simulation.trace.digest
    assert one.checks == 2
    assert {"kill", "loss", "429", "block"} <= one.struck.keys()
