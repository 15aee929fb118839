"""Making a choice for a group: may he, the house, a toast on what was chosen, the page that shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.handlers.answer import Answer, Press
from bot.handlers.commands import turn_page
from bot.handlers.permissions import require_editor
from bot.handlers.services import Services
from bot.locales import Translator
from bot.messages.kinds import Kind
from bot.screens.answers import chosen
from bot.screens.settings import settings
from bot.tables.choices import GroupSettings, GroupSettingsView
from bot.tables.group_settings import Choice
from engine import Rules

Told = Callable[[GroupSettingsView, Translator], str]
"""What was chosen, in a few words."""


async def choose(
    services: Services, press: Press, choice: Choice, told: Told, page: str, *, at_once: bool = False
) -> Answer:
    """Let the house make this choice, if he who presses may; then show the page. Raises Refusal.

    `at_once`: it holds for a match that is running too.
    """
    visitor = press.visitor
    await require_editor(services, visitor)
    house = await services.house.choose(visitor.chat_id, choice)
    toast = chosen(told(house, visitor.tr), visitor.tr, is_playing=house.is_playing and not at_once)
    return Answer(toast, then=showing(services, press, page))


async def choose_rules(
    services: Services, press: Press, change: Callable[[Rules], Rules], told: Told, page: str
) -> Answer:
    """The same for a choice of rules."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, rules=change(before.table.rules)))

    return await choose(services, press, choice, told, page)


def showing(
    services: Services, press: Press, page: str, tr: Translator | None = None
) -> Callable[[], Awaitable[None]]:
    """What shows a page of the settings in the menu that was pressed; in the chat's language, or this one."""

    async def show() -> None:
        visitor = press.visitor
        house = await services.house.look(visitor.chat_id)
        spoken = tr or visitor.chat_tr
        screen = settings(house, page, spoken, services.catalogues, services.bot_username)
        await turn_page(services, press, Kind.SETTINGS, screen)

    return show
