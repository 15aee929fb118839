"""What a press is, what it is answered with, and which handler answers which button."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.buttons import CallbackData
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button: by whom, and on which message (0 where Telegram does not say).

    `is_on_it`: that message has the button. It need not: a client can send any data for any message, so only
    where it has may a press do something to the message itself. `is_on_picture`: it is a picture.
    """

    visitor: Visitor
    message_id: int
    is_on_it: bool
    is_on_picture: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a press: nothing, a toast, an alert or a link; and what is done after it was given."""

    text: str = ""
    alert: bool = False
    url: str | None = None
    then: Callable[[], Awaitable[None]] | None = None


Asked = TypeVar("Asked", bound=CallbackData)

HANDLERS: dict[type[CallbackData], Callable[[Services, Press, Any], Awaitable[Answer]]] = {}
"""The handler of each kind of button, bound by `on`."""


def on(
    kind: type[Asked],
) -> Callable[
    [Callable[[Services, Press, Asked], Awaitable[Answer]]],
    Callable[[Services, Press, Asked], Awaitable[Answer]],
]:
    """Make the decorated function the handler of this kind of button. Raises ValueError if it has one."""

    def bind(
        handler: Callable[[Services, Press, Asked], Awaitable[Answer]],
    ) -> Callable[[Services, Press, Asked], Awaitable[Answer]]:
        if kind in HANDLERS:
            raise ValueError(f"{kind.__name__} has a handler already: {HANDLERS[kind]}")
        HANDLERS[kind] = handler
        return handler

    return bind
