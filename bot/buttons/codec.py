"""Converts between a button's dataclass and its `callback_data`.

The format is the button's code and its fields, joined by dots: `l.k3f9x2mq.3-14.QS.H`. Cards and suits are
written as their codes, never as an index into the hand, so an old button still means the same card.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_type_hints

from bot.buttons.declare import BUTTONS, CallbackData
from bot.buttons.menus import Choose
from bot.settings import CHOICES
from engine import Stamp, card_code, parse_card, parse_suit, suit_code

MAX_BYTES = 64
"""Telegram's limit on `callback_data` (https://core.telegram.org/bots/api#inlinekeyboardbutton)."""

_CHOICES = {choice.code: choice for choice in CHOICES.values()}
"""The settings by the codes of their `Choose` buttons."""

_WORD = re.compile(r"[A-Za-z0-9_]{0,32}")
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


def _parse_flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


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
    bool: _Field(lambda flag: "1" if flag else "0", _parse_flag),
    Stamp: _Field(lambda stamp: f"{stamp.round}-{stamp.move}", _parse_stamp),
}


@cache
def _layout(code: str) -> tuple[tuple[str, _Field], ...]:
    """Return the name and the format of each field of the button with this code."""
    kind = BUTTONS[code]
    hints = get_type_hints(kind)
    by_name = {"card": _CARD, "suit": _SUIT}
    return tuple(
        (field.name, by_name.get(field.name) or _FIELDS_BY_TYPE[hints[field.name]]) for field in fields(kind)
    )


def encode(asked: CallbackData) -> str:
    """Return the `callback_data` of a button.

    Raises ValueError if it would not decode to an equal button, or is longer than Telegram allows.
    """
    if isinstance(asked, Choose):
        choice = CHOICES[asked.setting]
        data = f"{choice.code}.{choice.value_code(asked.value)}"
    else:
        parts = [field.dump(getattr(asked, name)) for name, field in _layout(asked.code)]
        data = ".".join([asked.code, *parts])
    if len(data.encode()) > MAX_BYTES or decode(data) != asked:
        raise ValueError(f"not encodable as callback data: {asked!r}")
    return data


def decode(data: str) -> CallbackData | None:
    """Return the button with this `callback_data`; None if `encode` would not have produced it."""
    code, *parts = data.split(".")
    kind = BUTTONS.get(code)
    if kind is None or len(data.encode(errors="replace")) > MAX_BYTES:
        return None
    try:
        if code in _CHOICES:
            (value,) = parts
            return Choose(_CHOICES[code].name, _CHOICES[code].parse(value))
        layout = _layout(code)
        values = {name: field.parse(part) for (name, field), part in zip(layout, parts, strict=True)}
    except ValueError:
        return None
    return kind(**values)
