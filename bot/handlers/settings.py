"""The group's settings: a menu that turns its pages in place, and every choice on them.

Each press is checked anew, whoever opened the menu. One's own settings, which the same command opens in
private, are in `own_settings`; saved rules are in `rule_sets`.
"""

from __future__ import annotations

from dataclasses import replace

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import buttons
from bot.handlers import own_settings, rule_sets
from bot.handlers.answer import Answer, Press, on
from bot.handlers.choosing import choose, choose_rules, showing
from bot.handlers.commands import (
    command,
    command_with_arguments,
    remove_answer,
    reply,
    turn_page,
)
from bot.handlers.endings import end_in_old_language
from bot.handlers.permissions import require_admin, require_editor
from bot.handlers.scores import read_rules
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens.answers import Done, done, refusal
from bot.screens.layout import pace
from bot.screens.rule_summaries import answer
from bot.screens.rule_texts import card_line
from bot.screens.settings import (
    cut_answer,
    editors_answer,
    hints_answer,
    look_answer,
    settings,
    stand_in_answer,
    talk_answer,
)
from bot.screens.settings_layout import EFFECT, RULE, Page, page_of
from bot.tables.choices import PACES, Editors, GroupSettings, Look, with_effect, with_transfer, with_value
from bot.tables.refusals import Refusal, Refused
from engine import Effect, Rules


@on(buttons.HouseRules)
async def house_rules(services: Services, press: Press, asked: buttons.HouseRules) -> Answer:
    """From the lobby: the settings for who may choose, and the book of rules for everybody else.

    It is opened too where Telegram does not say who may, and that is told.
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
    """Turn to a page."""
    await require_editor(services, press.visitor)
    return Answer(then=showing(services, press, asked.page))


@on(buttons.CloseSettings)
async def close_settings(services: Services, press: Press, _asked: buttons.CloseSettings) -> Answer:
    """Put the menu away."""
    await require_editor(services, press.visitor)
    return Answer(then=lambda: remove_answer(services, press, Kind.SETTINGS))


@on(buttons.ChooseRule)
async def choose_rule(services: Services, press: Press, asked: buttons.ChooseRule) -> Answer:
    """A value of one of the rules."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_value(rules, asked.setting, asked.value),
        lambda house, tr: answer(asked.setting, house.rules, tr),
        page_of(RULE, asked.setting),
    )


@on(buttons.ChooseEffect)
async def choose_effect(services: Services, press: Press, asked: buttons.ChooseEffect) -> Answer:
    """What a rank or a card does."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_effect(rules, asked.key, asked.effect),
        lambda _house, tr: card_line(asked.key, Effect(asked.effect), tr),
        page_of(EFFECT, asked.key),
    )


@on(buttons.AllowTransfer)
async def allow_transfer(services: Services, press: Press, asked: buttons.AllowTransfer) -> Answer:
    """Whether attacks of a rank can be passed on."""
    return await choose_rules(
        services,
        press,
        lambda rules: with_transfer(rules, asked.rank, asked.allowed),
        lambda house, tr: answer("transfer", house.rules, tr),
        page_of(RULE, "transfer"),
    )


@on(buttons.ChoosePreset)
async def choose_preset(services: Services, press: Press, asked: buttons.ChoosePreset) -> Answer:
    """A preset as it is."""
    return await choose_rules(
        services,
        press,
        lambda _rules: Rules.from_document({"preset": asked.preset}),
        lambda _house, tr: tr.plain(f"preset.{asked.preset}"),
        Page.PRESETS,
    )


@on(buttons.ChoosePace)
async def choose_pace(services: Services, press: Press, asked: buttons.ChoosePace) -> Answer:
    """The time for a turn."""
    seconds = asked.seconds or None

    def choice(before: GroupSettings) -> GroupSettings:
        if seconds not in (*PACES, before.table.turn_seconds):
            raise Refusal(Refused.TABLE_GONE)
        return replace(before, table=replace(before.table, turn_seconds=seconds))

    return await choose(services, press, choice, lambda _house, tr: pace(seconds, tr), Page.PACE)


@on(buttons.ChooseCut)
async def choose_cut(services: Services, press: Press, asked: buttons.ChooseCut) -> Answer:
    """Whether the deck is cut."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, cut=asked.cut))

    return await choose(services, press, choice, lambda _house, tr: cut_answer(asked.cut, tr), Page.CUT)


