"""Button data: every intention comes back as it was, in 64 bytes; what no button has means nothing."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.buttons import MAX_BYTES, Intention, Lay, decode, encode
from engine import Stamp

KINDS: tuple[type[Any], ...] = get_args(Intention)
TABLE = "0123456789"
LONGEST: dict[Any, Any] = {
    "table": TABLE,
    "card": 8,
    "suit": 3,
    "level": "normal",
    "preset": "take_and_pass",
    str: "double_on_queen_finish",
    int: 2**52,
    bool: True,
    Stamp: Stamp(999_999, 999_999),
}
"""The longest value of each field that a button may have, by the field's name or else by its type."""


def longest(kind: type[Any]) -> Intention:
    hints = get_type_hints(kind)
    values = {
        field.name: LONGEST[field.name if field.name in LONGEST else hints[field.name]]
        for field in fields(kind)
    }
    intention: Intention = kind(**values)
    return intention


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_button_of_each_kind_fits_and_comes_back(kind: type[Any]) -> None:
    data = encode(longest(kind))
    assert len(data.encode()) <= MAX_BYTES
    assert decode(data) == longest(kind)


def test_every_kind_has_data_of_its_own() -> None:
    codes = {encode(longest(kind)).split(".")[0] for kind in KINDS}
    assert len(codes) == len(KINDS)


def test_what_would_not_come_back_is_not_encoded() -> None:
    with pytest.raises(ValueError, match="not encodable"):
        encode(Lay("with.dots", Stamp(1, 0), 0, None))


@given(st.text(max_size=80))
def test_data_that_no_button_has_means_nothing(data: str) -> None:
    intention = decode(data)
    assert intention is None or encode(intention) == data
