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

from bot.handlers.turnstile import Turnstile
from bot.presenter.budget import Priority
from bot.presenter.desk import DOUBT_SECONDS, Desk
from bot.presenter.ledger import Ledger
from bot.presenter.presenter import RENDERED_AT_ONCE
from bot.presenter.steps import Action
from bot.presenter.wanted import board_key
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
async def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # else the library warns of what it will do one day
    async with office(tmp_path) as opened:
        yield opened


async def test_a_429_holds_back_that_chat_alone(desk: Office) -> None:
    desk.server.sandbox.faults.add(Fault(chat=desk.person, status=429, retry_after=SILENCE, times=1))
    desk.want("one")
    await desk.carry_out()
    assert desk.texts() == []
    assert desk.budget.ready_at(desk.person, Priority.MOVER, 0) == desk.now + SILENCE
    assert desk.budget.ready_at(desk.person + 1, Priority.MOVER, 0) <= desk.now
    assert desk.budget.ready_at(desk.group, Priority.GROUP, 0) <= desk.now
    await desk.carry_out()
    assert desk.texts() == ["one"]


async def test_an_edit_of_which_nothing_was_heard_is_made_again_when_it_can_harm_no_more(
    desk: Office,
) -> None:
    """Such a call may be on its way still, and take effect after the next one."""
    desk.want("one")
    await desk.carry_out()
    desk.server.sandbox.faults.add(Fault(method="editMessageText", lose_answer=True, times=1))
    lost_at = desk.now
    desk.want("two")
    await desk.carry_out()
    desk.want("three")
    desk.now += 2
    await desk.carry_out()
    assert desk.texts() == ["three"]
    (message_id,) = (shown.message_id for shown in (desk.desk.shown or {}).values())
    await desk.bot.edit_message_text("two", desk.person, message_id)  # it has come at last
    (step,) = desk.steps()
    assert (step.action, step.due_at) == (Action.EDIT, lost_at + DOUBT_SECONDS)
    desk.now = step.due_at
    await desk.carry_out()
    assert desk.texts() == ["three"]
    assert desk.steps() == []


async def test_an_edit_that_a_dead_process_left_under_way_is_undone(desk: Office) -> None:
    """It was killed between its call and the answer: what is on record is older than what may be shown."""
    group = board_key(0)
    living = desk.presenter()
    living.mark(desk.table_id)
    desk.now += 1
    await living._render_stale()
    await desk.carry_out(living._desks[desk.table_id])
    on_record = (await desk.storage.shown.of_table(desk.table_id))[group]
    unlike = replace(on_record, digest="what the last process was about to replace")
    await desk.storage.shown.change({(desk.table_id, group): unlike})
    later = desk.presenter()
    await later.catch_up()
    desk.now += 1
    await later._render_stale()
    started = later._desks[desk.table_id]
    await desk.carry_out(started)
    right = desk.texts(desk.group)
    await desk.bot.edit_message_text("late", desk.group, on_record.message_id)
    (step,) = started.steps(desk.now, {})
    assert (step.action, step.due_at) == (Action.EDIT, desk.now + DOUBT_SECONDS)
    desk.now = step.due_at
    await desk.carry_out(started)
    assert desk.texts(desk.group) == right


async def test_a_hand_that_is_sent_anew_leaves_the_old_one_on_record_until_it_is_deleted(
    desk: Office,
) -> None:
    desk.want("wait")
    await desk.carry_out()
    first = (await desk.storage.shown.of_table(desk.table_id))[HAND]
    desk.want("your turn", rings=True)
    (step,) = desk.steps()
    await desk.delivery.carry_out(step, Action.SEND, desk.desk)
    assert desk.texts() == ["wait", "your turn"]
    # The process dies here. The next one knows both messages.
    next_one = Desk(desk.table_id)
    await Ledger(desk.storage.shown).load(next_one)
    assert next_one.shown is not None
    assert first.message_id in [shown.message_id for shown in next_one.shown.values()]
    next_one.want(desk.desk.wanted or {}, revision=1)
    await desk.carry_out(next_one)
    assert desk.texts() == ["your turn"]
    assert list(await desk.storage.shown.of_table(desk.table_id)) == [HAND]


