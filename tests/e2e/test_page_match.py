"""Three friends play a match by looking and clicking on the sandbox's page, in both languages."""

from __future__ import annotations

import pytest

from tests.browser import DESKTOP, PHONE, OpenPage, browser, page_at
from tests.e2e.page_match import SIT, PageMatch, friends, sandbox
from tests.sandbox.page.screen import Screen

__all__ = ["browser", "page_at"]  # pytest finds fixtures by their names in here

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1800),  # how long a match takes is luck, and who clicks is slow
]

SHORTER = (
    '{"preset": "classic", "limit": 50, "points": "heavy", "game_end": "first_bust", "draw": "one_then_pass"}'
)
"""For a telephone that goes from hand to hand."""


async def test_three_friends_play_a_match_side_by_side(page_at: OpenPage) -> None:
    async with sandbox() as (address, telegram):
        page = await page_at(address, size=DESKTOP)
        match = PageMatch(Screen(page), *await friends(telegram))
        await match.sit_down()
        await match.play()
        assert {"lobby", "turn", "match-end"} <= match.seen
        assert await match.screen.shared.messages("выигрывает партию!").count() == 1
        await page.close()  # before its sandbox goes


async def test_three_friends_play_a_match_on_one_telephone_in_english(page_at: OpenPage) -> None:
    async with sandbox(DEFAULT_RULES=SHORTER) as (address, telegram):
        people = [await telegram.new_user(name, language="en") for name in ("Ann", "Bob", "Cleo")]
        group = await telegram.new_group("Book club", people, creator=people[0])
        page = await page_at(address, size=PHONE)
        match = PageMatch(Screen(page), group, people, is_narrow=True)
        await match.sit_down()
        await match.play()
        texts = [message.text for message in await telegram.messages(group, people[0])]
        assert any("won" in text or "wins" in text for text in texts), texts
        assert SIT not in texts[-1]
        await page.close()
