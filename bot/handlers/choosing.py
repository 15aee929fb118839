"""Making a choice for a group: may he, the house, a toast on what was chosen, the page that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.handlers.answer import Answer, Press
from bot.handlers.commands import turn_page
from bot.handlers.parts import Parts
from bot.handlers.rights import require_editor
from bot.locales import Words
from bot.screens.answers import chosen
from bot.screens.settings import settings
from bot.tables.choices import GroupSettings, HouseView
from bot.tables.house import Choice
from engine import Rules

MENU = "settings"
"""The kind of answer that a menu of settings is."""

Told = Callable[[HouseView, Words], str]
"""What was chosen, in a few words."""


async def choose(
    parts: Parts, press: Press, choice: Choice, told: Told, page: str, *, at_once: bool = False
) -> Answer:
    """Let the house make this choice, if he who presses may; then show the page. Raises Refusal.

    `at_once`: it holds for a match that is running too.
    """
    guest = press.guest
    await require_editor(parts, guest)
    house = await parts.house.choose(guest.chat_id, choice)
    toast = chosen(told(house, guest.words), guest.words, is_playing=house.is_playing and not at_once)
    return Answer(toast, then=showing(parts, press, page))


async def choose_rules(
    parts: Parts, press: Press, change: Callable[[Rules], Rules], told: Told, page: str
) -> Answer:
    """The same for a choice of rules."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, rules=change(before.table.rules)))

    return await choose(parts, press, choice, told, page)


def showing(
    parts: Parts, press: Press, page: str, words: Words | None = None
) -> Callable[[], Awaitable[None]]:
    """What shows a page of the settings in the menu that was pressed; in the chat's language, or this one."""

    async def show() -> None:
        guest = press.guest
        house = await parts.house.look(guest.chat_id)
        spoken = words or guest.chat_words
        screen = settings(house, page, spoken, parts.catalogues, parts.bot_username)
        await turn_page(parts, press, MENU, screen)

    return show
