"""A text's length and parts in UTF-16, and what Telegram keeps of a text at all."""

import re

from sandbox.model import Json


def utf16_length(text: str) -> int:
    """How many UTF-16 code units a text has."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def from_utf16(text: str, offset: int, length: int) -> str:
    """The part of a text that an entity covers."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


def splits_a_character(text: str, offset: int) -> bool:
    """Whether an offset in UTF-16 lies between the two halves of one character."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return bool(encoded[offset * 2 : offset * 2 + 2]) and 0xDC <= encoded[offset * 2 + 1] <= 0xDF


# What Telegram takes out of any text: controls but for the line feed, which a tab or a carriage return
# turns into a space or nothing; and marks that turn the direction of writing (td/telegram/misc.cpp,
# clean_input_string).
_TO_SPACE = dict.fromkeys([*range(9), 9, 11, 12, *range(14, 32)], " ")
_DROPPED = dict.fromkeys([13, *range(0x202A, 0x202F)])
_CLEANED = str.maketrans({**_TO_SPACE, **_DROPPED})


NUMBER = re.compile(r"[0-9]{1,19}")
"""A number that is written in a text: an id or a moment."""


def clean(text: str) -> str:
    """Without the characters that Telegram never keeps."""
    return text.translate(_CLEANED)


_PLAIN = frozenset({"code", "pre", "date_time"})
_QUOTES = frozenset({"blockquote", "expandable_blockquote"})


def without_swallowed(entities: list[Json]) -> list[Json]:
    """Code and moments hold no other entity, a quotation no quotation (Bot API, «Formatting options»)."""
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
    """Without the blanks around it, entities moved and cut to what is left of them."""
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
