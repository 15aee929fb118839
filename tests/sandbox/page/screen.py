"""The sandbox's page in a test's words: phones, chats, messages, buttons.

Uses only the hooks that the head of ``sandbox/page/js/main.js`` promises.
"""

import re
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Locator, Page, expect

from tests.browser import OpenPage
from tests.e2e.telegram import Telegram


@dataclass(frozen=True, slots=True)
class Phone:
    """One phone on the page, or the shared screen."""

    element: Locator

    def part(self, testid: str) -> Locator:
        """Whatever has this hook on the phone."""
        return self.element.get_by_test_id(testid)

    def row(self, chat: int) -> Locator:
        """A chat in the list."""
        return self.element.locator(f'[data-testid="chat-row"][data-chat="{chat}"]')

    async def open(self, chat: int) -> None:
        """Press on a chat in the list, and wait until it is there."""
        await self.row(chat).click()
        await expect(self.element.locator(f'[data-testid="chat"][data-chat="{chat}"]')).to_be_visible()

    def message(self, words: str) -> Locator:
        """The newest message that contains these words."""
        return self.part("message").filter(has_text=words).last

    def messages(self, words: str) -> Locator:
        """All messages that contain these words."""
        return self.part("message").filter(has_text=words)

    def text(self, exact: str) -> Locator:
        """The newest message's text that is exactly this."""
        return self.part("text").filter(has_text=re.compile(f"^{re.escape(exact)}$")).last

    def key(self, words: str) -> Locator:
        """The newest inline button with this text."""
        return self.part("key").filter(has_text=re.compile(f"^{re.escape(words)}$")).last

    async def write(self, text: str) -> None:
        """Type a text and send it."""
        composer = self.part("composer")
        await composer.fill(text)
        await composer.press("Enter")
        await expect(composer).to_have_value("")

    async def choose(self, message: Locator, item: str) -> None:
        """Take something from a message's menu."""
        await message.hover()
        await message.get_by_test_id("message-menu").click()
        await self.element.page.get_by_test_id(item).click()

    async def choose_in_chat(self, item: str) -> None:
        """Take something from the open chat's menu."""
        await self.part("chat-menu").click()
        await self.element.page.get_by_test_id(item).click()

    async def choose_as_person(self, item: str) -> None:
        """Take something from the person's menu."""
        await self.part("person-menu").click()
        await self.element.page.get_by_test_id(item).click()


@dataclass(frozen=True, slots=True)
class Screen:
    """The whole page."""

    page: Page

    def part(self, testid: str) -> Locator:
        """Whatever has this hook."""
        return self.page.get_by_test_id(testid)

    def phone(self, user: int) -> Phone:
        """A person's phone."""
        return Phone(self.page.locator(f'[data-testid="phone"][data-user="{user}"]'))

    @property
    def shared(self) -> Phone:
        """The screen before the phones."""
        return Phone(self.part("shared-phone"))

    async def be(self, user: int) -> Phone:
        """Switch the page to one person."""
        await self.part("mode-one").click()
        await self.page.locator(f'[data-testid="person"][data-user="{user}"]').click()
        await expect(self.phone(user).element).to_be_visible()
        return self.phone(user)

    async def see_everyone(self) -> None:
        """Put all phones side by side."""
        await self.part("mode-everyone").click()

    async def choose(self, item: str) -> None:
        """Take something from the page's menu."""
        await self.part("app-menu").click()
        await self.part(item).click()

    async def submit(self, **fields: str) -> None:
        """Fill the open dialog's fields and send it; it closes if all went well."""
        for name, value in fields.items():
            await self.part(f"field-{name}").fill(value)
        await self.part("dialog-submit").click()
        await expect(self.part("dialog-submit")).to_have_count(0)

    def member(self, who: int | str) -> Locator:
        """A line of the members dialog."""
        return self.page.locator(f'[data-testid="member"][data-user="{who}"]')

    async def do_to_member(self, who: int | str, item: str) -> None:
        """Take something from a member's menu."""
        await self.member(who).get_by_test_id("member-menu").click()
        await self.part(item).click()


@dataclass(frozen=True, slots=True)
class Stage:
    """Two people, a supergroup that Аня owns and both of them are in with the bot, and nothing said yet."""

    telegram: Telegram
    anya: int
    boris: int
    club: int
    open_page: OpenPage

    async def screen(self, *, user: int | None = None, **options: Any) -> Screen:
        """The page in a fresh browser profile and listening; as one person sees it if ``user`` is given.

        ``options`` are those of ``page_at``.
        """
        query = "" if user is None else f"/?as={user}"
        page = await self.open_page(f"{self.telegram.url}{query}", **options)
        await page.locator('[data-testid="desk"][data-online="true"]').wait_for()
        return Screen(page)

    async def phone(self, user: int, **options: Any) -> Phone:
        """The phone of one person, alone on the page."""
        return (await self.screen(user=user, **options)).phone(user)
