"""Lengths and slices of a text in UTF-16, and the characters that Telegram removes."""

import re

from sandbox.model import Json


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def from_utf16(text: str, offset: int, length: int) -> str:
    """Return the part of a text that an entity covers."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


def splits_a_character(text: str, offset: int) -> bool:
    """Return whether an offset in UTF-16 is inside a surrogate pair."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return bool(encoded[offset * 2 : offset * 2 + 2]) and 0xDC <= encoded[offset * 2 + 1] <= 0xDF


# Telegram removes control characters except the line feed from any text, replacing some by a space, and marks
# that change the writing direction (td/telegram/misc.cpp, clean_input_string).
_TO_SPACE = dict.fromkeys([*range(9), 9, 11, 12, *range(14, 32)], " ")
_DROPPED = dict.fromkeys([13, *range(0x202A, 0x202F)])
_CLEANED = str.maketrans({**_TO_SPACE, **_DROPPED})


NUMBER = re.compile(r"[0-9]{1,19}")
"""A number written in a text: an id or a time."""


def clean(text: str) -> str:
    """Remove the characters that Telegram never stores."""
    return text.translate(_CLEANED)


_PLAIN = frozenset({"code", "pre", "date_time"})
_QUOTES = frozenset({"blockquote", "expandable_blockquote"})


def without_swallowed(entities: list[Json]) -> list[Json]:
    """Remove entities inside code and times, and quotations inside quotations (Bot API, «Formatting
    options»).
    """
    kept: list[Json] = []
    around: list[Json] = []
    for entity in sorted(entities, key=lambda it: (it["offset"], -it["length"], it["type"] not in _PLAIN)):
        around = [outer for outer in around if outer["offset"] + outer["length"] > entity["offset"]]
        if any(_swallows(outer, entity) for outer in around):
            continue
        kept.append(entity)
        if entity["type"] in _PLAIN | _QUOTES:
            around.append(entity)
    return kept


def _swallows(outer: Json, inner: Json) -> bool:
    is_inside = inner["offset"] + inner["length"] <= outer["offset"] + outer["length"]
    both_quote = outer["type"] in _QUOTES and inner["type"] in _QUOTES
    return is_inside and (outer["type"] in _PLAIN or both_quote)


def trimmed(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Remove surrounding whitespace, and move and cut the entities accordingly."""
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip()) if end else 0
    first, last = utf16_length(text[:start]), utf16_length(text[:end])
    kept: list[Json] = []
    for entity in entities:
        begin = max(entity["offset"], first)
        finish = min(entity["offset"] + entity["length"], last)
        if begin < finish:
            kept.append({**entity, "offset": begin - first, "length": finish - begin})
    return text[start:end], kept
