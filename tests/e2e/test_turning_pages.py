"""Pages turned faster than a bot may edit: every press is answered at once, and the last page is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.callbacks import ChooseRule, OpenSettings
from tests.e2e.menus import Menu
from tests.e2e.players import Club
from tests.e2e.running import Running, running

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A bot that keeps to Telegram's limits."""
    async with running(tmp_path_factory.mktemp("bot"), TELEGRAM_LIMITS="true") as it:
        yield it


async def test_pages_that_nobody_waits_for_are_left_out(bot: Running) -> None:
    club = await Club.founded(bot, 1)
    menu = await Menu.of_group(club)
    so_far = len(await bot.telegram.calls(0, "editMessageText"))
    pages = ["presets", "pace", "cut", "editors", "saved", "language", "rule_deck", "rule_draw", "rule_limit"]
    limits = range(102, 112)
    for page in pages:
        assert (await club.host.forge(menu.now, OpenSettings(page))).answered
    for limit in limits:
        assert (await club.host.forge(menu.now, ChooseRule("limit", str(limit)))).text
    await menu.shows("Больше 111 очков")
    edits = len(await bot.telegram.calls(0, "editMessageText")) - so_far
    assert edits < (len(pages) + len(limits)) / 2
    assert menu.offers(ChooseRule("limit", "112"))
