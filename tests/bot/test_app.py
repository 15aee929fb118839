"""What runs beside everything else: a failure of it is told when it happens, not when the bot is stopped."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from bot.app import _start


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


async def test_what_is_still_running_at_the_end_is_ended_without_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with AsyncExitStack() as stack:
        task = _start(stack, asyncio.Event().wait(), "presenter")
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert task.cancelled()
    assert caplog.messages == []
