"""What holds for every computer player under any rules, in any seat."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PRESETS, Match, Rules, new_match, view_for
from engine.players import Level, advise, choose
from tests.builders import position
from tests.engine.players.table import playing
from tests.engine.strategies import matches_before_a_deal

LEVELS = st.sampled_from(list(Level))


@given(
    match=matches_before_a_deal(),
    levels=st.lists(LEVELS, min_size=10, max_size=10),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=12, deadline=None, derandomize=True)
def test_every_level_makes_legal_moves_under_any_rules(match: Match, levels: list[Level], seed: int) -> None:
    for view, move in playing(match, levels, Random(seed)):
        assert move in view.legal


@given(match=matches_before_a_deal(), seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None, derandomize=True)
def test_advice_is_what_a_normal_player_plays(match: Match, seed: int) -> None:
    for view, _ in playing(match, [Level.EASY] * 10, Random(seed)):
        if view.number % 5 == 1:
            assert advise(view, Random(seed)).move == choose(Level.NORMAL, view, Random(seed))


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_level_plays_every_preset_to_the_end(preset: str, level: Level) -> None:
    match = new_match(Rules.from_document({"preset": preset}), ("p1", "p2", "p3"))
    assert all(move in view.legal for view, move in playing(match, [level] * 3, Random(preset)))


@pytest.mark.parametrize("level", list(Level))
def test_the_same_view_and_seed_give_the_same_move(level: Level) -> None:
    match = new_match(Rules(), ("p1", "p2", "p3"))
    for number, (view, _) in enumerate(playing(match, [Level.EASY] * 3, Random(5))):
        if number % 10 == 0:
            assert choose(level, view, Random(number)) == choose(level, view, Random(number))


@pytest.mark.parametrize("seat", [1, None])
def test_only_the_one_to_move_is_asked(seat: int | None) -> None:
    view = view_for(position("p1: 9S | p2: 7D | stock: 6H | discard: 8S"), seat)
    for level in Level:
        with pytest.raises(ValueError, match="the one to move"):
            choose(level, view, Random(0))
    with pytest.raises(ValueError, match="the one to move"):
        advise(view, Random(0))
