"""Distinguishes people of one name: the later one gets a small number, «Аня²», which stays for the match."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from bot.locales.names import SMALL_DIGITS, split_number, tidy_name

# Cyrillic letters that look like Latin ones: «Аня» may be written with either А.
_LOOKALIKES: Final = str.maketrans("асеорхуіѕјвнкмт", "aceopxyisjbhkmt")


def distinct_names(name: str, others: Iterable[str]) -> str:
    """Return the name, with the first free small number if one of the others reads alike.

    >>> distinct_names("Аня", ["Борис", "АНЯ"])
    'Аня²'
    """
    taken = {_as_read(other) for other in others}
    label, number = name, 1
    while _as_read(label) in taken:
        number += 1
        label = name + "".join(SMALL_DIGITS[int(digit)] for digit in str(number))
    return label


def _as_read(label: str) -> str:
    """Return the name as readers perceive it: two names with the same result can't be told apart."""
    name, number = split_number(label)
    seen = unicodedata.normalize("NFKC", tidy_name(name)).casefold().translate(_LOOKALIKES)
    return seen + number
