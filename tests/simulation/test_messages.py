"""However calls fail and whenever the bot is killed: in the end every message shows what is committed."""

from __future__ import annotations

import pytest

from tests.simulation.messages import World, simulate


@pytest.mark.parametrize("seed", range(24))
def test_in_the_end_everything_is_shown_as_it_is(seed: int) -> None:
    """For more seeds: `python -m tests.simulation.messages 1000`."""
    assert simulate(seed) == []


def test_what_could_not_be_read_is_read_again_though_nothing_else_happens() -> None:
    def make_unreadable(world: World) -> None:
        world.unreadable |= world.tables.keys()

    assert simulate(0, happenings=0, prepare=make_unreadable) == []
