"""Finds cards that were shown to anybody who had no right to see them, and seeds shown too early.

`leaks` looks at every version of every message, every toast and every alert of a record. A reader may
know the cards they have ever held in a round and those played or turned up in it so far; the times come from
the log of moves, whose clock is this process's. The result of a finished round may show the hands it left.
The rule book, which names cards but nobody's, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.buttons import Lay, PickSuit, ReadRules, decode
from engine import RANKS, Card, CardLaid, CardsDrawn, Deal, RoundDealt, RoundEnded, card_code, parse_card
from tests.e2e.committed import Committed, steps
from tests.e2e.looks import RESULT_SIGN
from tests.e2e.recording import Happening, Toast, Version
from tests.e2e.telegram import Message

_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_RANKS = {"В": "J", "Д": "Q", "К": "K", "Т": "A"} | {rank: rank for rank in RANKS}
_RANK = "|".join(sorted(_RANKS, key=len, reverse=True))
_CARD = re.compile(rf"(?<!\w)({_RANK})([♠♥♦♣])")
_GROUP = re.compile(rf"([♠♥♦♣])\ufe0f?((?:[ \u00a0](?:{_RANK})(?![\w♠♥♦♣]))+)")
_ROUND = re.compile(r"(?:Раунд|Round) (\d+)")


def cards_in(text: str) -> set[Card]:
    """Return the cards that one of the bot's texts names, in Russian or English: «Д♠️», «♥️ 6 Т»."""
    codes = [(rank, suit) for rank, suit in _CARD.findall(text)]
    codes += [(rank, suit) for suit, ranks in _GROUP.findall(text) for rank in ranks.split()]
    return {parse_card(_RANKS[rank] + _SUITS[suit]) for rank, suit in codes}


def cards_on(message: Message) -> set[Card]:
    """Return the cards that a message names, in its text, its labels and its button data."""
    cards = cards_in(message.text)
    for button in message.buttons:
        cards |= cards_in(button.text)
        asked = decode(button.data or "")
        if isinstance(asked, Lay | PickSuit):
            cards.add(asked.card)
    return cards


def leaks(record: Iterable[Happening], state: Committed) -> list[str]:
    """Return everything that told its viewer more than allowed; empty if nothing did."""
    knowledge = _Knowledge(state)
    found = []
    for sight in _sights(record, state):
        unknown = sight.cards - knowledge.of(sight)
        if unknown:
            cards = " ".join(card_code(card) for card in sorted(unknown))
            found.append(f"{sight.viewer or 'the group'} was shown {cards} by {sight.text!r}")
        if any(seed in sight.text for seed in knowledge.secret_seeds(sight.at)):
            found.append(f"{sight.text!r} tells a seed")
    return found


@dataclass(frozen=True, slots=True)
class _Sight:
    """Something that was shown.

    `viewer`: None for everybody in the group. `round`: the one it is about, if it says so.
    """

    at: float
    viewer: int | None
    text: str
    cards: set[Card]
    round: int | None
    is_result: bool


def _sights(record: Iterable[Happening], state: Committed) -> Iterator[_Sight]:
    group = state.table.chat_id
    for happening in record:
        match happening:
            case Toast(at=at, user=user, text=str(text)):
                yield _Sight(at, user, text, cards_in(text), None, is_result=False)
            case Version(at=at, message=message) if message.from_bot and not _is_book(message):
                viewer = None if message.chat == group else message.chat
                number = _ROUND.search(message.text)
                is_result = viewer is None and message.text.startswith(RESULT_SIGN)
                yield _Sight(
                    at, viewer, message.text, cards_on(message), int(number[1]) if number else None, is_result
                )


def _is_book(message: Message) -> bool:
    """Return whether this is a page of the rules, all of whose buttons turn pages."""
    return bool(message.buttons) and all(
        isinstance(decode(button.data or ""), ReadRules) for button in message.buttons
    )


@dataclass(frozen=True, slots=True)
class _Sighting:
    """From `at` on a card was known: to a seat, or to all (None)."""

    at: float
    seat: int | None
    card: Card


class _Knowledge:
    """Who could know which cards of which round, and when, according to the log."""

    def __init__(self, state: Committed) -> None:
        self._seats = {player.user_id: seat for seat, player in enumerate(state.table.players)}
        self._dealt_at: dict[int, float] = {}
        self._over_at: dict[int, float] = {}
        self._laid_open: dict[int, set[Card]] = {}
        self._seeds: dict[int, str] = {}
        self._next_seed = state.table.next_seed.hex()
        self._sightings: dict[int, list[_Sighting]] = {}
        for step in steps(state):
            number = step.after.number
            if isinstance(step.move, Deal):
                self._dealt_at[number] = step.at
                assert step.move.seed is not None
                self._seeds[number] = step.move.seed.hex()
            seen = self._sightings.setdefault(number, [])
            if step.after.round is not None:
                for seat, hand in enumerate(step.after.round.piles.hands):
                    seen += [_Sighting(step.at, seat, card) for card in hand]
            for event in step.events:
                match event:
                    case RoundDealt(turned_up=int(card)) | CardLaid(card=card):
                        seen.append(_Sighting(step.at, None, card))
                    case CardsDrawn(seat=seat, cards=tuple(cards)):
                        seen += [_Sighting(step.at, seat, card) for card in cards]
                    case RoundEnded(result=result):
                        self._over_at[number] = step.at
                        self._laid_open[number] = {card for _, hand in result.hands for card in hand}

    def of(self, sight: _Sight) -> set[Card]:
        """Return what the viewer may know at that moment of the round the sight is about."""
        dealt = [number for number, at in self._dealt_at.items() if at <= sight.at]
        number = max(dealt, default=0) if sight.round is None else sight.round
        if number not in dealt:
            return set()
        seat = None if sight.viewer is None else self._seats.get(sight.viewer)
        known = {
            it.card for it in self._sightings.get(number, []) if it.at <= sight.at and it.seat in (None, seat)
        }
        if sight.is_result and number in self._over_by(sight.at):
            known |= self._laid_open[number]
        return known

    def secret_seeds(self, at: float) -> list[str]:
        """Return the seeds that nobody may know yet."""
        over = self._over_by(at)
        return [seed for number, seed in self._seeds.items() if number not in over] + [self._next_seed]

    def _over_by(self, at: float) -> set[int]:
        return {number for number, over_at in self._over_at.items() if over_at <= at}
