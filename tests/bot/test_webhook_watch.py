"""The webhook watch: repairs a wrong webhook, and ends the process if that fails."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from telegram import Bot

from bot.metrics import Metrics
from bot.transport import Transport
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness, UpdatesLost
from bot.updates.webhook_watch import MOST_FAILURES, WebhookWatch
from tests.bot.scripted_telegram import Script, ok, refusal
from tests.patience import PATIENCE

URL = "https://bot.example.org/telegram"
KINDS = ["message", "callback_query"]
RIGHT = {"url": URL, "has_custom_certificate": False, "pending_update_count": 0, "allowed_updates": KINDS}
FAILING = {"pending_update_count": 3, "last_error_date": 1, "last_error_message": "Connection refused"}


@asynccontextmanager
async def watching(
    script: Script, liveness: Liveness, *infos: dict[str, Any], look: float = 0.01
) -> AsyncIterator[WebhookWatch]:
    script.answers["getWebhookInfo"] = [(200, ok(RIGHT | info)) for info in infos]
    calls = Transport(1, 1)
    bot = Bot("1:x", base_url=script.base_url, request=calls, get_updates_request=calls)
    metrics = Metrics()
    intake = Intake(bot, asyncio.Queue(), metrics)
    try:
        yield WebhookWatch(bot, URL, "secret", KINDS, liveness, intake, metrics, look=look)
    finally:
        await calls.shutdown()


@pytest.fixture
async def script() -> AsyncIterator[Script]:
    async with Script.served() as it:
        yield it


async def until_looked(script: Script, watch: WebhookWatch, times: int) -> None:
    """Let it look so often, and do what follows."""
    enough = asyncio.Event()

    def count(_method: str) -> None:
        if len(script.calls["getWebhookInfo"]) > times:
            enough.set()

    script.heard = count
    looking = asyncio.create_task(watch.run())
    waiting = asyncio.create_task(enough.wait())
    await asyncio.wait({looking, waiting}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    for task in (looking, waiting):
        task.cancel()
    for result in await asyncio.gather(looking, waiting, return_exceptions=True):
        if isinstance(result, UpdatesLost):
            raise result
    assert enough.is_set()


@pytest.mark.parametrize(
    "changed",
    [{"url": ""}, {"url": "https://elsewhere.example/x"}, {"allowed_updates": ["message"]}, FAILING],
)
async def test_a_webhook_that_is_not_as_it_should_be_is_set_anew(
    script: Script, changed: dict[str, Any]
) -> None:
    now = 100.0
    liveness = Liveness(40.0, 60.0, lambda: now)
    async with watching(script, liveness, {}, changed, {}) as watch:
        now += 100.0
        await until_looked(script, watch, 3)
    (call,) = script.calls["setWebhook"]
    assert (call["url"], call["secret_token"]) == (URL, "secret")
    assert liveness.silence == 0.0


async def test_a_webhook_that_is_right_is_left_alone(script: Script) -> None:
    old_error = {"last_error_date": 1, "last_error_message": "Connection refused"}
    spelled_otherwise = {"url": "https://BOT.example.org:443/telegram"}
    async with watching(script, Liveness(40.0, 60.0), {}, old_error, spelled_otherwise, {}) as watch:
        await until_looked(script, watch, 4)
    assert script.calls["setWebhook"] == []


@pytest.mark.parametrize("before", [FAILING, FAILING | {"pending_update_count": 0}])
async def test_an_old_error_is_none_of_an_update_that_is_just_being_pushed(
    script: Script, before: dict[str, Any]
) -> None:
    just_pushed = FAILING | {"pending_update_count": 1}
    async with watching(script, Liveness(40.0, 60.0), before, just_pushed, just_pushed) as watch:
        await until_looked(script, watch, 3)
    assert script.calls["setWebhook"] == []


async def test_an_error_lasts_until_updates_get_through(script: Script) -> None:
    once_more = FAILING | {"last_error_date": 2}
    through = once_more | {"pending_update_count": 0}
    infos = FAILING, once_more, once_more, through, once_more
    async with watching(script, Liveness(40.0, 60.0), *infos) as watch:
        await until_looked(script, watch, 6)
    assert len(script.calls["setWebhook"]) == 2


@pytest.mark.parametrize(
    ("changed", "set_answer", "words"),
    [
        (FAILING, (200, ok(True)), "Connection refused"),
        ({"url": ""}, refusal(400, "Bad Request: bad webhook"), "the webhook was taken off"),
    ],
)
async def test_what_does_not_help_for_a_minute_ends_it_with_one_clear_line(
    script: Script,
    caplog: pytest.LogCaptureFixture,
    changed: dict[str, Any],
    set_answer: tuple[int, Any],
    words: str,
) -> None:
    script.answers["setWebhook"] = [set_answer]
    async with watching(script, Liveness(40.0, 60.0), {}, changed) as watch:
        with pytest.raises(UpdatesLost):
            await until_looked(script, watch, 100)
    (critical,) = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert words in critical.getMessage() or "Telegram refuses" in critical.getMessage()


async def test_a_network_that_carries_nothing_is_waited_for(script: Script) -> None:
    async with watching(script, Liveness(40.0, 60.0), {}) as watch:
        script.answers["getWebhookInfo"] = [(403, "<html>")] * 20 + [(200, ok(RIGHT))]
        await until_looked(script, watch, 21)
    assert script.calls["setWebhook"] == []


async def test_when_somebodys_time_is_up_it_is_looked_whether_updates_wait(script: Script) -> None:
    """While some wait it is not known, which is no failed check."""
    now = 100.0
    stamped = asyncio.Event()

    class Watched(Liveness):
        def stamp(self, *, brought_updates: bool = True) -> None:
            super().stamp(brought_updates=brought_updates)
            stamped.set()

    liveness = Watched(40.0, 60.0, lambda: now)
    waiting = {"pending_update_count": 1}
    async with watching(script, liveness, *[waiting] * MOST_FAILURES, {}, look=PATIENCE) as watch:
        liveness.want(5.0)
        now += 5.0
        checks = asyncio.create_task(watch.run())
        await asyncio.wait_for(stamped.wait(), PATIENCE)
        checks.cancel()
    assert len(script.calls["getWebhookInfo"]) == MOST_FAILURES + 1
    assert script.calls["setWebhook"] == []
    assert (liveness.lag, liveness.wanted_in) == (0.0, math.inf)
