"""Hypothesis strategies: rules and players of every kind; and random play, for what needs no shrinking."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from engine import (
    RANKS,
    SETTINGS,
    Deal,
    Effect,
    Join,
    Leave,
    Match,
    Move,
    Rules,
    SettingKind,
    Status,
    Transition,
    apply,
    card_code,
    legal,
    new_match,
)
from engine.cards import CARDS

EFFECT_KEYS = (*RANKS, *(card_code(card) for card in CARDS))


def _values(name: str) -> st.SearchStrategy[object]:
    setting = SETTINGS[name]
    match setting.kind:
        case SettingKind.CHOICE:
            return st.sampled_from(setting.values)
        case SettingKind.NUMBER:
            return st.integers(setting.lowest, setting.lowest + 70)
        case SettingKind.RANKS:
            return st.lists(st.sampled_from(RANKS), max_size=6)
        case SettingKind.EFFECTS:
            effects = st.sampled_from([str(effect) for effect in Effect])
            return st.dictionaries(st.sampled_from(EFFECT_KEYS), effects, max_size=10)


rules: st.SearchStrategy[Rules] = st.fixed_dictionaries({name: _values(name) for name in SETTINGS}).map(
    Rules.from_document
)
"""Any rules at all: every setting free, any effect for any rank or card."""

seeds = st.binary(min_size=32, max_size=32)


@st.composite
def matches_before_a_deal(draw: st.DrawFn) -> Match:
    """A match under any rules, from two players to as many as may sit down."""
    chosen = draw(rules)
    players = draw(st.integers(2, chosen.max_seats))
    leader = draw(st.none() | st.integers(0, players - 1))
    return new_match(chosen, [f"p{number}" for number in range(1, players + 1)], leader)


def random_play(
    match: Match, chance: Random, coming_and_going: float = 0.01
) -> Iterator[tuple[Move, Transition]]:
    """Play at random to the match's end: each move, and what it led to."""
    newcomers = 0
    while match.winner is None:
        move: Move
        if chance.random() < coming_and_going and len(match.seats_in()) > 2:
            move = Leave(chance.choice(match.seats_in()))
        elif match.round is not None:
            move = chance.choice(legal(match, match.round.turn.seat))
        elif chance.random() < coming_and_going * 20 and len(match.seats_in()) < match.rules.max_seats:
            left = [seat.id for seat in match.seats if seat.status is Status.LEFT]
            newcomers += 1
            move = Join(chance.choice([*left, f"n{newcomers}"]))
        else:
            move = Deal(chance.randbytes(32))
        transition = apply(match, move)
        match = transition.match
        yield move, transition
