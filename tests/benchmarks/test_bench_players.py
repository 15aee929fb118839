"""Benchmarks of computer players: results follow from the seed, and no seat has an advantage."""

from random import Random

import pytest

from benchmarks.bench_players import TOURNAMENTS, Group, Tournament, interval, measured, play_group
from benchmarks.play_to_the_end import Batch, play_batch
from engine import PRESETS
from engine.players import Level


def test_a_group_is_the_same_every_time() -> None:
    group = Group(Tournament("classic", ("seer", "easy", "easy")), seed=3, simulations=4)
    one, two = play_group(group), play_group(group)
    assert (one.share, one.moves, one.rounds) == (two.share, two.moves, two.rounds)
    assert one.share in (0, 1 / 3, 2 / 3, 1)


def test_equal_players_share_the_matches_whoever_is_measured() -> None:
    """In a match of two equal players with the same chance, one of the two seats wins each time."""
    result = measured(Tournament("classic", ("easy", "easy")), matches=40, simulations=1, seed=1, jobs=1)
    assert result["matches"] == 40
    low, high = result["interval"]
    assert 0.1 < low <= result["won"] <= high < 0.9


def test_the_interval_closes_in_on_the_share() -> None:
    few, many = ([0.0, 0.5, 0.5, 1.0] * times for times in (2, 50))
    (low, high), (lower, upper) = (interval(shares, Random(0)) for shares in (few, many))
    assert low < lower < 0.5 < upper < high
    assert interval([0.5] * 9, Random(0)) == (0.5, 0.5)


def test_what_is_aimed_at_is_measured_under_three_presets() -> None:
    for players in (("normal", "easy"), ("strong", "normal"), ("strong", "normal", "normal", "normal")):
        assert len({each.preset for each in TOURNAMENTS if each.players == players and each.aim}) == 3


@pytest.mark.parametrize("level", list(Level))
def test_a_batch_is_played_to_the_end(level: Level) -> None:
    assert play_batch(Batch(next(iter(PRESETS)), level, range(1)), simulations=2) > 10
