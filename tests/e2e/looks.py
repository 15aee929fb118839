"""Compares messages in the sandbox with the screens they should show.

A message is compared by its text, the moments in it, and its buttons in their rows. What a table's messages
should be comes from `committed`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bot.messages.desired import DesiredMessage
from bot.screens.screen import Screen
from sandbox.text.html import parse_html
from tests.e2e.committed import Committed
from tests.e2e.telegram import Json, Message

RESULT_SIGN = "🏁"

Place: TypeAlias = tuple[int, int]
"""The place of a message: its chat and its id."""


@dataclass(frozen=True, slots=True)
class Look:
    """What can be seen of a message: its text, the times in it (unix seconds), its buttons.

    The contents of its picture, if it `has_picture`, are only in the bot's record.
    """

    text: str
    moments: tuple[int, ...]
    rows: tuple[tuple[tuple[str | None, ...], ...], ...]
    has_picture: bool

    @classmethod
    def of_screen(cls, screen: Screen) -> Look:
        """The look of a screen."""
        text, entities = parse_html(screen.text)
        rows = tuple(
            tuple((it.text, it.data, it.url, it.copy, it.style.value or None) for it in row)
            for row in screen.rows
        )
        return cls(text, _moments(entities), rows, screen.picture is not None)

    @classmethod
    def of_message(cls, message: Message) -> Look:
        """The look of a message."""
        rows = tuple(
            tuple((it.text, it.data, it.url, it.copy, it.style) for it in row) for row in message.rows
        )
        return cls(
            message.text,
            _moments(message.raw["entities"] + message.raw["caption_entities"]),
            rows,
            message.raw["photo"] is not None,
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is wrong with a table's messages: missing ones and surplus ones."""

    missing: list[str]
    surplus: list[Message]


class Onlooker(Protocol):
    """Anything that can say what a chat shows."""

    def newest(self, chat: int) -> Iterator[Message]:
        """Return the bot's messages in a chat, the newest first."""


def compare(telegram: Onlooker, state: Committed, known: Collection[Place] = ()) -> Comparison:
    """Compare the table's messages as people see them now with the committed state.

    The places come from the bot's record, so a wrong record is found too. `known` are messages of the bot
    that are not the table's. Results of earlier rounds stay in the group; only a second one of the same round
    is surplus.
    """
    chats = {wanted.chat_id for wanted in state.wanted.values()} | {state.table.chat_id}
    seen = {place_of(it): it for chat in chats for it in telegram.newest(chat) if place_of(it) not in known}
    missing: list[str] = []
    results: set[int] = set()
    for key, wanted in state.wanted.items():
        record = state.shown.get(key)
        if record is None and not wanted.is_needed:
            continue
        message = None if record is None else seen.pop((record.chat_id, record.message_id), None)
        look = Look.of_screen(wanted.screen)
        picture = "" if wanted.screen.picture is None else wanted.screen.picture.digest
        if record is None or message is None or Look.of_message(message) != look or record.picture != picture:
            missing.append(_description(key, wanted, look, telegram))
        elif (number := _round_of_result(message)) is not None:
            results.add(number)
    return Comparison(missing, list(_surplus(seen.values(), state, results)))


def place_of(message: Message) -> Place:
    """Return the place of a message."""
    return message.chat, message.message_id


def _surplus(left: Iterable[Message], state: Committed, results: set[int]) -> Iterator[Message]:
    """Return the messages left over, except one result of each round that has not been seen yet."""
    for message in left:
        number = _round_of_result(message)
        if message.chat == state.table.chat_id and number is not None and number not in results:
            results.add(number)
        else:
            yield message


def _round_of_result(message: Message) -> int | None:
    number = re.search(r"\d+", message.text) if message.text.startswith(RESULT_SIGN) else None
    return int(number.group()) if number else None


def _description(key: str, wanted: DesiredMessage, look: Look, telegram: Onlooker) -> str:
    there = "\n\n".join(
        f"{it.message_id}: {it.text}\n{it.button_texts}" for it in telegram.newest(wanted.chat_id)
    )
    return f"{key} in chat {wanted.chat_id} should show\n{look.text}\n{look.rows}\nbut there is\n{there}"


def _moments(entities: list[Json]) -> tuple[int, ...]:
    return tuple(entity["unix_time"] for entity in entities if entity["type"] == "date_time")
