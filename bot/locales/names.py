"""Sanitizes names of people and groups so that they can be embedded in a line of the bot's text.

Telegram lets a name contain line breaks, bidirectional controls, invisible characters, stacked combining
marks and other people's @usernames. A sanitized name fits on one line, is bounded in length, does not affect
the direction of the surrounding text and does not become a link. It is plain text; `Translator` escapes it.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import regex

MAX_GRAPHEMES: Final = 16
MAX_UNITS: Final = 48
"""In UTF-16 units, as Telegram counts: one grapheme can be a family emoji of seven code points."""
MARKS: Final = "🤖👑💤📵🏆🚪▶✖❗"
"""Shown beside names: computer, host, away, unreachable, winner, left, to move, out, last card."""

SMALL_DIGITS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""Superscript digits 0–9. One or two of them follow a name that another player has as well: «Аня²»."""

_MOST_DIGITS: Final = 2
_MARKS_IN_A_ROW: Final = 2
_ELLIPSIS: Final = "…"
_FSI, _PDI, _WORD_JOINER = "\u2068", "\u2069", "\u2060"

_GRAPHEME: Final = regex.compile(r"\X")
_SPACE: Final = regex.compile(r"[\s\p{Zs}\p{Zl}\p{Zp}\u2800]+")
_EMOJI: Final = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3")
# Default_Ignorable_Code_Point covers zero-width characters, bidirectional controls, fillers and tags.
_UNSEEN: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]")
_MARK: Final = regex.compile(r"\p{M}")
_NOT_OF_EMOJI: Final = regex.compile(r"(?V1)[\p{M}--[\ufe0f\u20e3]]|\u200d$")
_EXTRA_MARKS: Final = regex.compile(rf"(\p{{M}}{{{_MARKS_IN_A_ROW}}})\p{{M}}+")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
# The start of what a client would turn into a mention, hashtag, command, cashtag or address.
_LINK_START: Final = regex.compile(r"(?<=[@#/$.:])(?=[\p{L}\p{N}_])")


@lru_cache(maxsize=4096)  # the same few names are shown over and over
def tidy_name(raw: str, max_graphemes: int = MAX_GRAPHEMES) -> str:
    """Sanitize `raw` and cut it to that many graphemes (UAX #29), with an ellipsis as the last one.

    The result is empty if nothing visible is left. A name with right-to-left letters is wrapped in a
    bidirectional isolate (FSI … PDI), so that the surrounding line keeps its order.
    """
    text = _SPACE.sub(" ", unicodedata.normalize("NFC", raw))
    graphemes = [tidied for match in _GRAPHEME.finditer(text) if (tidied := _tidy_grapheme(match.group()))]
    words = " ".join("".join(graphemes).split())
    short = _cut(_GRAPHEME.findall(words), max_graphemes)
    safe = _LINK_START.sub(_WORD_JOINER, short)
    return (
        f"{_FSI}{safe}{_PDI}" if any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in safe) else safe
    )


def unmarked(raw: str) -> str:
    """Return a person's name without the symbols in `MARKS`, which would be mistaken for the bot's."""
    return "".join(it for it in _GRAPHEME.findall(raw) if not set(it).intersection(MARKS))


def split_number(label: str) -> tuple[str, str]:
    """Split a label into the name and its superscript number (`SMALL_DIGITS`), which may be empty."""
    begin = max(len(label.rstrip(SMALL_DIGITS)), len(label) - _MOST_DIGITS)
    return label[:begin], label[begin:]


def _tidy_grapheme(grapheme: str) -> str:
    """Remove invisible characters and extra combining marks; an emoji keeps its joiners and selectors."""
    if _EMOJI.match(grapheme):
        return _NOT_OF_EMOJI.sub("", grapheme)
    seen = _UNSEEN.sub("", grapheme)
    if _MARK.match(seen):  # a mark without a base letter would attach to the text before the name
        return ""
    return _EXTRA_MARKS.sub(r"\1", seen)


def _cut(graphemes: list[str], max_graphemes: int) -> str:
    max_units = MAX_UNITS * max_graphemes // MAX_GRAPHEMES
    whole = "".join(graphemes)
    if len(graphemes) <= max_graphemes and units(whole) <= max_units:
        return whole
    kept = ""
    for grapheme in graphemes[: max_graphemes - 1]:
        if units(kept + grapheme) > max_units - 1:
            break
        kept += grapheme
    return kept.rstrip() + _ELLIPSIS


def units(text: str) -> int:
    """Return the length of a text as Telegram counts it: in UTF-16 code units."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
