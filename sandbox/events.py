"""The events of a changing world, for the page's WebSocket and the store on disk."""

from dataclasses import dataclass
from typing import Any

from sandbox.model import Message


@dataclass(frozen=True, slots=True)
class Posted:
    """A new message was added to its chat."""

    message: Message


@dataclass(frozen=True, slots=True)
class Edited:
    """A message's content has changed."""

    message: Message


@dataclass(frozen=True, slots=True)
class Deleted:
    """Messages were removed from a chat."""

    chat: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rang:
    """A person was notified of a message."""

    user: int
    chat: int
    message_id: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class PressAnswered:
    """The bot answered a press: with a toast, an alert, a link to open, or nothing.

    ``page`` is the page that pressed, if it gave its name.
    """

    user: int
    chat: int
    message_id: int
    page: str | None
    text: str | None
    show_alert: bool
    url: str | None


@dataclass(frozen=True, slots=True)
class PeopleChanged:
    """Users, chats, memberships, topics, pins, blocks, commands or the bot's state have changed."""


@dataclass(frozen=True, slots=True)
class Called:
    """The bot called a method; ``call`` is its line in the call log."""

    call: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WasReset:
    """The world was reset."""


Event = Posted | Edited | Deleted | Rang | PressAnswered | PeopleChanged | Called | WasReset
