"""Declarations of buttons: each is unique, keeps its code, and has one handler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_type_hints

import pytest

from bot.buttons import BUTTONS, CallbackData, Lay, decode, encode
from bot.buttons.declare import button
from bot.handlers import features  # noqa: F401 - it imports every handler
from bot.handlers.answer import HANDLERS, Answer, on
from bot.handlers.play import lay
from tests.bot.buttons.known import KNOWN


@pytest.mark.parametrize(("data", "asked"), KNOWN.items())
def test_buttons_that_are_in_chats_keep_their_meaning(data: str, asked: CallbackData) -> None:
    assert decode(data) == asked
    assert encode(asked) == data


def test_every_code_has_an_example() -> None:
    assert {data.split(".")[0] for data in KNOWN} == set(BUTTONS)


def test_every_button_has_one_handler_and_no_handler_is_left_over() -> None:
    assert set(HANDLERS) == set(BUTTONS.values())


@pytest.mark.parametrize("kind", BUTTONS.values())
def test_a_handler_takes_the_button_that_it_is_bound_to(kind: type[CallbackData]) -> None:
    hints = get_type_hints(HANDLERS[kind])
    assert hints.pop("return") is Answer
    assert issubclass(kind, list(hints.values())[-1])


def test_a_code_is_given_once() -> None:
    @dataclass(frozen=True, slots=True)
    class Another(CallbackData):
        """Has the code of `Lay`."""

    with pytest.raises(ValueError, match="Another and Lay have the same code"):
        button("l")(Another)
    with pytest.raises(ValueError, match="not a code"):
        button("l.2")(Another)
    assert Another not in BUTTONS.values()


def test_a_button_has_no_second_handler() -> None:
    with pytest.raises(ValueError, match="Lay has a handler already"):
        on(Lay)(lay)
