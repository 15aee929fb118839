"""Text in pictures, in the DejaVu fonts that come with matplotlib.

A name can contain anything that Telegram allows. Characters without a glyph (emoji, Chinese) are left out
instead of being drawn as empty boxes, as are invisible ones.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Final

import regex
from PIL import ImageFont, features

from bot.locales.names import split_number

ELLIPSIS: Final = "…"
_NO_GLYPH: Final = "\U000f1234"
"""A private-use code point that the font does not have."""
_GRAPHEME: Final = regex.compile(r"\X")
_UNSEEN: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}]")
_SAYS_SOMETHING: Final = regex.compile(r"[\p{L}\p{N}\p{S}]")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_ISOLATE: Final = regex.compile("[\u2068\u2069]")
"""The characters around a name with right-to-left letters (`tidy_name`)."""
_LEFT_TO_RIGHT_MARK: Final = "\u200e"


@cache
def _folder() -> Path:
    """Find matplotlib's fonts without importing it, as its `get_data_path` would."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("matplotlib, whose fonts are needed, is not installed")
    return Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"


@lru_cache(maxsize=64)
def font(size: int, *, serif: bool = False) -> ImageFont.FreeTypeFont:
    """The bold font at this size in pixels."""
    name = "DejaVuSerif-Bold.ttf" if serif else "DejaVuSans-Bold.ttf"
    return ImageFont.truetype(_folder() / name, size)


@lru_cache(maxsize=4096)
def _can_write(character: str) -> bool:
    """Whether the font has a glyph for this, and for a right-to-left letter also whether fribidi is there."""
    if unicodedata.bidirectional(character) in _RIGHT_TO_LEFT and not features.check("fribidi"):
        return False
    return _glyph(character) != _glyph(_NO_GLYPH)


@lru_cache(maxsize=4096)
def _glyph(character: str) -> tuple[tuple[int, int], bytes]:
    mask = font(24).getmask(character)
    return mask.size, bytes(mask)


@lru_cache(maxsize=1024)
def writable(text: str, instead: str) -> str:
    """Return the part of a text that can be drawn, or `instead` if nothing meaningful is left."""
    return _or_instead(_kept(text), instead)


def writable_line(text: str, instead: str) -> str:
    """Like `writable`, for a line with names, which do not change the direction of the text around them."""
    return _or_instead(_LEFT_TO_RIGHT_MARK.join(map(_kept, _ISOLATE.split(text))), instead)


def _kept(text: str) -> str:
    graphemes = (
        _UNSEEN.sub("", grapheme) for grapheme in _GRAPHEME.findall(unicodedata.normalize("NFC", text))
    )
    return "".join(grapheme for grapheme in graphemes if all(map(_can_write, grapheme)))


def _or_instead(kept: str, instead: str) -> str:
    kept = " ".join(kept.split())
    return kept if _SAYS_SOMETHING.search(kept) else instead


def display_name(name: str, seat: int) -> str:
    """Return the part of a name that can be drawn; if there is none, the seat's number, counted from 1."""
    plain, number = split_number(name)
    drawn = writable(plain, "")
    return drawn + number if drawn else f"№ {seat + 1}"


@lru_cache(maxsize=1024)
def fitted(text: str, width: int, largest: int, smallest: int) -> tuple[str, int]:
    """Fit a text into a width (pixels): return it, cut if the smallest size is too large, and its size."""
    for size in range(largest, smallest - 1, -2):
        if font(size).getlength(text) <= width:
            return text, size
    text, number = split_number(text)
    end = ELLIPSIS + number
    graphemes = _GRAPHEME.findall(text.removesuffix(ELLIPSIS))
    while len(graphemes) > 1 and font(smallest).getlength("".join(graphemes) + end) > width:
        graphemes.pop()
    return "".join(graphemes).rstrip() + end, smallest


def fitted_together(
    names: Sequence[str], rooms: Callable[[int], Sequence[int]], largest: int, smallest: int
) -> tuple[Sequence[str], int]:
    """Fit names in one common size (pixels) and return both; names too long for the smallest are cut.

    `rooms(size)` returns the width available for each name at a size.
    """
    for size in range(largest, smallest - 1, -2):
        if all(width_of(name, size) <= room for name, room in zip(names, rooms(size), strict=True)):
            return names, size
    cut = [fitted(name, room, smallest, smallest) for name, room in zip(names, rooms(smallest), strict=True)]
    return [name for name, _ in cut], smallest


def width_of(text: str, size: int) -> int:
    """The width of a text in pixels, at a size in pixels."""
    return ceil(font(size).getlength(text))


def number(value: int) -> str:
    """Return a number as text with a true minus sign."""
    return str(value).replace("-", "−")
