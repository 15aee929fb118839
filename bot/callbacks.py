"""Button data ↔ intention: what a press means, in at most 64 bytes.

Screens encode, handlers decode; nobody else knows the format. The data comes back from clients, so it can be
forged: `decode` answers None for anything `encode` would not have written, and a decoded intention says only
what somebody *asks* for, never that he may.

The format is `<code>` followed by the intention's fields, joined by dots: `l.k3f9x2mq.3-14.QS.H`. Cards and
suits go by their codes, never by an index, so a button means the same card whatever has happened to the hand
since.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from engine import Card, card_code, parse_card, parse_suit, suit_code

MAX_BYTES = 64
"""Telegram's limit on `callback_data` (https://core.telegram.org/bots/api#inlinekeyboardbutton)."""


@dataclass(frozen=True, slots=True, order=True)
class Stamp:
    """A moment of a match: the round's number and the turn moves made in it so far."""

    round: int
    move: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a place at the table (in a running match: from the next deal on)."""

    table: str


@dataclass(frozen=True, slots=True)
class Stand:
    """Give up one's place in the lobby, or in the waiting list of a running match."""

    table: str


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Deal the first round."""

    table: str


@dataclass(frozen=True, slots=True)
class Peek:
    """Show the presser his own hand in an alert."""

    table: str


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card; `suit` is what a wild orders."""

    table: str
    stamp: Stamp
    card: Card
    suit: int | None


@dataclass(frozen=True, slots=True)
class PickSuit:
    """Ask which suit a wild shall order; nothing is played yet."""

    table: str
    stamp: Stamp
    card: Card


@dataclass(frozen=True, slots=True)
class BackToHand:
    """From the choice of a suit back to the hand."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Take:
    """Draw, or take what an attack owes."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class PassTurn:
    """End the turn without laying a card."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why the other cards may not be laid."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DealNext:
    """Deal the round after `round` without waiting for the clock."""

    table: str
    round: int


@dataclass(frozen=True, slots=True)
class CutDeck:
    """Cut the deck for the round after `round`: its first `at` cards go to the end."""

    table: str
    round: int
    at: int


@dataclass(frozen=True, slots=True)
class AskLeave:
    """Ask for the confirmation that leaving needs."""

    table: str


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Leave the match, confirmed by the one who was asked: anybody may press a button in a group."""

    table: str
    user_id: int


@dataclass(frozen=True, slots=True)
class StopMatch:
    """End the match for everybody, confirmed."""

    table: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Close the question that this person was asked, without doing anything."""

    user_id: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Open a new table with the people of this one."""

    table: str


@dataclass(frozen=True, slots=True)
class ShowScore:
    """Show the score sheet of a table."""

    table: str


@dataclass(frozen=True, slots=True)
class ReadRules:
    """Open a chapter of the rules: the table's own, or the chat's where `table` is empty."""

    chapter: str
    table: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Choose the language of the chat (in a group) or one's own (in private)."""

    language: str


Intention = (
    Sit
    | Stand
    | StartMatch
    | Peek
    | Lay
    | PickSuit
    | BackToHand
    | Take
    | PassTurn
    | Why
    | DealNext
    | CutDeck
    | AskLeave
    | LeaveMatch
    | StopMatch
    | Dismiss
    | Rematch
    | ShowScore
    | ReadRules
    | SetLanguage
)

_CODES: dict[str, type[Intention]] = {
    "s": Sit,
    "u": Stand,
    "d": StartMatch,
    "e": Peek,
    "l": Lay,
    "q": PickSuit,
    "b": BackToHand,
    "t": Take,
    "p": PassTurn,
    "w": Why,
    "n": DealNext,
    "k": CutDeck,
    "a": AskLeave,
    "x": LeaveMatch,
    "z": StopMatch,
    "o": Dismiss,
    "r": Rematch,
    "c": ShowScore,
    "i": ReadRules,
    "g": SetLanguage,
}
_CODE_OF = {kind: code for code, kind in _CODES.items()}

_WORD = re.compile(r"[A-Za-z0-9_]{0,16}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")
_STAMP = re.compile(r"(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,5})")


def _parse_word(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise ValueError(text)
    return text


def _parse_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _parse_stamp(text: str) -> Stamp:
    match = _STAMP.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Stamp(int(match[1]), int(match[2]))


def _parse_optional_suit(text: str) -> int | None:
    return None if text == "" else parse_suit(text)


def _optional_suit_code(suit: int | None) -> str:
    return "" if suit is None else suit_code(suit)


@dataclass(frozen=True, slots=True)
class _Field:
    dump: Callable[[Any], str]
    parse: Callable[[str], Any]


_CARD = _Field(card_code, parse_card)
_SUIT = _Field(_optional_suit_code, _parse_optional_suit)
_FIELDS_BY_TYPE: dict[Any, _Field] = {
    str: _Field(str, _parse_word),
    int: _Field(str, _parse_number),
    Stamp: _Field(lambda stamp: f"{stamp.round}-{stamp.move}", _parse_stamp),
}


def _layout(kind: type[Intention]) -> tuple[tuple[str, _Field], ...]:
    hints = get_type_hints(kind)
    by_name = {"card": _CARD, "suit": _SUIT}
    return tuple(
        (field.name, by_name.get(field.name) or _FIELDS_BY_TYPE[hints[field.name]]) for field in fields(kind)
    )


_LAYOUTS = {kind: _layout(kind) for kind in _CODE_OF}


def encode(intention: Intention) -> str:
    """The `callback_data` for a button.

    Raises ValueError if it would not come back as the same intention, or is longer than Telegram allows.
    """
    kind = type(intention)
    parts = [field.dump(getattr(intention, name)) for name, field in _LAYOUTS[kind]]
    data = ".".join([_CODE_OF[kind], *parts])
    if len(data.encode()) > MAX_BYTES or decode(data) != intention:
        raise ValueError(f"not encodable as callback data: {intention!r}")
    return data


def decode(data: str) -> Intention | None:
    """The intention behind a button's data, or None for data that no button of ours carries."""
    code, *parts = data.split(".")
    kind = _CODES.get(code)
    if kind is None or len(data.encode(errors="replace")) > MAX_BYTES:
        return None
    layout = _LAYOUTS[kind]
    if len(parts) != len(layout):
        return None
    try:
        values = {name: field.parse(part) for (name, field), part in zip(layout, parts, strict=True)}
    except ValueError:
        return None
    return kind(**values)
