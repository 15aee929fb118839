"""Alerts to the owner: each kind once an hour, and never with the token."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.alerts import LONGEST, SILENCE_SECONDS, Alerts
from bot.logs import JsonFormatter
from bot.messages.outbox import Outbox
from bot.messages.rate_limit import UNLIMITED, RateLimiter
from bot.messages.scheduler import Scheduler
from sandbox.events import Event
from sandbox.faults import Fault
from tests.faults.one_table import OneTable, one_table
from tests.patience import PATIENCE

log = logging.getLogger("bot.tested")


@dataclass
class Owner:
    """Somebody who is told. `now` is the clock that the alerts go by."""

    table: OneTable
    now: float = 0.0
    happened: asyncio.Event = field(default_factory=asyncio.Event)

    def dispatch(self, _event: Event) -> None:
        self.happened.set()

    async def is_told(self, times: int) -> list[str]:
        """Wait for so many messages to the owner; return them."""
        async with asyncio.timeout(PATIENCE):
            while len(self.table.texts()) < times:
                self.happened.clear()
                await self.happened.wait()
        return self.table.texts()


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    async with one_table(tmp_path) as opened:
        it = Owner(opened)
        opened.server.sandbox.world.listeners.append(it.dispatch)
        scheduler = Scheduler(RateLimiter(UNLIMITED), lambda: opened.now)
        outbox = Outbox(opened.gateway, scheduler, lambda: opened.now)
        alerts = Alerts(opened.person, outbox, lambda: it.now)
        alerts.setFormatter(JsonFormatter((opened.server.sandbox.world.bot.token,)))
        loggers = [log, logging.getLogger("bot.alerts")]
        for logger in loggers:
            logger.addHandler(alerts)
        tasks = [asyncio.create_task(scheduler.run()), asyncio.create_task(alerts.run())]
        yield it
        for logger in loggers:
            logger.removeHandler(alerts)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def fail(error: type[Exception], words: str = "it") -> None:
    try:
        raise error(words)
    except error:
        log.exception("%s broke", words)


async def test_each_kind_of_error_is_told_of_once_an_hour(owner: Owner) -> None:
    for _ in range(3):
        fail(KeyError)
    log.error("something else")
    log.warning("nothing for the owner")
    fail(ValueError)
    told = await owner.is_told(3)
    assert ["KeyError" in told[0], "something else" in told[1], "ValueError" in told[2]] == [True] * 3
    owner.now = SILENCE_SECONDS - 1
    fail(KeyError, "other words, the same kind")
    owner.now = SILENCE_SECONDS
    fail(ValueError)
    told = await owner.is_told(4)
    assert "ValueError" in told[3], "an hour later again; a second earlier not"
    fail(KeyError)
    log.error("the last")
    told = await owner.is_told(6)
    assert ["KeyError" in told[4], "the last" in told[5]] == [True] * 2


async def test_the_report_holds_no_token_and_fits_into_a_message(owner: Owner) -> None:
    token = owner.table.server.sandbox.world.bot.token
    fail(KeyError, f"<b>{token}</b> " + "long " * 2000)
    (told,) = await owner.is_told(1)
    assert token not in told
    assert "<b>***</b>" in told
    assert len(told) <= LONGEST + 3


async def test_an_owner_who_cannot_be_told_is_no_further_error(
    owner: Owner, caplog: pytest.LogCaptureFixture
) -> None:
    owner.table.server.sandbox.faults.add(Fault(method="sendMessage", status=500, times=2))
    log.error("not told of")
    log.error("told of")
    assert "told of" in (await owner.is_told(1))[0]
    assert [it.levelno for it in caplog.records if it.name == "bot.alerts"] == [logging.WARNING]
