"""Changes of settings: a person's own in private, a group's by those who may; then the page is updated."""

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
from bot.tables.group_settings import SettingsChange
from bot.tables.refusals import Refusal, Refused
from engine import Rules

Describe = Callable[[GroupSettingsView, Translator], str]
"""Describes the choice in a few words."""


@on(buttons.Choose)
async def choose(services: Services, press: Press, asked: buttons.Choose) -> Answer:
    """Set any setting to a value. Raises Refusal."""
    choice = CHOICES[asked.setting]
    if choice.owner is Owner.PERSON:
        return await _choose_own(services, press, choice, asked.value)
    return await _choose_for_group(services, press, choice, asked.value)


async def choose_rules(
    services: Services, press: Press, change: Callable[[Rules], Rules], describe: Describe, page: str
) -> Answer:
    """Change the group's rules, if the presser may. A running match keeps its rules. Raises Refusal."""

    def changed(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, rules=change(before.table.rules)))

    return await _change(services, press, changed, describe, page, next_match=True)


def showing(
    services: Services, press: Press, page: str, tr: Translator | None = None
) -> Callable[[], Awaitable[None]]:
    """Return a function that shows a page of the group's settings in the message that was pressed.

    `tr` defaults to the chat's language.
    """

    async def show() -> None:
        visitor = press.visitor
        group_settings = await services.group_settings.look(visitor.chat_id)
        spoken = tr or visitor.chat_tr
        screen = settings(group_settings, page, spoken, services.catalogues, services.bot_username)
        await turn_page(services, press, Kind.SETTINGS, screen)

    return show


async def own_page(services: Services, user_id: int, tr: Translator) -> Screen:
    """The page of a person's own settings."""
    person = await services.storage.people.get(user_id)
    assert person is not None, "a person who presses or types has been stored"
    return own_settings(person.settings, tr, services.catalogues)


def showing_own(
    services: Services, press: Press, tr: Translator | None = None
) -> Callable[[], Awaitable[None]]:
    """Return a function that shows the presser's own settings in the message that was pressed."""

    async def show() -> None:
        visitor = press.visitor
        screen = await own_page(services, visitor.user_id, tr or visitor.tr)
        await turn_page(services, press, Kind.SETTINGS, screen)

    return show


async def _choose_own(services: Services, press: Press, choice: Choice, value: Value) -> Answer:
    """Change the presser's own setting.

    Raises Refusal: table_gone for a value that is not offered, and outside of private chats.
    """
    visitor = press.visitor
    if not visitor.is_private or value not in choice.values:
        raise Refusal(Refused.TABLE_GONE)
    await services.storage.people.choose(visitor.user_id, choice, value)
    _redraw(services, await services.queries.running_of(visitor.user_id))
    return Answer(then=showing_own(services, press))


async def _choose_for_group(services: Services, press: Press, choice: Choice, value: Value) -> Answer:
    """Change the group's setting, if the presser may. Raises Refusal: table_gone for a value not offered."""
    if choice.admins_only:
        await require_admin(services, press.visitor)

    def changed(before: GroupSettings) -> GroupSettings:
        if value not in (*choice.values, before.value(choice)):
            raise Refusal(Refused.TABLE_GONE)
        return before.choosing(choice, value)

    answer = await _change(
        services,
        press,
        changed,
        lambda _view, tr: value_text(choice, value, tr),
        choice.name,
        next_match=choice.next_match,
    )
    _redraw(services, await services.queries.running_in(press.visitor.chat_id))
    return answer


async def _change(
    services: Services,
    press: Press,
    change: SettingsChange,
    describe: Describe,
    page: str,
    *,
    next_match: bool,
) -> Answer:
    """Change the group's settings, if the presser may; confirm the choice, then show the page.

    `next_match`: a running match is not affected, and the confirmation says so. Raises Refusal.
    """
    visitor = press.visitor
    await require_editor(services, visitor)
    group_settings = await services.group_settings.choose(visitor.chat_id, change)
    toast = chosen(
        describe(group_settings, visitor.tr), visitor.tr, is_playing=group_settings.is_playing and next_match
    )
    return Answer(toast, then=showing(services, press, page))


def _redraw(services: Services, table_ids: Iterable[str]) -> None:
    """Update the messages of these tables, which may show a setting."""
    for table_id in table_ids:
        services.messages.invalidate(table_id)
