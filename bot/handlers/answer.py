"""What a press is and what it is answered with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

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
    """The answer to a press:

    nothing, a toast, an alert or a link; and what is done after it has been given.
    """

    text: str = ""
    alert: bool = False
    url: str | None = None
    then: Callable[[], Awaitable[None]] | None = None
