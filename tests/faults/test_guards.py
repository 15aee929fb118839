"""What keeps one fault from becoming another: each guard against real calls that fail, one fault at a time.

`breakages` takes the guards out and sees these tests fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from telegram import Update

from bot.handlers.update_processor import PerPersonUpdateProcessor
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action
from bot.messages.reconciler import RENDERED_AT_ONCE, Reconciler
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNCERTAIN_SECONDS, TableMessages
from bot.screens.screen import Screen
from bot.tables.codec import dump_table
from sandbox import groups, people
from sandbox.events import Event, Posted
from sandbox.faults import Fault
from sandbox.model import BOT
from tests.bot.messages.manual_scheduler import ManualScheduler
from tests.faults.one_table import HAND, OneTable, one_table
from tests.patience import PATIENCE

SILENCE = 9
"""Seconds that a 429 asks for."""
SLOW = 5
"""Seconds that each call takes."""


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OneTable]:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # else the library warns of what it will do one day
    async with one_table(tmp_path) as opened:
        yield opened


async def test_a_429_holds_back_that_chat_alone(table: OneTable) -> None:
    table.server.sandbox.faults.add(Fault(chat=table.person, status=429, retry_after=SILENCE, times=1))
    table.set_desired("one")
    await table.carry_out()
    assert table.texts() == []
    assert table.rate_limiter.ready_at(table.person, Priority.MOVER, 0) == table.now + SILENCE
    assert table.rate_limiter.ready_at(table.person + 1, Priority.MOVER, 0) <= table.now
    assert table.rate_limiter.ready_at(table.group, Priority.GROUP, 0) <= table.now
    await table.carry_out()
    assert table.texts() == ["one"]


async def test_an_edit_of_which_nothing_was_heard_is_made_again_when_it_can_harm_no_more(
    table: OneTable,
) -> None:
    """Such a call may be on its way still, and take effect after the next one."""
    table.set_desired("one")
    await table.carry_out()
    table.server.sandbox.faults.add(Fault(method="editMessageText", lose_answer=True, times=1))
    lost_at = table.now
    table.set_desired("two")
    await table.carry_out()
    table.set_desired("three")
    table.now += 2
    await table.carry_out()
    assert table.texts() == ["three"]
    (message_id,) = (shown.message_id for shown in (table.table_messages.shown or {}).values())
    await table.bot.edit_message_text("two", table.person, message_id)  # it has come at last
    (step,) = table.steps()
    assert (step.action, step.due_at) == (Action.EDIT, lost_at + UNCERTAIN_SECONDS)
    table.now = step.due_at
    await table.carry_out()
    assert table.texts() == ["three"]
    assert table.steps() == []


async def test_an_edit_that_a_dead_process_left_under_way_is_undone(
    table: OneTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next process, though by then what was shown before that edit is desired again."""
    await table.storage.chats.see(table.group, "Клуб", None, "supergroup")
    killed, scheduler = table.new_process()
    await show(table, killed, scheduler)
    right = table.texts(table.group)
    under_way: asyncio.Future[tuple[int, int, Screen]] = asyncio.get_running_loop().create_future()

    async def hang(*call: Any) -> None:
        under_way.set_result(call)
        await asyncio.Event().wait()

    with monkeypatch.context() as patches:
        patches.setattr(table.gateway, "edit", hang)
        await table.storage.chats.set_language(table.group, "ru")
        dying = asyncio.create_task(show(table, killed, scheduler))
        late = await under_way
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)

    await table.storage.chats.set_language(table.group, "en")
    started, scheduler = table.new_process()
    await show(table, started, scheduler)
    assert table.texts(table.group) == right
    await table.gateway.edit(*late)  # it takes effect at last
    assert table.texts(table.group) != right
    (step,) = started.pending(scheduler.moment)
    assert (step.action, step.due_at) == (Action.EDIT, scheduler.moment + UNCERTAIN_SECONDS)
    scheduler.moment = step.due_at
    await scheduler.carry_out_all(started)
    assert table.texts(table.group) == right
    assert started.pending(scheduler.moment) == []


async def show(table: OneTable, reconciler: Reconciler, scheduler: ManualScheduler) -> None:
    """Have a process show the table as it is."""
    reconciler.invalidate(table.table_id)
    scheduler.moment += 1
    await reconciler.prepare()
    await scheduler.carry_out_all(reconciler)


