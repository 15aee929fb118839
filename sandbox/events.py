"""What has just changed in the world, for whoever watches it: the page's WebSocket and the store on disk."""

from dataclasses import dataclass
from typing import Any

from sandbox.model import Message


@dataclass(frozen=True, slots=True)
class Posted:
    """A message is new in its chat."""

    message: Message


@dataclass(frozen=True, slots=True)
class Edited:
    """A message shows something else than before."""

    message: Message


@dataclass(frozen=True, slots=True)
class Deleted:
    """Messages are gone from a chat."""

    chat: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rang:
    """A person's phone rang for a message."""

    user: int
    chat: int
    message_id: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class PressAnswered:
    """The bot answered a press: a toast, an alert, a link to open, or nothing at all.

    ``page`` is the page that pressed, if it has said so.
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
    """Users, chats, memberships, topics, pins, blocks, commands or the bot's state are other than before."""


@dataclass(frozen=True, slots=True)
class Called:
    """The bot called a method; ``call`` is the line of the call log."""

    call: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WasReset:
    """The world is empty again."""


Event = Posted | Edited | Deleted | Rang | PressAnswered | PeopleChanged | Called | WasReset
