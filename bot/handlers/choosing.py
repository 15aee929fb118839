"""Choosing: for oneself in private, for a group by those who may; then the page that shows what is chosen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import turn_page
from bot.handlers.permissions import require_admin, require_editor
from bot.handlers.services import Services
from bot.locales import Translator
from bot.messages.kinds import Kind
from bot.screens.answers import chosen
from bot.screens.screen import Screen
from bot.screens.settings import settings
from bot.screens.settings_layout import value_text
from bot.screens.settings_own import own_settings
from bot.settings import CHOICES, Choice, GroupSettings, Owner, Value
from bot.tables.choices import GroupSettingsView
from bot.tables.group_settings import Change
from bot.tables.refusals import Refusal, Refused
from engine import Rules

Told = Callable[[GroupSettingsView, Translator], str]
"""What was chosen, in a few words."""


@on(buttons.Choose)
async def choose(services: Services, press: Press, asked: buttons.Choose) -> Answer:
    """Choose a value of any setting. Raises Refusal."""
    choice = CHOICES[asked.setting]
    if choice.owner is Owner.PERSON:
        return await _choose_own(services, press, choice, asked.value)
    return await _choose_for_group(services, press, choice, asked.value)


async def choose_rules(
    services: Services, press: Press, change: Callable[[Rules], Rules], told: Told, page: str
) -> Answer:
    """Change the group's rules, if the presser may; a running match keeps its own. Raises Refusal."""

    def changed(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, rules=change(before.table.rules)))

    return await _change(services, press, changed, told, page, next_match=True)


def showing(
    services: Services, press: Press, page: str, tr: Translator | None = None
) -> Callable[[], Awaitable[None]]:
    """What shows a page of the group's settings in the menu that was pressed.

    It speaks the chat's language unless another is given.
    """

    async def show() -> None:
        visitor = press.visitor
        group_settings = await services.group_settings.look(visitor.chat_id)
        spoken = tr or visitor.chat_tr
        screen = settings(group_settings, page, spoken, services.catalogues, services.bot_username)
        await turn_page(services, press, Kind.SETTINGS, screen)

    return show


async def own_page(services: Services, user_id: int, tr: Translator) -> Screen:
    """A person's settings as they are now."""
    person = await services.storage.people.get(user_id)
    assert person is not None, "whoever presses or types has been seen"
    return own_settings(person.settings, tr, services.catalogues)


def showing_own(
    services: Services, press: Press, tr: Translator | None = None
) -> Callable[[], Awaitable[None]]:
    """What shows the presser's own settings in the menu that was pressed."""

    async def show() -> None:
        visitor = press.visitor
        screen = await own_page(services, visitor.user_id, tr or visitor.tr)
        await turn_page(services, press, Kind.SETTINGS, screen)

    return show


# ------------------------------------------------------------------------------------------------ inside


async def _choose_own(services: Services, press: Press, choice: Choice, value: Value) -> Answer:
    """Choose for oneself. Raises Refusal: table_gone outside of private chats, which have no such buttons."""
    visitor = press.visitor
    if not visitor.is_private or value not in choice.values:
        raise Refusal(Refused.TABLE_GONE)
    await services.storage.people.choose(visitor.user_id, choice, value)
    _redraw(services, await services.queries.running_of(visitor.user_id))
    return Answer(then=showing_own(services, press))


async def _choose_for_group(services: Services, press: Press, choice: Choice, value: Value) -> Answer:
    """Choose for the group, if the presser may. Raises Refusal: table_gone for values that no button has."""
    if choice.admins_only:
        await require_admin(services, press.visitor)

    def changed(before: GroupSettings) -> GroupSettings:
        if value not in (*choice.values, before.value(choice)):
            raise Refusal(Refused.TABLE_GONE)
        return before.choosing(choice, value)

    told = await _change(
        services,
        press,
        changed,
        lambda _view, tr: value_text(choice, value, tr),
        choice.name,
        next_match=choice.next_match,
    )
    _redraw(services, await services.queries.running_in(press.visitor.chat_id))
    return told


async def _change(
    services: Services, press: Press, change: Change, told: Told, page: str, *, next_match: bool
) -> Answer:
    """Change the group's settings, if the presser may; say what was chosen, then show the page.

    `next_match`: a running match goes on as it began, which is said. Raises Refusal.
    """
    visitor = press.visitor
    await require_editor(services, visitor)
    group_settings = await services.group_settings.choose(visitor.chat_id, change)
    toast = chosen(
        told(group_settings, visitor.tr), visitor.tr, is_playing=group_settings.is_playing and next_match
    )
    return Answer(toast, then=showing(services, press, page))


def _redraw(services: Services, table_ids: Iterable[str]) -> None:
    """Have the messages of these tables derived anew: a setting may show in them."""
    for table_id in table_ids:
        services.messages.invalidate(table_id)
