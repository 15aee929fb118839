"""Entities that Telegram finds itself: commands, mentions, links, hashtags, e-mail addresses."""

import re
from collections.abc import Iterator

from sandbox.model import Json
from sandbox.text.units import utf16_length

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
    """Return the given entities and those found in the text."""
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
