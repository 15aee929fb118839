"""A sandbox with the showcase bot and two friends for each test, and a page."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.browser import OpenPage, browser, page_at
from tests.e2e.telegram import Json, Telegram
from tests.sandbox.page.screen import Stage

__all__ = ["browser", "page_at"]  # pytest finds fixtures by their names in here

BOT = Path(__file__).with_name("showcase_bot.py")


@pytest_asyncio.fixture(loop_scope="session")
async def telegram() -> AsyncIterator[Telegram]:
    """An empty world whose bot is up: it has set its commands."""
    async with Telegram.in_process() as telegram, telegram.bot(sys.executable, str(BOT)):

        async def is_up() -> list[Json]:
            return await telegram.calls(0, "setMyCommands")

        await telegram.until(is_up)
        yield telegram


@pytest_asyncio.fixture(loop_scope="session")
async def stage(telegram: Telegram, page_at: OpenPage) -> Stage:
    """The usual beginning."""
    anya = await telegram.new_user("Аня", username="anya")
    boris = await telegram.new_user("Борис", username="boris")
    club = await telegram.new_group("Книжный клуб", [anya, boris], creator=anya)
    return Stage(telegram, anya, boris, club, page_at)
