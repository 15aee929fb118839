"""Answers with pictures: sending, redrawing, replacing, and falling back to text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from bot.messages.kinds import Kind
from bot.messages.outbox import MOST_WAITING, Crowded, Outbox, Superseded
from bot.messages.rate_limit import UNLIMITED, RateLimiter
from bot.messages.scheduler import Scheduler
from bot.screens.screen import Screen
from tests.bot.messages.test_pictures import OTHER, PICTURE, ExecutorHarness, harness
from tests.e2e.telegram import Message
from tests.patience import PATIENCE

__all__ = ["harness"]


@pytest.fixture
async def outbox(harness: ExecutorHarness) -> AsyncIterator[Outbox]:
    scheduler = Scheduler(RateLimiter(UNLIMITED), lambda: harness.now)
    outbox = Outbox(harness.gateway, scheduler, lambda: harness.now)
    running = asyncio.create_task(scheduler.run())
    yield outbox
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def shown(harness: ExecutorHarness, message_id: int, text: str) -> Message:
    """The message, as soon as it says this."""

    async def found() -> Message | None:
        message = await harness.sandbox.message(harness.chat, message_id)
        return message if message is not None and message.text == text else None

    return await harness.sandbox.until(found)


@pytest.mark.parametrize("is_given_up", [False, True])
async def test_whoever_asks_for_a_removal_too_is_told_when_it_is_done(
    harness: ExecutorHarness, outbox: Outbox, is_given_up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And makes it, where the first has been stopped."""
    deleting, may_delete = asyncio.Event(), asyncio.Event()
    delete = harness.gateway.delete

    async def delete_later(chat_id: int, message_id: int) -> None:
        deleting.set()
        await may_delete.wait()
        await delete(chat_id, message_id)

    monkeypatch.setattr(harness.gateway, "delete", delete_later)
    message_id = await outbox.say(harness.chat, 0, Screen("page"), kind=Kind.SCORE)
    first = asyncio.create_task(outbox.remove(harness.chat, message_id))
    await asyncio.wait_for(deleting.wait(), PATIENCE)
    second = asyncio.create_task(outbox.remove(harness.chat, message_id))
    await asyncio.sleep(0)
    assert not second.done()
    if is_given_up:
        first.cancel()
    may_delete.set()
    await asyncio.wait_for(second, PATIENCE)
    assert await harness.sandbox.message(harness.chat, message_id) is None
    await asyncio.gather(first, return_exceptions=True)
    await outbox.remove(harness.chat, message_id)  # it is known to be gone
    assert len(await harness.sandbox.calls(0, "deleteMessage")) == 1


async def test_a_page_becomes_a_picture_in_place_and_no_page_again(
    harness: ExecutorHarness, outbox: Outbox
) -> None:
    message_id = await outbox.say(harness.chat, 0, Screen("page"), kind=Kind.SCORE)
    replaced = asyncio.Event()

    async def instead() -> None:
        replaced.set()

    outbox.redraw(harness.chat, message_id, Screen("chart", picture=PICTURE), instead)
    assert (await shown(harness, message_id, "chart")).raw["photo"] is not None
    outbox.redraw(harness.chat, message_id, Screen("other chart", picture=OTHER), instead)
    await shown(harness, message_id, "other chart")
    assert not replaced.is_set()
    outbox.redraw(harness.chat, message_id, Screen("page"), instead)
    async with asyncio.timeout(PATIENCE):
        await replaced.wait()


async def test_an_answer_is_text_where_its_picture_is_not_taken(
    harness: ExecutorHarness, outbox: Outbox
) -> None:
    await harness.sandbox.act("permissions", chat=harness.chat, permissions={"can_send_photos": False})
    message_id = await outbox.say(harness.chat, 0, Screen("chart", picture=PICTURE), kind=Kind.CHART)
    assert (await shown(harness, message_id, "chart")).raw["photo"] is None


async def test_a_page_is_text_where_its_picture_cannot_be_drawn(
    harness: ExecutorHarness, outbox: Outbox
) -> None:
    message_id = await outbox.say(harness.chat, 0, Screen("page"), kind=Kind.SCORE)
    harness.is_broken = True
    outbox.redraw(harness.chat, message_id, Screen("chart", picture=PICTURE))
    assert (await shown(harness, message_id, "chart")).raw["photo"] is None


async def test_where_too_many_answers_wait_one_more_is_refused_there_alone(harness: ExecutorHarness) -> None:
    """The scheduler does not run: nothing has its turn."""
    outbox = Outbox(
        harness.gateway, Scheduler(RateLimiter(UNLIMITED), lambda: harness.now), lambda: harness.now
    )

    def waiting(chat: int) -> asyncio.Task[int]:
        return asyncio.create_task(outbox.say(chat, 0, Screen("answer"), kind=Kind.SCORE))

    answers = [waiting(harness.chat) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    menu = asyncio.create_task(outbox.remove(harness.chat, 1, asked_by=1))
    with pytest.raises(Crowded):
        await outbox.say(harness.chat, 0, Screen("one more"), kind=Kind.SCORE)
    with pytest.raises(Crowded):
        await outbox.say_file(harness.chat, "one-more.json", b"{}", "", kind=Kind.FILE)
    answers.append(waiting(harness.chat + 1))
    await asyncio.sleep(0)
    assert not any(answer.done() for answer in answers)
    for call in (menu, *answers):
        call.cancel()
    await asyncio.gather(menu, *answers, return_exceptions=True)


async def test_where_too_many_answers_wait_who_asks_most_goes_without(harness: ExecutorHarness) -> None:
    """The scheduler does not run: nothing has its turn. What is no answer does not count."""
    moment = harness.now
    outbox = Outbox(harness.gateway, Scheduler(RateLimiter(UNLIMITED), lambda: moment), lambda: moment)

    def ask(person: int) -> asyncio.Task[int]:
        return asyncio.create_task(
            outbox.say(harness.chat, 0, Screen("answer"), kind=Kind.SCORE, asked_by=person)
        )

    removals = [asyncio.create_task(outbox.remove(harness.chat, n, asked_by=77)) for n in range(MOST_WAITING)]
    waiting = {person: ask(person) for person in range(1, 1 + MOST_WAITING)}
    await asyncio.sleep(0)
    moment += 1.0
    again = ask(3)
    seldom = ask(99)
    outcomes = await asyncio.gather(waiting[3], again, return_exceptions=True)
    assert all(isinstance(outcome, Superseded) for outcome in outcomes)
    moment += 1.0
    with pytest.raises(Crowded):
        await ask(3)
    calls = (*removals, *(answer for person, answer in waiting.items() if person != 3), seldom)
    assert not any(call.done() for call in calls)
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
