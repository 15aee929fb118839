"""Records everything that a sandbox shows to anybody.

Every version of every message, every answer to a press, every ring and every call of the bot, each with its
time of arrival. Knows nothing of cards and tables: `leaks` and the tests read the record.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tests.e2e.telegram import Json, Message, Telegram, read_message


@dataclass(frozen=True, slots=True)
class Version:
    """What a message showed from `at` (unix seconds) on; `edits` counts its edits until then."""

    at: float
    message: Message
    edits: int

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the version of the message."""
        return self.message.chat, self.message.message_id, self.edits


@dataclass(frozen=True, slots=True)
class Removal:
    """Messages were deleted."""

    at: float
    chat: int
    message_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Toast:
    """A press was answered: by a toast, an alert, a link, or nothing visible."""

    at: float
    user: int
    chat: int
    message_id: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Ring:
    """A person was notified."""

    at: float
    user: int
    chat: int
    message_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the bot that has ended: with a result, or refused for the reason in `error`."""

    at: float
    method: str
    chat: int | None
    error: str | None


Happening: TypeAlias = Version | Removal | Toast | Ring | Call


class RecordedTelegram(Telegram):
    """The people's side of a sandbox, with a record of everything that happened in it, oldest first."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self.record: list[Happening] = []
        self._chats: dict[int, dict[int, Version]] = {}

    def now(self, chat: int) -> list[Version]:
        """Return the messages of a chat according to the record; the oldest first."""
        return list(self._chats.get(chat, {}).values())

    def newest(self, chat: int) -> Iterator[Message]:
        """Return the bot's messages in a chat, the newest first."""
        return (version.message for version in reversed(self.now(chat)) if version.message.from_bot)

    def _on_frame(self, frame: str | bytes | None) -> None:
        if frame is not None:
            self._take_down(json.loads(frame))
        super()._on_frame(frame)

    def _take_down(self, frame: Json) -> None:
        at = time.time()
        match frame["type"]:
            case "message" | "edited":
                self._take_down_message(at, frame["chat"], frame["message"])
            case "deleted":
                for message_id in frame["message_ids"]:
                    self._chats[frame["chat"]].pop(message_id, None)
                self.record.append(Removal(at, frame["chat"], tuple(frame["message_ids"])))
            case "callback_answer":
                place = frame["user"], frame["chat"], frame["message_id"]
                self.record.append(Toast(at, *place, frame["text"]))
            case "notification":
                place = frame["user"], frame["chat"], frame["message_id"]
                self.record.append(Ring(at, *place, frame["text"]))
            case "call":
                call = frame["call"]
                self.record.append(Call(at, call["method"], call["chat_id"], call["description"]))

    def _take_down_message(self, at: float, chat: int, raw: Json) -> None:
        message = read_message(chat, raw)
        messages = self._chats.setdefault(chat, {})
        before = messages.get(message.message_id)
        version = Version(at, message, 0 if before is None else before.edits + 1)
        messages[message.message_id] = version
        self.record.append(version)
