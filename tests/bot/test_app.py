"""Background parts of the app: a failure is reported when it happens, not when the bot is stopped."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

import pytest

from bot import __main__
from bot.app import _start
from bot.config import Settings
from bot.updates.liveness import UpdatesLost


async def test_what_fails_beside_the_rest_is_logged_at_once_and_ends_the_bot_with_its_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def breaks() -> None:
        raise RuntimeError("broken")

    stack = AsyncExitStack()
    task = _start(stack, breaks(), "catching up")
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert caplog.messages == ["catching up: failed"]
    with pytest.raises(RuntimeError, match="broken"):
        await stack.aclose()


async def test_that_updates_are_lost_is_told_once_where_it_is_found(caplog: pytest.LogCaptureFixture) -> None:
    async def hears_nothing() -> None:
        raise UpdatesLost("the token is refused")

    stack = AsyncExitStack()
    task = _start(stack, hears_nothing(), "updates")
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert caplog.messages == []
    with pytest.raises(UpdatesLost):
        await stack.aclose()


def test_a_bot_that_gets_no_updates_ends_with_status_1(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def run(_settings: Settings, _formatter: logging.Formatter) -> None:
        raise UpdatesLost("the token is refused")

    monkeypatch.setenv("BOT_TOKEN", "1:x")
    monkeypatch.setattr(__main__, "run", run)
    monkeypatch.setattr(__main__, "configure_logging", lambda *_: logging.Formatter())
    assert __main__.main([]) == 1
    assert capfd.readouterr() == ("", "")


async def test_what_is_still_running_at_the_end_is_ended_without_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with AsyncExitStack() as stack:
        task = _start(stack, asyncio.Event().wait(), "scheduler")
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert task.cancelled()
    assert caplog.messages == []
