"""Button data: every button survives a round trip in at most 64 bytes, and other data decodes to None."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.buttons import BUTTONS, MAX_BYTES, CallbackData, Choose, Lay, decode, encode
from bot.settings import CHOICES
from engine import Stamp
from tests.bot.buttons.known import KNOWN

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


def longest(kind: type[CallbackData]) -> CallbackData:
    if kind is Choose:
        return Choose("pace", 10**15)
    hints = get_type_hints(kind)
    values = {
        field.name: LONGEST[field.name if field.name in LONGEST else hints[field.name]]
        for field in fields(kind)
    }
    return kind(**values)


@pytest.mark.parametrize("kind", dict.fromkeys(BUTTONS.values()))
def test_the_longest_button_of_each_kind_fits_and_comes_back(kind: type[CallbackData]) -> None:
    data = encode(longest(kind))
    assert len(data.encode()) <= MAX_BYTES
    assert decode(data) == longest(kind)


def test_a_button_of_each_value_of_each_setting_comes_back() -> None:
    every = [Choose(choice.name, value) for choice in CHOICES.values() for value in choice.values]
    data = [encode(asked) for asked in every]
    assert [decode(it) for it in data] == every
    assert len(set(data)) == len(data)


def test_what_would_not_come_back_is_not_encoded() -> None:
    with pytest.raises(ValueError, match="not encodable"):
        encode(Lay("with.dots", Stamp(1, 0), 0, None))
    with pytest.raises(ValueError, match="not encodable"):
        encode(Choose("look", "oil"))


@given(
    st.sampled_from(sorted(KNOWN)),
    st.integers(0, MAX_BYTES),
    st.integers(0, 2),
    st.text("aZ09.-_ ♠٣", max_size=2),
)
def test_changed_data_decodes_to_nothing_or_to_a_button_with_that_data(
    data: str, at: int, removed: int, inserted: str
) -> None:
    """Many of these still decode, and each to what only this data stands for."""
    at = at % (len(data) + 1)
    changed = data[:at] + inserted + data[at + removed :]
    asked = decode(changed)
    assert asked is None or encode(asked) == changed


@pytest.mark.parametrize(
    "data",
    [
        "",
        "nosuch",
        "nosuch.5f0c2a9be1",
        "p.5f0c2a9be1",  # a field is missing
        "s.5f0c2a9be1.1",  # one too many
        "s.5f0c2a9be1.",
        "s.5f0c 2a9be1",
        "p.5f0c2a9be1.3-014",
        "p.5f0c2a9be1.3",
        "q.5f0c2a9be1.3-14.1S",  # no such card
        "l.5f0c2a9be1.3-14.10S.X",  # no such suit
        "vt.-1",
        "vt.02",
        "vt.٣",
        "sc.2",
        "sc.True",
        "sc",
        "sc.1.1",
        "sk.",
        "sk.060",
        "sl.oil",
        "s." + "x" * MAX_BYTES,
    ],
)
def test_data_that_no_button_has_stands_for_nothing(data: str) -> None:
    assert decode(data) is None
