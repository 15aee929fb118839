"""Declares buttons: a dataclass with the button's fields, its code, and where it may be pressed.

    @button("l", Where.TABLE_MESSAGE)
    @dataclass(frozen=True, slots=True)
    class Lay(CallbackData):
        table: str
        ...

The codec, the checks in `bot.handlers.dispatch` and the list of all buttons are derived from the
declarations. `bot.handlers.answer.on` binds a handler to a button.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Flag, auto
from typing import ClassVar, TypeVar


class Where(Flag):
    """The messages a button is attached to, and the chats it may be pressed from.

    The default, `ANYWHERE`, restricts neither. The handler decides who may press it.
    """

    ANYWHERE = 0

    TABLE_MESSAGE = auto()
    """Attached to a message that the reconciler keeps for a table; any other message with it is an orphan."""
    QUESTION = auto()
    """Attached to a question, which is removed once it is pointless."""
    TABLE_MENU = auto()
    """Attached to a menu or a notification about a table, which is removed once the table is over."""

    TABLE_CHAT = auto()
    """May be pressed only in the table's own chat, and so only by its members."""
    TABLE_CHAT_OR_PLAYER = auto()
    """May be pressed in the table's own chat, and in other chats by the people at the table."""


@dataclass(frozen=True, slots=True)
class CallbackData:
    """The request that pressing a button makes; each kind of button is a subclass declared with `button`."""

    code: ClassVar[str]
    where: ClassVar[Where]

    @property
    def table_id(self) -> str:
        """The id of the table that the button is about; empty if it is about none."""
        table_id: str = getattr(self, "table", "")
        return table_id


ButtonKind = TypeVar("ButtonKind", bound=CallbackData)

BUTTONS: dict[str, type[CallbackData]] = {}
"""Every kind of button by its code."""


def button(
    code: str | Iterable[str], where: Where = Where.ANYWHERE
) -> Callable[[type[ButtonKind]], type[ButtonKind]]:
    """Declare a kind of button. Old messages keep their buttons, so a code is never reused for another kind.

    With several codes, the code itself determines one of the fields; the codec knows which.

    Raises ValueError for a code that is taken or is not made of lowercase letters only.
    """
    codes = (code,) if isinstance(code, str) else tuple(code)

    def declare(kind: type[ButtonKind]) -> type[ButtonKind]:
        for it in codes:
            if not re.fullmatch("[a-z]+", it):
                raise ValueError(f"not a code for a button: {it!r}")
            if it in BUTTONS:
                raise ValueError(f"{kind.__name__} and {BUTTONS[it].__name__} have the same code: {it!r}")
            BUTTONS[it] = kind
        kind.code, kind.where = codes[0], where
        return kind

    return declare
