"""Invariants of every computer player, under any rules and in any seat."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import PRESETS, Deal, Event, Match, Rules, apply, new_match, view_for
from engine.players import Level, advise, choose
from tests.builders import position
from tests.engine.players.table import FEW, playing
from tests.engine.strategies import matches_before_a_deal
from tests.engine.test_properties import hidden_cards_permuted

LEVELS = st.lists(st.sampled_from(list(Level)), min_size=10, max_size=10)
SEEDS = st.integers(0, 2**32)


@given(match=matches_before_a_deal(), levels=LEVELS, seed=SEEDS)
@settings(max_examples=15, deadline=None, derandomize=True)
def test_every_level_makes_legal_moves_under_any_rules(match: Match, levels: list[Level], seed: int) -> None:
    for view, move in islice(playing(match, levels, Random(seed)), 40):
        assert move in view.legal


@given(match=matches_before_a_deal(), seed=SEEDS)
@settings(max_examples=10, deadline=None, derandomize=True)
def test_what_is_hidden_makes_no_difference(match: Match, seed: int) -> None:
    """Views are compared of two matches in which the cards that the player cannot see lie otherwise."""
    history: list[tuple[Event, ...]] = []
    chance = Random(seed)
    for number in range(60):
        if match.winner is not None:
            break
        if match.round is None:
            match, events = apply(match, Deal(chance.randbytes(32)))
            history = [events]
            continue
        seat = match.round.turn.seat
        view = view_for(match, seat, history)
        move = chance.choice(view.legal)
        if number % 4 == 0:
            other, _, told = hidden_cards_permuted(match, history, seat)
            same = view_for(other, seat, told)
            for level in Level:
                assert choose(level, view, Random(seed), simulations=FEW) == choose(
                    level, same, Random(seed), simulations=FEW
                )
            assert advise(view, Random(seed)) == advise(same, Random(seed))
        match, events = apply(match, move)
        history.append(events)


@given(match=matches_before_a_deal(), seed=SEEDS)
@settings(max_examples=5, deadline=None, derandomize=True)
def test_advice_is_what_a_normal_player_plays(match: Match, seed: int) -> None:
    for view, _ in islice(playing(match, [Level.EASY] * 10, Random(seed)), 0, 200, 5):
        assert advise(view, Random(seed)).move == choose(Level.NORMAL, view, Random(seed))


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_level_plays_every_preset_to_the_end(preset: str, level: Level) -> None:
    """A few of the thousands of `python -m benchmarks.play_to_the_end`."""
    match = new_match(Rules.from_document({"preset": preset, "limit": 50}), ("p1", "p2"))
    assert all(move in view.legal for view, move in playing(match, [level] * 2, Random(preset)))


@pytest.mark.parametrize("seat", [1, None])
def test_only_the_one_to_move_is_asked(seat: int | None) -> None:
    view = view_for(position("p1: 9S | p2: 7D | stock: 6H | discard: 8S"), seat)
    for level in Level:
        with pytest.raises(ValueError, match="the one to move"):
            choose(level, view, Random(0))
    with pytest.raises(ValueError, match="the one to move"):
        advise(view, Random(0))
