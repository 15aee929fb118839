"""Takes the README's pictures of the sandbox's page after playing its `--script` to the real bot.

`make pictures` takes them anew. Cards are dealt by chance, so no two are alike, and nothing compares them.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright, expect

from tests.browser import chromium_path
from tests.e2e.telegram import Telegram
from tests.patience import PATIENCE
from tests.processes import started
from tests.sandbox.page.screen import Screen

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SCRIPT = PICTURES / "four_friends.jsonl"
CARD = re.compile(r"^(?:[2-9]|10|[ВДКТJQKA])[♠♥♦♣]")


@asynccontextmanager
async def played(script: Path) -> AsyncIterator[tuple[str, Telegram]]:
    """`python -m sandbox --script`, once it has played it all; its address, and its control routes.

    Raises:
        AssertionError: if the script stopped, with what the sandbox said of it.
    """
    command = (sys.executable, "-m", "sandbox", "--port", "0", "--script", str(script))
    said: list[str] = []
    async with started(*command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT) as process:
        assert process.stdout is not None
        while not said or not said[-1].startswith("the script "):
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
            assert line, "".join(said)
            said.append(line.decode())
        assert said[-1].startswith("the script has been played"), "".join(said)
        address = re.search(r"http://127\.0\.0\.1:\d+", "".join(said))
        assert address
        async with Telegram.connected(address.group(), "") as telegram:
            yield address.group(), telegram


async def who_moves(telegram: Telegram) -> int:
    """The person whose newest message has cards on its buttons, as soon as there is one.

    Raises:
        TimeoutError: if that does not happen in time.
    """

    async def mover() -> int | None:
        for user in (await telegram.ask("world"))["users"]:
            for message in await telegram.messages(user["id"], limit=1):
                if any(CARD.match(button.text) for button in message.buttons):
                    return int(user["id"])
        return None

    return await telegram.until(mover)


async def take(folder: Path) -> None:
    """Play the script and put the pictures into a folder."""
    async with played(SCRIPT) as (address, telegram), async_playwright() as playwright:
        mover = await who_moves(telegram)
        # No sandbox of Chromium's own: containers and root cannot have it, and it only ever sees our page.
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        await _picture(browser, address, folder / "everyone.jpg", (1440, 860), "light")
        await _picture(browser, f"{address}/?as={mover}", folder / "hand.jpg", (390, 700), "dark", chat=mover)
        await browser.close()


async def _picture(
    browser: Browser, address: str, path: Path, size: tuple[int, int], theme: str, *, chat: int | None = None
) -> None:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if theme == "dark" else "light",
        locale="ru",
        reduced_motion="reduce",
    )
    page = await context.new_page()
    await page.goto(address)
    screen = Screen(page)
    if chat is not None:
        await screen.phone(chat).open(chat)
    await expect(screen.part("key").filter(has_text=CARD).first).to_be_visible()
    await page.screenshot(path=path, type="jpeg", quality=85)
    await context.close()


if __name__ == "__main__":
    asyncio.run(take(PICTURES))
