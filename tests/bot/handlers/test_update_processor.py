"""The update processor: updates of a flooding person wait in order, those of others pass."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest
from telegram import (
    CallbackQuery,
    Chat,
    ChatMemberBanned,
    ChatMemberMember,
    ChatMemberUpdated,
    Message,
    Update,
    User,
)

from bot.handlers.update_processor import MOST_WAITING, PerPersonUpdateProcessor

FLOODER, OTHER = 1, 2
LONG = 600.0
"""Patience in seconds that no test outlasts."""


class RecordingHandler:
    """Handles updates, each until it is released; records which have begun and ended."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.ended: list[int] = []
        self._gate = asyncio.Event()

    async def handle(self, update_id: int, *, waits: bool) -> None:
        self.begun.append(update_id)
        if waits:
            await self._gate.wait()
        self.ended.append(update_id)

    def let_go(self) -> None:
        self._gate.set()


def press(update_id: int, user_id: int) -> Update:
    user = User(user_id, "x", is_bot=False)
    return Update(update_id, callback_query=CallbackQuery(str(update_id), user, "chat"))


def process(
    processor: PerPersonUpdateProcessor, update: Update, work: Coroutine[Any, Any, None]
) -> asyncio.Task[None]:
    return asyncio.create_task(processor.process_update(update, work))


def ban(update_id: int, user_id: int) -> Update:
    """The flooder, an admin, throws this person out."""
    now, chat = datetime.now(UTC), Chat(-100, "supergroup")
    user = User(user_id, "x", is_bot=False)
    change = ChatMemberUpdated(
        chat,
        User(FLOODER, "admin", is_bot=False),
        now,
        ChatMemberMember(user),
        ChatMemberBanned(user, until_date=now),
    )
    return Update(update_id, chat_member=change)


async def test_no_ban_is_dropped_and_none_waits_for_another(caplog: pytest.LogCaptureFixture) -> None:
    processor, handler = PerPersonUpdateProcessor(LONG), RecordingHandler()
    await processor.initialize()
    bans = [process(processor, ban(n, 100 + n), handler.handle(n, waits=True)) for n in range(50)]
    again = [process(processor, ban(100 + n, 100), handler.handle(100 + n, waits=True)) for n in range(30)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(handler.begun) == 50, "one of each person, and nobody waits for another's"
    handler.let_go()
    await asyncio.gather(*bans, *again)
    assert sorted(handler.ended) == [*range(50), *range(100, 130)]
    assert "dropped" not in caplog.text


async def test_a_flooding_person_waits_behind_himself_and_slows_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    processor, handler = PerPersonUpdateProcessor(LONG), RecordingHandler()
    await processor.initialize()
    flood = [process(processor, press(n, FLOODER), handler.handle(n, waits=True)) for n in range(100)]
    await asyncio.gather(*flood[MOST_WAITING:])
    assert handler.begun == [0], "one at a time"
    with caplog.at_level(logging.WARNING):
        others = [
            process(processor, press(1000 + n, OTHER + n), handler.handle(1000 + n, waits=False))
            for n in range(200)
        ]
        await asyncio.gather(*others)
    assert sorted(handler.ended) == list(range(1000, 1200)), "nobody else waits"
    handler.let_go()
    await asyncio.gather(*flood)
    assert handler.begun[:1] + handler.begun[201:] == list(range(MOST_WAITING)), (
        "in order, and no more of them"
    )
    await process(processor, press(5000, FLOODER), handler.handle(5000, waits=False))
    assert handler.ended[-1] == 5000, "he is heard again"


async def test_what_is_dropped_is_logged_with_its_person(caplog: pytest.LogCaptureFixture) -> None:
    processor, handler = PerPersonUpdateProcessor(LONG), RecordingHandler()
    tasks = [
        process(processor, press(n, FLOODER), handler.handle(n, waits=True)) for n in range(MOST_WAITING + 1)
    ]
    await tasks[-1]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert vars(record)["user"] == FLOODER
    handler.let_go()
    await asyncio.gather(*tasks)


async def test_a_fault_in_one_update_holds_up_none_that_follow() -> None:
    processor, handler = PerPersonUpdateProcessor(LONG), RecordingHandler()

    async def fail() -> None:
        raise ZeroDivisionError

    failing = process(processor, press(1, FLOODER), fail())
    following = process(processor, press(2, FLOODER), handler.handle(2, waits=False))
    assert isinstance((await asyncio.gather(failing, return_exceptions=True))[0], ZeroDivisionError)
    await following
    assert handler.ended == [2]


async def test_what_takes_too_long_holds_up_nothing_and_is_done_all_the_same() -> None:
    processor, handler = PerPersonUpdateProcessor(patience=0.01), RecordingHandler()
    await process(processor, press(1, FLOODER), handler.handle(1, waits=True))
    assert handler.begun == [1], "nobody waits for its end"
    following = [
        process(processor, press(n, FLOODER), handler.handle(n, waits=False))
        for n in range(2, MOST_WAITING + 9)
    ]
    await asyncio.gather(*following)
    assert handler.ended == list(range(2, MOST_WAITING + 1)), "it still counts as one that waits"
    handler.let_go()
    await process(processor, press(99, FLOODER), handler.handle(99, waits=False))
    assert sorted(handler.ended) == [1, *range(2, MOST_WAITING + 1), 99]


async def test_the_end_comes_for_what_still_waits() -> None:
    processor, handler = PerPersonUpdateProcessor(patience=0.01), RecordingHandler()
    waiting = [process(processor, press(n, FLOODER), handler.handle(n, waits=True)) for n in range(3)]
    await asyncio.gather(*waiting)
    async with asyncio.timeout(LONG):
        await processor.shutdown()
    assert handler.ended == []


async def test_who_writes_as_a_group_waits_behind_that_group_alone() -> None:
    processor, handler = PerPersonUpdateProcessor(LONG), RecordingHandler()

    def written(update_id: int, chat_id: int) -> Update:
        anonymous = User(1087968824, "Group", is_bot=True)  # the same for all groups
        chat = Chat(chat_id, "supergroup")
        return Update(update_id, Message(1, datetime.now(UTC), chat, from_user=anonymous, sender_chat=chat))

    held = process(processor, written(1, -1), handler.handle(1, waits=True))
    await process(processor, written(2, -2), handler.handle(2, waits=False))
    assert handler.ended == [2]
    handler.let_go()
    await held
