"""Text as Telegram counts and reads it: UTF-16 offsets, tidying, and entities that nobody marked.

Entities are the Bot API's objects: ``{"type", "offset", "length", …}``, offsets and lengths in UTF-16 code
units.
"""

import re
from collections.abc import Iterator

from sandbox.model import Json


def utf16_length(text: str) -> int:
    """How many UTF-16 code units a text has."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def from_utf16(text: str, offset: int, length: int) -> str:
    """The part of a text that an entity covers."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    return encoded[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


# What Telegram takes out of any text: controls but for the line feed, which a tab or a carriage return
# turns into a space or nothing; and marks that turn the direction of writing (td/telegram/misc.cpp,
# clean_input_string).
_TO_SPACE = dict.fromkeys([*range(9), 9, 11, 12, *range(14, 32)], " ")
_DROPPED = dict.fromkeys([13, *range(0x202A, 0x202F)])
_CLEANED = str.maketrans({**_TO_SPACE, **_DROPPED})


def clean(text: str) -> str:
    """Without the characters that Telegram never keeps."""
    return text.translate(_CLEANED)


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


_URL = re.compile(
    r"(?<![\w@/])(?:https?://[^\s<>\"]+|(?:[a-z0-9-]+\.)+(?:com|org|net|ru|io|me)\b(?:/[^\s<>\"]*)?)",
    re.IGNORECASE,
)
_FOUND_BY_ITSELF = (
    ("url", _URL),
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("bot_command", re.compile(r"(?<![\w/<>@.])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z][A-Za-z0-9_]{3,31}\b")),
    ("hashtag", re.compile(r"(?<!\w)#\w*[^\W\d_]\w*")),
)
_OPAQUE = frozenset({"code", "pre", "text_link", "text_mention", "custom_emoji", "date_time"})


def with_found_entities(text: str, entities: list[Json]) -> list[Json]:
    """The given entities and those found in the text: commands, mentions, links, hashtags, e-mails."""
    taken = [(e["offset"], e["offset"] + e["length"]) for e in entities if e["type"] in _OPAQUE]
    result = list(entities)
    for kind, start, end in _matches(text):
        offset, length = utf16_length(text[:start]), utf16_length(text[start:end])
        if all(offset + length <= begin or finish <= offset for begin, finish in taken):
            taken.append((offset, offset + length))
            result.append({"type": kind, "offset": offset, "length": length})
    return sorted(result, key=lambda entity: (entity["offset"], -entity["length"]))


def _matches(text: str) -> Iterator[tuple[str, int, int]]:
    for kind, pattern in _FOUND_BY_ITSELF:
        for match in pattern.finditer(text):
            found = match.group().rstrip(".,;:!?)'\"") if kind == "url" else match.group()
            yield kind, match.start(), match.start() + len(found)
