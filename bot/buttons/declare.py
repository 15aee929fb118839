"""How a button is declared: a dataclass of what it asks for, its code, and where it may be pressed.

    @button("l", Where.TABLE_MESSAGE)
    @dataclass(frozen=True, slots=True)
    class Lay(CallbackData):
        table: str
        ...

The codec, the checks of `bot.handlers.dispatch` and the list of all buttons are derived from this. What a
press of it does is the handler that `bot.handlers.answer.on` binds to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Flag, auto
from typing import ClassVar, TypeVar


class Where(Flag):
    """Which messages a button stands on, and from which chats it may be pressed.

    The default, `ANYWHERE`, restricts neither. Who may press it is the handler's to decide.
    """

    ANYWHERE = 0

    TABLE_MESSAGE = auto()
    """Stands on the messages that the reconciler keeps for a table; another message with it is an orphan."""
    QUESTION = auto()
    """Answers a question, which is removed once there is nothing to answer any more."""
    TABLE_MENU = auto()
    """Stands on a menu or a call that belongs to a table, and is removed once the table is over."""

    TABLE_CHAT = auto()
    """May be pressed in the table's own chat only, which only its members can press in."""
    TABLE_CHAT_OR_PLAYER = auto()
    """May be pressed in the table's own chat, and elsewhere by the people at the table."""


@dataclass(frozen=True, slots=True)
class CallbackData:
    """What the press of a button asks for; each kind of button is a subclass, declared with `button`."""

    code: ClassVar[str]
    where: ClassVar[Where]

    @property
    def table_id(self) -> str:
        """The table that this is about; empty where it is about none."""
        table_id: str = getattr(self, "table", "")
        return table_id


ButtonKind = TypeVar("ButtonKind", bound=CallbackData)

BUTTONS: dict[str, type[CallbackData]] = {}
"""Every kind of button by its code."""


def button(
    code: str | Iterable[str], where: Where = Where.ANYWHERE
) -> Callable[[type[ButtonKind]], type[ButtonKind]]:
    """Declare a kind of button. Chats keep old buttons, so a code is never given to another kind.

    Of several codes, each says by itself what one of the fields is; the codec knows which.

    Raises ValueError for a code that is taken, or that could not be told from the fields after it.
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
