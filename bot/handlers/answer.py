"""A button's press, the answer to it, and the registry of handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.buttons import CallbackData
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button: by whom, and on which message (0 if Telegram does not say).

    `is_on_it`: the message really has this button. Clients can send any data for any message, so a press may
    change the message itself only if this is true. `is_on_picture`: the message is a picture.
    """

    visitor: Visitor
    message_id: int
    is_on_it: bool
    is_on_picture: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a press: nothing, a toast, an alert or a link; `then` is called after it was sent."""

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
    """Register the decorated function as the handler of this kind of button.

    Raises ValueError if there already is one.
    """

    def bind(
        handler: Callable[[Services, Press, Asked], Awaitable[Answer]],
    ) -> Callable[[Services, Press, Asked], Awaitable[Answer]]:
        if kind in HANDLERS:
            raise ValueError(f"{kind.__name__} has a handler already: {HANDLERS[kind]}")
        HANDLERS[kind] = handler
        return handler

    return bind
