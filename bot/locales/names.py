"""Names people give themselves and their groups, made safe to stand in a line of ours.

A name may hold anything that Telegram lets through: line breaks, marks that turn the direction of the text,
invisible letters, towers of accents, other people's @usernames. What leaves here stands in one line, takes a
bounded space, turns nothing around it, and is a link to nothing. It is plain text: escaping it is
the `Translator`'s job.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import regex

MAX_GRAPHEMES: Final = 16
MAX_UNITS: Final = 48
"""UTF-16 units, in which Telegram counts: one grapheme can be a family of seven code points."""
MARKS: Final = "🤖👑💤📵🏆🚪▶✖❗"
"""What we write beside names: who is a computer, host, away, out of reach, has won, left, moves, is out."""

SMALL_DIGITS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
"""In their order. One or two of them end the name of a player whose name another one bears: «Аня²»."""

_MOST_DIGITS: Final = 2
_MARKS_IN_A_ROW: Final = 2
_ELLIPSIS: Final = "…"
_FSI, _PDI, _WORD_JOINER = "\u2068", "\u2069", "\u2060"

_GRAPHEME: Final = regex.compile(r"\X")
_SPACE: Final = regex.compile(r"[\s\p{Zs}\p{Zl}\p{Zp}\u2800]+")
_EMOJI: Final = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3")
# Default_Ignorable_Code_Point covers the zero-width, the bidirectional controls, fillers and tags.
_UNSEEN: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]")
_MARK: Final = regex.compile(r"\p{M}")
_NOT_OF_EMOJI: Final = regex.compile(r"(?V1)[\p{M}--[\ufe0f\u20e3]]|\u200d$")
_EXTRA_MARKS: Final = regex.compile(rf"(\p{{M}}{{{_MARKS_IN_A_ROW}}})\p{{M}}+")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
# What a client would make a mention, a hashtag, a command, a price or an address of.
_LINK_START: Final = regex.compile(r"(?<=[@#/$.:])(?=[\p{L}\p{N}_])")


@lru_cache(maxsize=4096)  # the same few names are told over and over
def tidy_name(raw: str, max_graphemes: int = MAX_GRAPHEMES) -> str:
    """`raw` in at most that many graphemes (UAX #29), the last one an ellipsis if it was cut.

    Empty where nothing visible is left. A name with right-to-left letters comes isolated (FSI … PDI), so that
    the line around it keeps its order.
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
    """A person's name without what would be taken for our marks; all else stays as he wrote it."""
    return "".join(it for it in _GRAPHEME.findall(raw) if not set(it).intersection(MARKS))


def split_number(label: str) -> tuple[str, str]:
    """A name, and the small number that tells it apart from another's (`SMALL_DIGITS`); empty without one."""
    begin = max(len(label.rstrip(SMALL_DIGITS)), len(label) - _MOST_DIGITS)
    return label[:begin], label[begin:]


def _tidy_grapheme(grapheme: str) -> str:
    """One grapheme without what is invisible or piles up; an emoji keeps its joiners and selectors."""
    if _EMOJI.match(grapheme):
        return _NOT_OF_EMOJI.sub("", grapheme)
    seen = _UNSEEN.sub("", grapheme)
    if _MARK.match(seen):  # a mark with no letter of its own would sit on ours
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
    """The length of a text as Telegram counts it: in UTF-16 code units."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
