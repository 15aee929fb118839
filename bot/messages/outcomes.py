"""The outcomes of calls for a table's messages that concern the rest of the bot.

The reconciler reports these and awaits its listener. `bot.handlers.delivery_listener` decides what a table or
a person's record does about them, never this package.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.storage.shown import Shown


@dataclass(frozen=True, slots=True)
class MessageShown:
    """A group has been shown a table's message, by a new one or by an edit."""

    shown: Shown
    is_new: bool


@dataclass(frozen=True, slots=True)
class MoverDelayed:
    """The hand of the player to move came so many seconds late, or will."""

    table_id: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ChatMoved:
    """A group has become a supergroup, which has another id."""

    chat_id: int
    new_chat_id: int


@dataclass(frozen=True, slots=True)
class PersonUnreachable:
    """A person has not started the bot, or has blocked it."""

    user_id: int


@dataclass(frozen=True, slots=True)
class BotRemoved:
    """The bot is not in this group any more."""

    chat_id: int


@dataclass(frozen=True, slots=True)
class PicturesRefused:
    """A group does not take the picture of this table."""

    chat_id: int
    table_id: str


@dataclass(frozen=True, slots=True)
class WriteForbidden:
    """The table's group does not let the bot write."""

    table_id: str


@dataclass(frozen=True, slots=True)
class TopicDeleted:
    """The table's topic has been deleted."""

    table_id: str


StateOutcome: TypeAlias = MoverDelayed | ChatMoved | PersonUnreachable | BotRemoved | PicturesRefused
"""What changes a table, or what is stored of a person or a chat."""
CallOutcome: TypeAlias = MessageShown | WriteForbidden | TopicDeleted | StateOutcome
OutcomeListener: TypeAlias = Callable[[CallOutcome], Awaitable[None]]
