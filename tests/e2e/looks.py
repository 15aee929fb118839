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
"""Where a message is: its chat and its id."""


@dataclass(frozen=True, slots=True)
class Look:
    """What there is to see of a message: its text, the moments in it (unix seconds), its buttons.

    What is in its picture, if it `has_picture`, only the bot's record tells.
    """

    text: str
    moments: tuple[int, ...]
    rows: tuple[tuple[tuple[str | None, ...], ...], ...]
    has_picture: bool

    @classmethod
    def of_screen(cls, screen: Screen) -> Look:
        """As the bot means it."""
        text, entities = parse_html(screen.text)
        rows = tuple(
            tuple((it.text, it.data, it.url, it.copy, it.style.value or None) for it in row)
            for row in screen.rows
        )
        return cls(text, _moments(entities), rows, screen.picture is not None)

    @classmethod
    def of_message(cls, message: Message) -> Look:
        """As a person sees it."""
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
    """What is wrong with a table's messages: what should be there and is not, and what is too many."""

    missing: list[str]
    surplus: list[Message]


class Onlooker(Protocol):
    """Whoever can say what is to be seen in a chat."""

    def newest(self, chat: int) -> Iterator[Message]:
        """The bot's messages in a chat as they are now, the newest first."""


def compare(telegram: Onlooker, state: Committed, known: Collection[Place] = ()) -> Comparison:
    """The table's messages as people see them now, beside what the committed state says.

    Where each of them is, the bot has on record; a wrong record is therefore found, too. `known` are messages
    of the bot that are not the table's. Results of earlier rounds stay in the group; only a second one of the
    same round is too many.
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
    """Where a message is."""
    return message.chat, message.message_id


def _surplus(left: Iterable[Message], state: Committed, results: set[int]) -> Iterator[Message]:
    """What is left but for one result of each round that has not been seen yet."""
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
