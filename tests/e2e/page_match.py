"""Plays a match on the sandbox's page by looking and clicking."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import expect

from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE
from tests.processes import started
from tests.sandbox.page.screen import Phone, Screen

CARD = re.compile(r"^(?:[2-9]|10|[ВДКТJQKA])[♠♥♦♣]\ufe0f?$")
SUIT = re.compile(r"^[♠♥♦♣]\ufe0f?$")
TAKE_OR_PASS = re.compile(r"^(?:⬇️|⏭)")
NEXT = re.compile(r"^▶️")
SIT, START = "✋", "▶️"
CLICK = 4_000
"""Milliseconds after which one looks whether a button that was seen has gone."""


@dataclass(slots=True)
class PageMatch:
    """People around a table on the page; `seen` are the sights that they have met.

    On a wide page everybody is there at once, with the group's screen before them; on a phone's the players
    take turns at being the one who looks, and go from chat to chat.
    """

    screen: Screen
    group: int
    people: Sequence[int]
    is_narrow: bool = False
    seen: set[str] = field(default_factory=set)
    click_timeout: float = CLICK

    async def sit_down(self) -> None:
        """The first opens the table; all others press «sit» in the group, and follow it to their chats."""
        host, *guests = self.people
        await (await self._in_group(host)).write("/game")
        for person in guests:
            await self._press(await self._in_group(person), SIT)
            await self._start(self.screen.phone(person))
        await self._start(await self._in_private(host))
        group = await self._in_group(host)
        await group.message(f"{len(self.people)}. ").wait_for()
        self.seen.add("lobby")
        await self._press(group, START)

    async def play(self) -> None:
        """Press buttons for whoever has some, until the match is over."""
        while not await self._is_over():
            for person in self.people:
                await self._move(await self._in_private(person))
        group = await self._in_group(self.people[0])
        await group.message("🏆").wait_for()
        self.seen.add("match-end")

    async def _is_over(self) -> bool:
        """The hands say it too, so on a phone nobody has to go to the group for it."""
        phone = self.screen.phone(self.people[-1]) if self.is_narrow else self.screen.shared
        return await phone.messages("🏆").count() > 0

    async def _move(self, phone: Phone) -> None:
        """Press what a person would: a suit that is asked for, a card, «take» or «pass», «next»."""
        texts = [text.strip() for text in await phone.part("key").all_inner_texts()]
        for sight, pattern in (("queen", SUIT), ("turn", CARD), ("take", TAKE_OR_PASS), ("result", NEXT)):
            found = next((text for text in texts if pattern.match(text)), None)
            if found is None:
                continue
            self.seen.add("eight" if found.startswith("8") else sight)
            # Between the look and the click the bot may have changed the message: then look again.
            with suppress(PlaywrightError):
                await phone.key(found).click(timeout=self.click_timeout)
                await expect(phone.element.locator('[data-testid="key"][aria-busy="true"]')).to_have_count(0)
                return
            if await phone.key(found).count() > 0:  # it has not gone: the page needs more time for a click
                self.click_timeout *= 2
            return

    async def _press(self, phone: Phone, sign: str) -> None:
        await phone.part("key").filter(has_text=re.compile(f"^{sign}")).last.click()

    async def _start(self, phone: Phone) -> None:
        await phone.part("start").click()
        await phone.message("/start").wait_for()

    async def _in_group(self, person: int) -> Phone:
        """The group as this person sees it, and writes there."""
        if self.is_narrow:
            return await self._on_phone(person, self.group)
        await self.screen.shared.element.locator(f'[data-testid="actor"][data-user="{person}"]').click()
        return self.screen.shared

    async def _in_private(self, person: int) -> Phone:
        """A person's chat with the bot."""
        return await self._on_phone(person, person) if self.is_narrow else self.screen.phone(person)

    async def _on_phone(self, person: int, chat: int) -> Phone:
        """Be this person, with this chat open."""
        phone = await self.screen.be(person)
        if await phone.element.locator(f'[data-testid="chat"][data-chat="{chat}"]').is_visible():
            return phone
        if await phone.part("back").is_visible():
            await phone.part("back").click()
        await phone.open(chat)
        return phone


@asynccontextmanager
async def sandbox(**settings: str) -> AsyncIterator[tuple[str, Telegram]]:
    """Run `python -m sandbox` on a free port as a newcomer would; return its address and control routes."""
    async with started(
        *(sys.executable, "-m", "sandbox", "--port", "0"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **QUICK, **settings},
    ) as process:
        assert process.stdout is not None
        line = (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode()
        address = re.search(r"http://\S+", line)
        assert address, f"the sandbox printed {line!r}"
        async with Telegram.connected(address.group(), "") as telegram:
            yield address.group(), telegram


QUICK = {
    "FORCED_SECONDS": "0.2",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 50, "points": "heavy", "game_end": "first_bust"}',
}
"""For a short match."""


async def friends(telegram: Telegram) -> tuple[int, list[int]]:
    """The group that is there from the beginning, and three of the people in it."""
    world = await telegram.ask("world")
    return world["chats"][0]["id"], [user["id"] for user in world["users"]][:3]
