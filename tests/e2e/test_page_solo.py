"""A newcomer plays the bot alone, by looking and clicking on the sandbox's page, in both languages."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import expect

from tests.browser import DESKTOP, PHONE, OpenPage, browser, page_at
from tests.e2e.page_match import CLICK, sandbox
from tests.sandbox.page.screen import Phone, Screen

__all__ = ["browser", "page_at"]  # pytest finds fixtures by their names in here

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVES = 3


@pytest.mark.parametrize(("language", "name", "size"), [("ru", "Аня", DESKTOP), ("en", "Ann", PHONE)])
async def test_a_newcomer_plays_alone_from_the_lesson_on(
    page_at: OpenPage, language: str, name: str, size: tuple[int, int]
) -> None:
    words = {
        "ru": ("Пропустить", "🤖 Сыграть с ботом", "🤖", "Слабый", "▶️ Начать"),
        "en": ("Skip", "🤖 Play the bot", "🤖", "Weak", "▶️ Start"),
    }[language]
    skip, play, one, easy, begin = words
    async with sandbox(COMPUTER_SECONDS="0") as (address, telegram):
        person = await telegram.new_user(name, language=language)
        screen = Screen(await page_at(address, size=size))
        phone = await screen.be(person)
        if not await phone.part("start").is_visible():
            await phone.open(person)
        await phone.part("start").click()
        for text in (skip, play):
            await phone.key(text).click()
        for choice in (one, easy):
            await phone.key(choice).click()
            await phone.key(f"✅ {choice}").wait_for()
        await phone.key(begin).click()
        await phone.message("🃏").wait_for()
        for _ in range(MOVES):
            await _move(phone)

        async def is_one() -> bool:
            return sum(it.from_bot for it in await telegram.messages(person, person)) == 1

        await telegram.until(is_one)  # for table and hand: what led there has gone
        await screen.page.close()  # before its sandbox goes


async def _move(phone: Phone) -> None:
    """Press the first button that makes a move, as soon as there is one; or the next round's.

    Cards that can only be put aside have another colour.
    """
    wanted = phone.element.locator('[data-testid="key"]:is([data-style="success"], [data-style="primary"])')
    moves = wanted.filter(has_not_text=re.compile("⏱|🤖|➕|▶️ (Начать|Begin)"))
    text = (await moves.first.inner_text()).strip()
    with suppress(PlaywrightError):  # between the look and the click the message may have changed
        await phone.key(text).click(timeout=CLICK)
        await expect(phone.element.locator('[data-testid="key"][aria-busy="true"]')).to_have_count(0)
