"""A fault of ours is told to whoever waits for an answer, once a minute; without writing anything."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from telegram import Update

from bot.buttons import Sit, encode
from bot.handlers.apologies import AGAIN_SECONDS, Apologies
from bot.screens.answers import fault
from tests.bot.handlers.chats import Chats, sending
from tests.bot.handlers.forged_world import World

GRACE = {"id": 4711, "is_bot": False, "first_name": "Grace", "language_code": "en"}
"""Whom the bot has never met."""
ANYA = {"id": 1, "is_bot": False, "first_name": "Имя 1", "language_code": "ru"}
PRIVATE = {"id": 4711, "type": "private", "first_name": "Grace"}
GROUP = {"id": -1, "type": "supergroup", "title": "Группа"}
BOT = {"id": 99, "is_bot": True, "first_name": "x", "username": "x_bot"}


def message(text: str, chat: dict[str, Any], sender: dict[str, Any] = GRACE, **more: Any) -> dict[str, Any]:
    """What somebody writes; a command where it begins as one."""
    command = {"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}
    entities = [command] if text.startswith("/") else []
    return {
        "message": {
            "message_id": 7,
            "date": 1,
            "from": sender,
            "chat": chat,
            "text": text,
            "entities": entities,
            **more,
        }
    }


def added(chat: dict[str, Any]) -> dict[str, Any]:
    """The bot has been added to a chat."""
    old, new = ({"user": BOT, "status": status} for status in ("left", "member"))
    return {
        "my_chat_member": {
            "chat": chat,
            "from": GRACE,
            "date": 1,
            "old_chat_member": old,
            "new_chat_member": new,
        }
    }


NEW_GROUP = {"id": -4711, "type": "group", "title": "New"}
HEARD = {
    "an invitation": message("/start token", PRIVATE),
    "a command": message("/help", PRIVATE),
    "words": message("hello", PRIVATE),
    "no command of ours": message("/nothing", PRIVATE),
    "a command in a group": message("/game", GROUP),
    "a command in a new group": message("/game", NEW_GROUP),
    "a new group": added(NEW_GROUP),
}


@pytest.fixture
async def chats() -> Chats:
    return Chats()


@pytest.fixture
async def world(tmp_path: Path, chats: Chats) -> AsyncIterator[World]:
    """The world, once its database cannot be written any more."""
    async with sending(tmp_path / "101.sqlite3", chats) as it:
        await it.connection.write(lambda connection: connection.execute_fetchall("PRAGMA query_only = ON"))
        yield it
        await it.connection._writer._connection.execute("PRAGMA query_only = OFF")


async def hear(world: World, *updates: dict[str, Any]) -> None:
    for number, update in enumerate(updates):
        heard = Update.de_json({"update_id": number, **update}, world.services.bot)
        await world.application.process_update(heard)


@pytest.mark.parametrize("update", HEARD.values(), ids=HEARD)
async def test_who_cannot_be_stored_is_told_so_once(
    update: dict[str, Any], world: World, chats: Chats, caplog: pytest.LogCaptureFixture
) -> None:
    await hear(world, update)
    assert list(chats.messages.values()) == [fault(world.services.catalogues["en"])]
    assert [it.levelno for it in caplog.records if it.levelno >= logging.ERROR] == [logging.ERROR]
    await hear(world, update)
    assert len(chats.messages) == 1


async def test_who_writes_as_the_group_is_answered_as_ever(world: World, chats: Chats) -> None:
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    await hear(world, message("/game", GROUP, anonymous, sender_chat=GROUP))
    assert len(chats.messages) == 1
    assert fault(world.services.catalogues["ru"]) not in chats.messages.values()


async def test_an_answer_that_needs_nothing_written_is_given_without_an_apology(
    world: World, chats: Chats, caplog: pytest.LogCaptureFixture
) -> None:
    """That no record of it can be kept is a line in the log, and nobody else's business."""
    await hear(world, message("/help", {"id": 1, "type": "private", "first_name": "Аня"}, ANYA))
    assert len(chats.messages) == 1
    assert fault(world.services.catalogues["ru"]) not in chats.messages.values()
    warned = [it.message.partition(":")[0] for it in caplog.records if it.levelno >= logging.WARNING]
    assert warned == ["no record of a message"]


async def test_a_press_is_answered_with_the_apology(world: World, chats: Chats) -> None:
    press = {"id": "1", "from": GRACE, "chat_instance": "1", "data": encode(Sit(world.tables[0].id))}
    place = {"message_id": 7, "date": 1, "chat": GROUP}
    await hear(world, {"callback_query": {**press, "message": place}})
    assert chats.answers == [fault(world.services.catalogues["en"])]
    assert chats.messages == {}


async def test_an_apology_needs_nothing_that_is_stored(tmp_path: Path, chats: Chats) -> None:
    """Neither for a command nor for a press: what it would be read from may be what is broken."""
    async with sending(tmp_path / "101.sqlite3", chats) as world:
        await world.connection.write(
            lambda connection: connection.execute_fetchall("ALTER TABLE people RENAME TO out_of_reach")
        )
        press = {"id": "1", "from": GRACE, "chat_instance": "1", "data": encode(Sit(world.tables[0].id))}
        place = {"message_id": 7, "date": 1, "chat": GROUP}
        await hear(world, HEARD["a command"], {"callback_query": {**press, "message": place}})
        words = fault(world.services.catalogues["en"])
        assert (list(chats.messages.values()), chats.answers) == ([words], [words])


def test_each_is_told_once_a_minute() -> None:
    apologies = Apologies()
    assert apologies.is_due(1, -9, 0.0)
    assert not apologies.is_due(1, -9, AGAIN_SECONDS - 1)
    assert apologies.is_due(1, 1, AGAIN_SECONDS - 1)
    assert apologies.is_due(2, -9, AGAIN_SECONDS - 1)
    assert apologies.is_due(1, -9, AGAIN_SECONDS)


def test_the_oldest_are_forgotten() -> None:
    apologies = Apologies()
    assert all(apologies.is_due(person, -9, 0.0) for person in range(Apologies.MOST + 1))
    assert not apologies.is_due(Apologies.MOST, -9, 1.0)
    assert apologies.is_due(0, -9, 1.0)
