"""`/settings`, a menu with pages, and `/language`; changes of rules and languages.

Permissions are checked at each press, whoever opened the menu. Other settings are changed in `choosing`;
saved rules are in `rule_sets`.
"""

from __future__ import annotations

from dataclasses import replace

from bot import buttons
from bot.handlers import rule_sets
from bot.handlers.answer import Answer, Press, on
from bot.handlers.choosing import choose_rules, own_page, showing, showing_own
from bot.handlers.commands import (
    command,
    command_with_arguments,
    remove_answer,
    reply,
    turn_page,
)
from bot.handlers.endings import end_in_old_language
from bot.handlers.permissions import require_editor
from bot.handlers.scores import read_rules
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens.answers import Done, done, refusal
from bot.screens.rule_summaries import answer
from bot.screens.rule_texts import card_line
from bot.screens.settings import settings
from bot.screens.settings_layout import EFFECT, RULE, Page, page_of
from bot.tables.choices import with_effect, with_transfer, with_value
from bot.tables.refusals import Refusal, Refused
from engine import Effect, Rules


@on(buttons.HouseRules)
async def house_rules(services: Services, press: Press, asked: buttons.HouseRules) -> Answer:
    """Open the settings if the presser may change them, otherwise the rules.

    If Telegram does not say whether they may, the rules are opened and a toast says so.
    """
    try:
        await require_editor(services, press.visitor)
    except Refusal as refused:
        book = await read_rules(services, press, buttons.ReadRules("", asked.table))
        is_known = refused.reason is not Refused.RIGHTS_UNKNOWN
        return book if is_known else replace(book, text=refusal(refused.reason, press.visitor.tr))
    return Answer(then=showing(services, press, Page.FIRST))


@on(buttons.OpenSettings)
async def open_settings(services: Services, press: Press, asked: buttons.OpenSettings) -> Answer:
    """Open a page of the settings."""
    await require_editor(services, press.visitor)
    return Answer(then=showing(services, press, asked.page))


@on(buttons.CloseSettings)
async def close_settings(services: Services, press: Press, _asked: buttons.CloseSettings) -> Answer:
    """Close the menu."""
    await require_editor(services, press.visitor)
    return Answer(then=lambda: remove_answer(services, press, Kind.SETTINGS))


@on(buttons.ChooseRule)
async def choose_rule(services: Services, press: Press, asked: buttons.ChooseRule) -> Answer:
    """Set a rule to a value."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_value(rules, asked.setting, asked.value),
        lambda group_settings, tr: answer(asked.setting, group_settings.rules, tr),
        page_of(RULE, asked.setting),
    )


@on(buttons.ChooseEffect)
async def choose_effect(services: Services, press: Press, asked: buttons.ChooseEffect) -> Answer:
    """Set the effect of a rank or a card."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_effect(rules, asked.key, asked.effect),
        lambda _view, tr: card_line(asked.key, Effect(asked.effect), tr),
        page_of(EFFECT, asked.key),
    )


@on(buttons.AllowTransfer)
async def allow_transfer(services: Services, press: Press, asked: buttons.AllowTransfer) -> Answer:
    """Set whether attacks of a rank can be passed on."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_transfer(rules, asked.rank, asked.allowed),
        lambda group_settings, tr: answer("transfer", group_settings.rules, tr),
        page_of(RULE, "transfer"),
    )


@on(buttons.ChoosePreset)
async def choose_preset(services: Services, press: Press, asked: buttons.ChoosePreset) -> Answer:
    """Use a preset."""
    return await choose_rules(
        services,
        press,
        lambda _rules: Rules.from_document({"preset": asked.preset}),
        lambda _view, tr: tr.plain(f"preset.{asked.preset}"),
        Page.PRESETS,
    )


@on(buttons.SetLanguage)
async def set_language(services: Services, press: Press, asked: buttons.SetLanguage) -> Answer:
    """Set the presser's own language in private, or the group's if they may change its settings."""
    visitor = press.visitor
    tr = services.catalogues.get(asked.language)
    if tr is None:
        raise Refusal(Refused.TABLE_GONE)
    if visitor.is_private:
        await services.storage.people.set_language(visitor.user_id, asked.language)
        marked = await services.queries.running_of(visitor.user_id)
    else:
        await require_editor(services, visitor)
        await services.storage.chats.set_language(visitor.chat_id, asked.language)
        marked = await services.queries.running_in(visitor.chat_id)
    for table_id in marked:
        services.messages.invalidate(table_id)

    async def show() -> None:
        """Show the pressed message in the new language, and end other replies in the old one."""
        kind = await services.storage.replies.find(visitor.chat_id, press.message_id)
        if kind == Kind.LANGUAGES:
            await turn_page(services, press, Kind.LANGUAGES, guide.language_chosen(tr))
        elif kind == Kind.SETTINGS and visitor.is_private:
            await showing_own(services, press, tr)()
        elif kind == Kind.SETTINGS:
            await showing(services, press, Page.LANGUAGE, tr)()
        await end_in_old_language(services, visitor.chat_id, press.message_id)

    return Answer(done(Done.LANGUAGE, tr), then=show)


@command_with_arguments("settings")
async def open_menu(services: Services, visitor: Visitor, arguments: list[str]) -> None:
    """`/settings`: the group's, or a person's own in private; `/settings save NAME` saves the rules."""
    if visitor.is_private:
        screen = await own_page(services, visitor.user_id, visitor.tr)
        await reply(services, visitor, Kind.SETTINGS, screen)
        return
    await require_editor(services, visitor)
    if arguments and rule_sets.means_save(arguments[0], visitor.tr):
        await rule_sets.save(services, visitor, " ".join(arguments[1:]))
        return
    group_settings = await services.group_settings.look(visitor.chat_id)
    screen = settings(group_settings, Page.FIRST, visitor.chat_tr, services.catalogues, services.bot_username)
    await reply(services, visitor, Kind.SETTINGS, screen)


@command("language")
async def language(services: Services, visitor: Visitor) -> None:
    """`/language`: a button for each language."""
    screen = guide.choose_language(visitor.chat_tr, services.catalogues)
    await reply(services, visitor, Kind.LANGUAGES, screen)
