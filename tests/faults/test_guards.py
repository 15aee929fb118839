"""What keeps one fault from becoming another: each guard against real calls that fail, one fault at a time.

`breakages` takes the guards out and sees these tests fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from telegram import Update

from bot.handlers.update_processor import PerPersonUpdateProcessor
from bot.messages.desired import board_key
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action
from bot.messages.reconciler import RENDERED_AT_ONCE
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNCERTAIN_SECONDS, TableMessages
from bot.tables.codec import dump_table
from sandbox import groups, people
from sandbox.events import Event, Posted
from sandbox.faults import Fault
from sandbox.model import BOT
from tests.faults.office import HAND, Office, office

SILENCE = 9
"""Seconds that a 429 asks for."""
SLOW = 5
"""Seconds that each call takes."""


@pytest.fixture
async def table_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # else the library warns of what it will do one day
    async with office(tmp_path) as opened:
        yield opened


async def test_a_429_holds_back_that_chat_alone(table_messages: Office) -> None:
    table_messages.server.sandbox.faults.add(
        Fault(chat=table_messages.person, status=429, retry_after=SILENCE, times=1)
    )
    table_messages.set_desired("one")
    await table_messages.carry_out()
    assert table_messages.texts() == []
    assert (
        table_messages.rate_limiter.ready_at(table_messages.person, Priority.MOVER, 0)
        == table_messages.now + SILENCE
    )
    assert (
        table_messages.rate_limiter.ready_at(table_messages.person + 1, Priority.MOVER, 0)
        <= table_messages.now
    )
    assert table_messages.rate_limiter.ready_at(table_messages.group, Priority.GROUP, 0) <= table_messages.now
    await table_messages.carry_out()
    assert table_messages.texts() == ["one"]


async def test_an_edit_of_which_nothing_was_heard_is_made_again_when_it_can_harm_no_more(
    table_messages: Office,
) -> None:
    """Such a call may be on its way still, and take effect after the next one."""
    table_messages.set_desired("one")
    await table_messages.carry_out()
    table_messages.server.sandbox.faults.add(Fault(method="editMessageText", lose_answer=True, times=1))
    lost_at = table_messages.now
    table_messages.set_desired("two")
    await table_messages.carry_out()
    table_messages.set_desired("three")
    table_messages.now += 2
    await table_messages.carry_out()
    assert table_messages.texts() == ["three"]
    (message_id,) = (shown.message_id for shown in (table_messages.table_messages.shown or {}).values())
    await table_messages.bot.edit_message_text(
        "two", table_messages.person, message_id
    )  # it has come at last
    (step,) = table_messages.steps()
    assert (step.action, step.due_at) == (Action.EDIT, lost_at + UNCERTAIN_SECONDS)
    table_messages.now = step.due_at
    await table_messages.carry_out()
    assert table_messages.texts() == ["three"]
    assert table_messages.steps() == []


async def test_an_edit_that_a_dead_process_left_under_way_is_undone(table_messages: Office) -> None:
    """It was killed between its call and the answer: what is on record is older than what may be shown."""
    group = board_key(0)
    living = table_messages.messages()
    living.invalidate(table_messages.table_id)
    table_messages.now += 1
    await living._render_stale()
    await table_messages.carry_out(living._tables_shown[table_messages.table_id])
    on_record = (await table_messages.storage.shown.of_table(table_messages.table_id))[group]
    unlike = replace(on_record, digest="what the last process was about to replace")
    await table_messages.storage.shown.change({(table_messages.table_id, group): unlike})
    later = table_messages.messages()
    await later.catch_up()
    table_messages.now += 1
    await later._render_stale()
    started = later._tables_shown[table_messages.table_id]
    await table_messages.carry_out(started)
    right = table_messages.texts(table_messages.group)
    await table_messages.bot.edit_message_text("late", table_messages.group, on_record.message_id)
    (step,) = started.steps(table_messages.now, {})
    assert (step.action, step.due_at) == (Action.EDIT, table_messages.now + UNCERTAIN_SECONDS)
    table_messages.now = step.due_at
    await table_messages.carry_out(started)
    assert table_messages.texts(table_messages.group) == right


async def test_a_hand_that_is_sent_anew_leaves_the_old_one_on_record_until_it_is_deleted(
    table_messages: Office,
) -> None:
    table_messages.set_desired("wait")
    await table_messages.carry_out()
    first = (await table_messages.storage.shown.of_table(table_messages.table_id))[HAND]
    table_messages.set_desired("your turn", rings=True)
    (step,) = table_messages.steps()
    await table_messages.executor.carry_out(step, Action.SEND, table_messages.table_messages)
    assert table_messages.texts() == ["wait", "your turn"]
    # The process dies here. The next one knows both messages.
    next_one = TableMessages(table_messages.table_id)
    await ShownCache(table_messages.storage.shown).load(next_one)
    assert next_one.shown is not None
    assert first.message_id in [shown.message_id for shown in next_one.shown.values()]
    next_one.set_desired(table_messages.table_messages.desired or {}, revision=1)
    await table_messages.carry_out(next_one)
    assert table_messages.texts() == ["your turn"]
    assert list(await table_messages.storage.shown.of_table(table_messages.table_id)) == [HAND]


async def test_a_message_that_somebody_has_deleted_is_sent_anew(table_messages: Office) -> None:
    table_messages.set_desired("one")
    await table_messages.carry_out()
    people.delete(table_messages.server.sandbox, table_messages.person, None)
    table_messages.set_desired("two")
    await table_messages.carry_out()
    assert table_messages.texts() == []
    (step,) = table_messages.steps()
    assert (step.action, step.due_at) == (Action.SEND, 0.0)
    await table_messages.carry_out()
    assert table_messages.texts() == ["two"]


async def test_who_has_blocked_the_bot_cannot_be_reached_until_he_lets_it_in(table_messages: Office) -> None:
    people.block(table_messages.server.sandbox, table_messages.person, blocked=True)
    table_messages.set_desired("one")
    await table_messages.carry_out()
    person = await table_messages.storage.people.get(table_messages.person)
    assert person is not None
    assert not person.reachable


async def test_a_group_that_does_not_let_the_bot_write_is_tried_again_later(table_messages: Office) -> None:
    chat = table_messages.server.sandbox.world.chats[table_messages.group]
    groups.set_status(table_messages.server.sandbox, chat, BOT, "restricted", {"can_send_messages": False})
    messages = table_messages.messages()
    messages.invalidate(table_messages.table_id)
    table_messages.now += 1
    await messages._render_stale()
    shown = messages._tables_shown[table_messages.table_id]
    await table_messages.carry_out(shown)
    (step,) = shown.steps(table_messages.now, {})
    assert step.due_at > table_messages.now
    groups.set_status(table_messages.server.sandbox, chat, BOT, "member")
    await table_messages.carry_out(shown)
    assert len(table_messages.texts(table_messages.group)) == 1


async def test_a_slow_telegram_moves_a_deadline_on_once_and_not_for_ever(table_messages: Office) -> None:
    """The hand that names the new deadline comes late, too."""

    async def deadline() -> float:
        found = (await table_messages.tables.queries.load(table_messages.table_id)).deadline
        assert found is not None
        return found.at

    begin = await deadline()
    for at in (begin, begin + SLOW, begin + 2 * SLOW):
        table_messages.set_desired(
            f'your turn until <tg-time unix="{at:.0f}" format="T">soon</tg-time>', rings=True
        )
        assert len(table_messages.steps()) == 1
        table_messages.now += SLOW
        await table_messages.carry_out()
    assert await deadline() == begin + SLOW


async def test_an_update_that_comes_twice_is_handled_once() -> None:
    handled: list[int] = []
    turnstile = PerPersonUpdateProcessor()

    async def handle(update: Update) -> None:
        handled.append(update.update_id)

    for number in (1, 2, 1, 3, 2):
        update = Update(number)
        await turnstile.do_process_update(update, handle(update))
    assert handled == [1, 2, 3]


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_shown(table_messages: Office) -> None:
    table = await table_messages.tables.queries.load(table_messages.table_id)
    broken = replace(
        dump_table(table, table_messages.now), id="broken", chat_id=-1, created_at=0.0, document="{}"
    )
    await table_messages.storage.tables.create(broken)
    is_shown = asyncio.Event()

    def listen(event: Event) -> None:
        if (
            isinstance(event, Posted)
            and event.message.chat == table_messages.group
            and event.message.sender == BOT
        ):
            is_shown.set()

    table_messages.server.sandbox.world.listeners.append(listen)
    messages = table_messages.messages()
    await messages.catch_up()
    table_messages.now += 1
    running = asyncio.create_task(messages.run())
    waiting = asyncio.create_task(is_shown.wait())
    async with asyncio.timeout(60):
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    assert is_shown.is_set()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_tables_that_cannot_be_read_hold_up_no_start(table_messages: Office) -> None:
    """As many as are looked at before the next ones are: these do not wait until those are tried again."""
    sound = dump_table(await table_messages.tables.queries.load(table_messages.table_id), table_messages.now)
    for number in range(RENDERED_AT_ONCE):
        broken = replace(sound, id=f"b{number}", chat_id=-1 - number, created_at=0.0, document="{}")
        await table_messages.storage.tables.create(broken)
    messages = table_messages.messages()
    catching_up = asyncio.create_task(messages.catch_up())
    async with asyncio.timeout(60):
        while len(messages._tables_shown) < RENDERED_AT_ONCE:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)
        table_messages.now += 1
        await messages._render_stale()
        await catching_up
    assert table_messages.table_id in messages._tables_shown
