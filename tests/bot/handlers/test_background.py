"""Background tasks, and how a shutdown waits for them."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.handlers import background
from bot.handlers.background import Background

pytestmark = pytest.mark.asyncio


async def test_the_end_waits_for_what_is_under_way_and_begins_nothing_more() -> None:
    """What is told last of all, while calls end, needs a database that is about to be closed."""
    work, done = Background(), list[str]()
    may_end = asyncio.Event()

    async def told(what: str) -> None:
        await may_end.wait()
        done.append(what)

    work.start(told("before"))
    end = asyncio.create_task(work.close())
    await asyncio.sleep(0)
    work.start(told("after"))
    may_end.set()
    await end
    assert done == ["before"]


async def test_what_takes_too_long_is_over_when_the_end_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "LAST_SECONDS", 0.0)
    work, ended = Background(), list[bool]()

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    work.start(never())
    await asyncio.sleep(0)
    await work.close()
    assert ended == [True]


async def test_a_fault_of_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    work = Background()

    async def breaks() -> None:
        raise RuntimeError("broken")

    with caplog.at_level(logging.ERROR):
        work.start(breaks())
        await work.close()
        await asyncio.sleep(0)
    assert [record.message for record in caplog.records] == ["background work failed"]
