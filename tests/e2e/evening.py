"""A match played on the sandbox's page as people play it: by looking and clicking.

`python -m tests.e2e.evening FOLDER` plays one and keeps pictures of it there; the README shows some of them.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, async_playwright, expect

from tests.browser import chromium_path
from tests.e2e.telegram import Telegram
from tests.sandbox.page.screen import Phone, Screen

CARD = re.compile(r"^(?:[2-9]|10|[ВДКТJQKA])[♠♥♦♣]\ufe0f?$")
SUIT = re.compile(r"^[♠♥♦♣]\ufe0f?$")
TAKE_OR_PASS = re.compile(r"^(?:⬇️|⏭)")
NEXT = re.compile(r"^▶️")

Keep = Callable[[str], Awaitable[None]]


@dataclass(slots=True)
class Evening:
    """People around a table on the page; `keep` is called with a name at each sight worth keeping."""

    screen: Screen
    people: tuple[int, ...]
    keep: Keep
    seen: set[str] = field(default_factory=set)

    async def sit_down(self, *, sit: str, start: str) -> None:
        """The first opens the table; all others press «sit» in the group, and follow it to their chats."""
        await self.screen.shared.write("/game")
        for person in self.people[1:]:
            await self._act_as(person)
            await self.screen.shared.key(sit).click()
            await self.screen.phone(person).part("start").click()
            await self.screen.phone(person).message("/start").wait_for()
        host = self.screen.phone(self.people[0])
        await host.part("start").click()
        await self._act_as(self.people[0])
        await self.screen.shared.message(f"{len(self.people)}.").wait_for()
        await self.keep("lobby")
        await self.screen.shared.key(start).click()

    async def play(self) -> None:
        """Whoever has buttons presses one, until the match is over."""
        while await self.screen.shared.messages("🏆").count() == 0:
            for person in self.people:
                await self._move(self.screen.phone(person))
        await self.screen.shared.message("🏆").wait_for()
        await self.keep("match-end")

    async def _act_as(self, person: int) -> None:
        """On the shared screen, be this person."""
        await self.screen.shared.element.locator(f'[data-testid="actor"][data-user="{person}"]').click()

    async def _move(self, phone: Phone) -> None:
        """Press what a person would: a suit that is asked for, else a card, else «take» or «pass», else «next»."""
        keys = phone.part("key")
        texts = [text.strip() for text in await keys.all_inner_texts()]
        for sight, pattern in (("queen", SUIT), ("turn", CARD), ("take", TAKE_OR_PASS), ("result", NEXT)):
            found = next((text for text in texts if pattern.match(text)), None)
            if found is None:
                continue
            await self._see("eight" if found.startswith("8") else sight)
            # Between the look and the click the bot may have changed the message: then look again.
            with suppress(PlaywrightError):
                await phone.key(found).click(timeout=1_500)
                await expect(phone.part("key").and_(phone.element.locator("[aria-busy=true]"))).to_have_count(
                    0
                )
            return

    async def _see(self, sight: str) -> None:
        if sight not in self.seen:
            self.seen.add(sight)
            await self.keep(sight)


@asynccontextmanager
async def sandbox(**settings: str) -> AsyncIterator[tuple[str, Telegram]]:
    """`python -m sandbox` as a newcomer starts it (but on a free port); its address, and its control routes."""
    command = (sys.executable, "-m", "sandbox", "--port", "0")
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **settings},
    )
    try:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        address = re.search(r"http://\S+", line)
        assert address, f"the sandbox printed {line!r}"
        async with Telegram.connected(address.group(), "") as telegram:
            yield address.group(), telegram
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


QUICK = {"FORCED_SECONDS": "0.2", "DEFAULT_RULES": '{"preset": "classic", "limit": 50}'}


async def play_an_evening(
    page: Page, telegram: Telegram, keep: Keep, *, sit: str, start: str, who: slice
) -> Evening:
    """Three people of the sandbox's own world play a match in their group, from «/game» to the winner."""
    world = await telegram.ask("world")
    people = tuple(user["id"] for user in world["users"])[who]
    await page.get_by_test_id("shared-phone").wait_for()
    evening = Evening(Screen(page), people, keep)
    await evening.sit_down(sit=sit, start=start)
    await evening.play()
    return evening


async def main(folder: Path) -> None:
    """Play, and keep the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    async with sandbox(**QUICK) as (address, telegram), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1500, "height": 900}, locale="ru")
        await page.goto(address)

        async def keep(name: str) -> None:
            await page.wait_for_timeout(400)
            await page.screenshot(path=folder / f"{name}.png")

        await play_an_evening(page, telegram, keep, sit="✋ Сесть", start="▶️ Раздать", who=slice(3))
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