async def test_a_hand_that_is_sent_anew_leaves_the_old_one_on_record_until_it_is_deleted(
    table: OneTable,
) -> None:
    table.set_desired("wait")
    await table.carry_out()
    first = (await table.storage.shown.of_table(table.table_id))[HAND]
    table.set_desired("your turn", notifies=True)
    (step,) = table.steps()
    await table.executor.carry_out(step, Action.SEND, table.table_messages)
    assert table.texts() == ["wait", "your turn"]
    # The process dies here. The next one knows both messages.
    next_one = TableMessages(table.table_id)
    await ShownCache(table.storage.shown).load(next_one)
    assert next_one.shown is not None
    assert first.message_id in [shown.message_id for shown in next_one.shown.values()]
    next_one.set_desired(table.table_messages.desired or {}, revision=1)
    await table.carry_out(next_one)
    assert table.texts() == ["your turn"]
    assert list(await table.storage.shown.of_table(table.table_id)) == [HAND]


async def test_a_message_that_somebody_has_deleted_is_sent_anew(table: OneTable) -> None:
    table.set_desired("one")
    await table.carry_out()
    people.delete(table.server.sandbox, table.person, None)
    table.set_desired("two")
    await table.carry_out()
    assert table.texts() == []
    (step,) = table.steps()
    assert (step.action, step.due_at) == (Action.SEND, 0.0)
    await table.carry_out()
    assert table.texts() == ["two"]


async def test_who_has_blocked_the_bot_cannot_be_reached_until_he_lets_it_in(table: OneTable) -> None:
    people.block(table.server.sandbox, table.person, blocked=True)
    table.set_desired("one")
    await table.carry_out()
    person = await table.storage.people.get(table.person)
    assert person is not None
    assert not person.reachable


async def test_a_group_that_does_not_let_the_bot_write_is_tried_again_later(table: OneTable) -> None:
    chat = table.server.sandbox.world.chats[table.group]
    groups.set_status(table.server.sandbox, chat, BOT, "restricted", {"can_send_messages": False})
    reconciler, scheduler = table.new_process()
    reconciler.invalidate(table.table_id)
    scheduler.moment += 1
    await reconciler.prepare()
    await scheduler.carry_out_all(reconciler)
    (step,) = reconciler.pending(scheduler.moment)
    assert step.due_at > scheduler.moment
    groups.set_status(table.server.sandbox, chat, BOT, "member")
    await scheduler.carry_out_all(reconciler)
    assert len(table.texts(table.group)) == 1


async def test_a_slow_telegram_moves_a_deadline_on_once_and_not_for_ever(table: OneTable) -> None:
    """The hand that names the new deadline comes late, too."""

    async def deadline() -> float:
        found = (await table.tables.queries.load(table.table_id)).deadline
        assert found is not None
        return found.at

    begin = await deadline()
    for at in (begin, begin + SLOW, begin + 2 * SLOW):
        table.set_desired(
            f'your turn until <tg-time unix="{at:.0f}" format="T">soon</tg-time>', notifies=True
        )
        assert len(table.steps()) == 1
        table.now += SLOW
        await table.carry_out()
    assert await deadline() == begin + SLOW


async def test_an_update_that_comes_twice_is_handled_once() -> None:
    handled: list[int] = []
    processor = PerPersonUpdateProcessor()

    async def handle(update: Update) -> None:
        handled.append(update.update_id)

    for number in (1, 2, 1, 3, 2):
        update = Update(number)
        await processor.do_process_update(update, handle(update))
    assert handled == [1, 2, 3]


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_shown(table: OneTable) -> None:
    sound = dump_table(await table.tables.queries.load(table.table_id), table.now)
    broken = replace(sound, id="broken", chat_id=-1, created_at=0.0, document="{}")
    await table.storage.tables.create(broken)
    is_shown = asyncio.Event()

    def listen(event: Event) -> None:
        if isinstance(event, Posted) and event.message.chat == table.group and event.message.sender == BOT:
            is_shown.set()

    table.server.sandbox.world.listeners.append(listen)
    reconciler, scheduler = table.new_process()
    await reconciler.catch_up()
    scheduler.moment += 1
    running = asyncio.create_task(scheduler.run())
    waiting = asyncio.create_task(is_shown.wait())
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    assert is_shown.is_set()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_tables_that_cannot_be_read_hold_up_no_start(table: OneTable) -> None:
    """As many as are looked at before the next ones are: these do not wait until those are tried again."""
    sound = dump_table(await table.tables.queries.load(table.table_id), table.now)
    for number in range(RENDERED_AT_ONCE):
        broken = replace(sound, id=f"b{number}", chat_id=-1 - number, created_at=0.0, document="{}")
        await table.storage.tables.create(broken)
    reconciler, scheduler = table.new_process()
    catching_up = asyncio.create_task(reconciler.catch_up())
    async with asyncio.timeout(PATIENCE):
        while not catching_up.done():
            scheduler.moment += 0.1
            await reconciler.prepare()
            await asyncio.sleep(0)
    scheduler.moment += 1
    await reconciler.prepare()
    assert [step.table_id for step in reconciler.pending(scheduler.moment)] == [table.table_id]