async def test_a_message_that_somebody_has_deleted_is_sent_anew(desk: Office) -> None:
    desk.want("one")
    await desk.carry_out()
    people.delete(desk.server.sandbox, desk.person, None)
    desk.want("two")
    await desk.carry_out()
    assert desk.texts() == []
    (step,) = desk.steps()
    assert (step.action, step.due_at) == (Action.SEND, 0.0)
    await desk.carry_out()
    assert desk.texts() == ["two"]


async def test_who_has_blocked_the_bot_cannot_be_reached_until_he_lets_it_in(desk: Office) -> None:
    people.block(desk.server.sandbox, desk.person, blocked=True)
    desk.want("one")
    await desk.carry_out()
    person = await desk.storage.people.get(desk.person)
    assert person is not None
    assert not person.reachable


async def test_a_group_that_does_not_let_the_bot_write_is_tried_again_later(desk: Office) -> None:
    chat = desk.server.sandbox.world.chats[desk.group]
    groups.set_status(desk.server.sandbox, chat, BOT, "restricted", {"can_send_messages": False})
    presenter = desk.presenter()
    presenter.mark(desk.table_id)
    desk.now += 1
    await presenter._render_stale()
    shown = presenter._desks[desk.table_id]
    await desk.carry_out(shown)
    (step,) = shown.steps(desk.now, {})
    assert step.due_at > desk.now
    groups.set_status(desk.server.sandbox, chat, BOT, "member")
    await desk.carry_out(shown)
    assert len(desk.texts(desk.group)) == 1


async def test_a_slow_telegram_moves_a_deadline_on_once_and_not_for_ever(desk: Office) -> None:
    """The hand that names the new deadline comes late, too."""

    async def deadline() -> float:
        found = (await desk.tables.load(desk.table_id)).deadline
        assert found is not None
        return found.at

    begin = await deadline()
    for at in (begin, begin + SLOW, begin + 2 * SLOW):
        desk.want(f'your turn until <tg-time unix="{at:.0f}" format="T">soon</tg-time>', rings=True)
        assert len(desk.steps()) == 1
        desk.now += SLOW
        await desk.carry_out()
    assert await deadline() == begin + SLOW


async def test_an_update_that_comes_twice_is_handled_once() -> None:
    handled: list[int] = []
    turnstile = Turnstile()

    async def handle(update: Update) -> None:
        handled.append(update.update_id)

    for number in (1, 2, 1, 3, 2):
        update = Update(number)
        await turnstile.do_process_update(update, handle(update))
    assert handled == [1, 2, 3]


async def test_a_table_that_cannot_be_read_keeps_no_other_from_being_shown(desk: Office) -> None:
    table = await desk.tables.load(desk.table_id)
    broken = replace(dump_table(table, desk.now), id="broken", chat_id=-1, created_at=0.0, document="{}")
    await desk.storage.tables.create(broken)
    is_shown = asyncio.Event()

    def listen(event: Event) -> None:
        if isinstance(event, Posted) and event.message.chat == desk.group and event.message.sender == BOT:
            is_shown.set()

    desk.server.sandbox.world.listeners.append(listen)
    presenter = desk.presenter()
    await presenter.catch_up()
    desk.now += 1
    running = asyncio.create_task(presenter.run())
    waiting = asyncio.create_task(is_shown.wait())
    async with asyncio.timeout(60):
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    assert is_shown.is_set()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_tables_that_cannot_be_read_hold_up_no_start(desk: Office) -> None:
    """As many as are looked at before the next ones are: these do not wait until those are tried again."""
    sound = dump_table(await desk.tables.load(desk.table_id), desk.now)
    for number in range(RENDERED_AT_ONCE):
        broken = replace(sound, id=f"b{number}", chat_id=-1 - number, created_at=0.0, document="{}")
        await desk.storage.tables.create(broken)
    presenter = desk.presenter()
    catching_up = asyncio.create_task(presenter.catch_up())
    async with asyncio.timeout(60):
        while len(presenter._desks) < RENDERED_AT_ONCE:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)
        desk.now += 1
        await presenter._render_stale()
        await catching_up
    assert desk.table_id in presenter._desks
