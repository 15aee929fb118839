"""The tutorial: a few fixed positions in which a newcomer, alone with the bot, plays a lesson's cards.

The engine judges the moves, under the classic rules. Nothing is stored: a position follows from the step's
number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bot.tables.refusals import Refusal, Refused
from engine import Card, Illegal, Match, Play, View, apply, load_position, parse_card, view_for

_YOU: Final = 0


class TutorialStep(IntEnum):
    """The lessons in order; the numbers go into button data."""

    MATCH = 0
    """A card of the top card's suit or rank."""
    QUEEN = 1
    """Nothing fits but a queen, and she orders a suit."""
    EIGHT = 2
    COVER = 3
    """The eight just played is covered, with the last card."""


@dataclass(frozen=True, slots=True)
class _Position:
    """The hand and the top card of a step; `asked` are the cards that lead on."""

    hand: str
    top: str
    asked: str


_POSITIONS: Final = {
    TutorialStep.MATCH: _Position(hand="JH 9C KD", top="9H", asked="JH 9C"),
    TutorialStep.QUEEN: _Position(hand="KH QD 6S", top="10C", asked="QD"),
    TutorialStep.EIGHT: _Position(hand="8S JS", top="10S", asked="8S"),
    TutorialStep.COVER: _Position(hand="8S JS", top="10S", asked="JS"),
}


def tutorial_view(step: TutorialStep) -> View:
    """Return the newcomer's view at a step."""
    return view_for(_match_at(step), _YOU)


def try_card(step: TutorialStep, card: Card, suit: int | None) -> TutorialStep | None:
    """Play a card at a step: return the next step, or None when the hand is finished.

    Raises Refusal: the engine's reasons, and keep_it for a card that fits but is not the requested one.
    """
    match = _match_at(step)
    try:
        apply(match, Play(_YOU, card, suit))
    except Illegal as illegal:
        raise Refusal(illegal.reason) from illegal
    if card not in _cards(_POSITIONS[step].asked):
        raise Refusal(Refused.KEEP_IT)
    return TutorialStep(step + 1) if step < max(TutorialStep) else None


def _match_at(step: TutorialStep) -> Match:
    """Return the match at a step: the newcomer to move against one opponent."""
    position = _POSITIONS[step]
    match = load_position(
        {
            "players": ["p1", "p2"],
            "round": {
                "turn": "p1",
                "hands": {"p1": position.hand.split(), "p2": ["7D", "10D"]},
                "stock": ["9S", "KC"],
                "discard": [position.top],
            },
        }
    )
    if step is TutorialStep.COVER:
        return apply(match, Play(_YOU, parse_card("8S"), None)).match
    return match


def _cards(codes: str) -> frozenset[Card]:
    return frozenset(map(parse_card, codes.split()))
