"""Pages turned faster than the bot may edit: every press is answered at once, the last page is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.buttons import ChooseRule, CloseSettings, OpenSettings
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


async def test_an_answer_is_a_reply_and_what_has_been_put_away_is_not_removed_once_more(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    asked = {await person.send(club.chat, "/table") for person in club.people}
    await club.until(
        lambda: asked <= {it.raw["reply_to"] for it in bot.telegram.newest(club.chat)},
        "each answer is a reply",
    )
    before = max((call["n"] for call in await bot.telegram.calls()), default=0)
    menu = await Menu.of_group(club)
    await menu.press(CloseSettings())
    await club.until(lambda: menu.find() is None, "the menu is gone")
    second = await Menu.of_group(club)
    await Menu.of_group(club)
    await club.until(lambda: second.find() is None, "the next takes its place")
    calls = await bot.telegram.calls(before, "deleteMessage")
    assert [call["description"] for call in calls] == [None, None]