@on(buttons.ChooseTalk)
async def choose_talk(services: Services, press: Press, asked: buttons.ChooseTalk) -> Answer:
    """Whether there is table talk."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, talk=asked.talk))

    return await choose(
        services, press, choice, lambda _house, tr: talk_answer(asked.talk, tr), Page.TALK, at_once=True
    )


@on(buttons.ChooseLook)
async def choose_look(services: Services, press: Press, asked: buttons.ChooseLook) -> Answer:
    """How tables are seen: the one that is played at too, and at once."""
    try:
        look = Look(asked.look)
    except ValueError:
        raise Refusal(Refused.TABLE_GONE) from None
    answer = await choose(
        services,
        press,
        lambda before: replace(before, look=look),
        lambda _house, tr: look_answer(look, tr),
        Page.LOOK,
        at_once=True,
    )
    for table_id in await services.queries.running_in(press.visitor.chat_id):
        services.messages.invalidate(table_id)
    return answer


@on(buttons.ChooseStandIn)
async def choose_stand_in(services: Services, press: Press, asked: buttons.ChooseStandIn) -> Answer:
    """Who moves for those who are away."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, stand_in=asked.stand_in))

    return await choose(
        services,
        press,
        choice,
        lambda _house, tr: stand_in_answer(asked.stand_in, tr),
        Page.STAND_IN,
        at_once=True,
    )


@on(buttons.ChooseHints)
async def choose_hints(services: Services, press: Press, asked: buttons.ChooseHints) -> Answer:
    """Whether there are hints."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, hints=asked.hints))

    return await choose(
        services, press, choice, lambda _house, tr: hints_answer(asked.hints, tr), Page.HINTS, at_once=True
    )


@on(buttons.ChooseEditors)
async def choose_editors(services: Services, press: Press, asked: buttons.ChooseEditors) -> Answer:
    """Who may choose: that is for admins to say."""
    await require_admin(services, press.visitor)
    try:
        editors = Editors(asked.editors)
    except ValueError:
        raise Refusal(Refused.TABLE_GONE) from None
    return await choose(
        services,
        press,
        lambda before: replace(before, editors=editors),
        lambda _house, tr: editors_answer(editors, tr),
        Page.EDITORS,
        at_once=True,
    )


@on(buttons.SetLanguage)
async def set_language(services: Services, press: Press, asked: buttons.SetLanguage) -> Answer:
    """One's own language in private; the group's in a group, for who may choose there."""
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
        """The message that was pressed, in that language; a menu stays one, and others close."""
        kind = await services.storage.replies.find(visitor.chat_id, press.message_id)
        if kind == Kind.LANGUAGES:
            await turn_page(services, press, Kind.LANGUAGES, guide.language_chosen(tr))
        elif kind == Kind.SETTINGS and visitor.is_private:
            await own_settings.show(services, press, tr)
        elif kind == Kind.SETTINGS:
            await showing(services, press, Page.LANGUAGE, tr)()
        await end_in_old_language(services, visitor.chat_id, press.message_id)

    return Answer(done(Done.LANGUAGE, tr), then=show)


def handlers(services: Services) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def open_menu(visitor: Visitor, arguments: list[str]) -> None:
        """`/settings`: the group's, in private one's own; `/settings save NAME` keeps the group's rules."""
        if visitor.is_private:
            await reply(
                services,
                visitor,
                Kind.SETTINGS,
                await own_settings.page(services, visitor.user_id, visitor.tr),
            )
            return
        await require_editor(services, visitor)
        if arguments and rule_sets.means_save(arguments[0], visitor.tr):
            await rule_sets.save(services, visitor, " ".join(arguments[1:]))
            return
        house = await services.house.look(visitor.chat_id)
        screen = settings(house, Page.FIRST, visitor.chat_tr, services.catalogues, services.bot_username)
        await reply(services, visitor, Kind.SETTINGS, screen)

    async def language(visitor: Visitor) -> None:
        """`/language`: a button for each language there is."""
        screen = guide.choose_language(visitor.chat_tr, services.catalogues)
        await reply(services, visitor, Kind.LANGUAGES, screen)

    return [command_with_arguments("settings", services, open_menu), command("language", services, language)]
