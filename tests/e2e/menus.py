"""A person at a menu: one message whose pages turn in place, in a group or in a private chat.

He presses buttons that are there, found by what they ask for; `shows` waits until a page says what it should.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons import CallbackData, OpenSettings
from bot.screens.settings_layout import CHAPTER, RULE, page_of
from bot.screens.settings_rules import CHAPTERS
from tests.e2e.players import Club, Person, data_of, has_button
from tests.e2e.telegram import Message, PressAnswer


@dataclass(eq=False)
class Menu:
    """A menu's message, and the person who presses in it."""

    club: Club
    person: Person
    chat: int
    message_id: int

    @classmethod
    async def opened(
        cls, club: Club, person: Person, chat: int, command: str, kind: type[CallbackData]
    ) -> Menu:
        """Send a command and wait for an answer with a button for this."""
        sent = await person.send(chat, command)
        message = await club.until(lambda: newer(club, chat, sent, kind), f"{command} is answered")
        return cls(club, person, chat, message.message_id)

    @classmethod
    async def of_group(cls, club: Club, person: Person | None = None) -> Menu:
        """Open the group's settings, as the host or somebody else."""
        return await cls.opened(club, person or club.host, club.chat, "/settings", OpenSettings)

    @property
    def now(self) -> Message:
        """The message as it is now."""
        found = self.find()
        assert found is not None, f"the menu is gone\n{self.club.all_chats()}"
        return found

    def find(self) -> Message | None:
        """Return the message as it is now; None if it is gone."""
        newest = self.club.running.telegram.newest(self.chat)
        return next((it for it in newest if it.message_id == self.message_id), None)

    def offers(self, asked: CallbackData) -> bool:
        """Return whether there is a button for exactly this."""
        return any(data_of(button) == asked for button in self.now.buttons)

    async def shows(self, text: str) -> Message:
        """Wait until the message contains this text; return it."""
        return await self.club.until(
            lambda: self.now if text in self.now.text else None, f"the page says {text!r}"
        )

    async def turned(self, before: Message) -> Message:
        """Wait until the message has changed; return it."""
        return await self.club.until(lambda: self.now if self.now != before else None, "the page is turned")

    async def until_offered(self, asked: CallbackData) -> None:
        """Wait for a button for exactly this."""
        await self.club.until(lambda: self.offers(asked), f"there is a button for {asked}")

    async def press(self, asked: CallbackData) -> PressAnswer:
        """Press the button for exactly this, as soon as there is one."""
        await self.until_offered(asked)
        now = self.now
        button = next(button for button in now.buttons if data_of(button) == asked)
        return (await self.person.press(now, button)).answer

    async def turn_to_rule(self, name: str) -> None:
        """Turn from the first page, or from another rule's, to the page of a rule."""
        chapter = next(chapter for chapter, names in CHAPTERS.items() if name in names)
        await self.turn_to_first()
        await self.press(OpenSettings(page_of(CHAPTER, chapter)))
        page = OpenSettings(page_of(RULE, name))
        await self.until_offered(page)
        before = self.now
        await self.press(page)
        await self.turned(before)

    async def turn_to_first(self) -> None:
        """Turn back until there is a button for the presets."""
        while not self.offers(OpenSettings("presets")):
            before = self.now
            await self.person.press(before, before.rows[-1][0])
            await self.turned(before)


def newer(club: Club, chat: int, than: int, kind: type[CallbackData]) -> Message | None:
    """Return the newest message with a button for this that came after that one."""
    newest = club.running.telegram.newest(chat)
    return next((it for it in newest if it.message_id > than and has_button(it, kind)), None)
