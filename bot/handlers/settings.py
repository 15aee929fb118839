"""The group's settings: a menu that turns its pages in place, and every choice on them.

Each press is checked anew, whoever opened the menu. One's own settings, which the same command opens in
private, are in `own_settings`; saved rules are in `rule_sets`.
"""

from __future__ import annotations

from dataclasses import replace

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers import own_settings, rule_sets
from bot.handlers.answer import Answer, Press
from bot.handlers.choosing import MENU, choose, choose_rules, showing
from bot.handlers.commands import (
    command,
    command_with_arguments,
    remove_answer,
    replace_answer,
    turn_page,
)
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.handlers.rights import require_admin, require_editor
from bot.handlers.scores import read_rules
from bot.screens import help as guide
from bot.screens.answers import Done, done, refusal
from bot.screens.briefs import answer
from bot.screens.layout import pace
from bot.screens.sentences import card_line
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

LANGUAGES = "language"
"""The kind of answer that a choice of languages is."""


async def house_rules(parts: Parts, press: Press, asked: callbacks.HouseRules) -> Answer:
    """From the lobby: the settings for who may choose, and the book of rules for everybody else.

    It is opened too where Telegram does not say who may, and that is told.
    """
    try:
        await require_editor(parts, press.guest)
    except Refusal as refused:
        book = await read_rules(parts, press, callbacks.ReadRules("", asked.table))
        is_known = refused.reason is not Refused.RIGHTS_UNKNOWN
        return book if is_known else replace(book, text=refusal(refused.reason, press.guest.words))
    return Answer(then=showing(parts, press, Page.FIRST))


async def open_settings(parts: Parts, press: Press, asked: callbacks.OpenSettings) -> Answer:
    """Turn to a page."""
    await require_editor(parts, press.guest)
    return Answer(then=showing(parts, press, asked.page))


async def close_settings(parts: Parts, press: Press, _asked: callbacks.CloseSettings) -> Answer:
    """Put the menu away."""
    await require_editor(parts, press.guest)
    return Answer(then=lambda: remove_answer(parts, press, MENU))


async def choose_rule(parts: Parts, press: Press, asked: callbacks.ChooseRule) -> Answer:
    """A value of one of the rules."""
    return await choose_rules(
        parts,
        press,
        lambda rules: with_value(rules, asked.setting, asked.value),
        lambda house, words: answer(asked.setting, house.rules, words),
        page_of(RULE, asked.setting),
    )


async def choose_effect(parts: Parts, press: Press, asked: callbacks.ChooseEffect) -> Answer:
    """What a rank or a card does."""
    return await choose_rules(
        parts,
        press,
        lambda rules: with_effect(rules, asked.key, asked.effect),
        lambda _house, words: card_line(asked.key, Effect(asked.effect), words),
        page_of(EFFECT, asked.key),
    )


async def allow_transfer(parts: Parts, press: Press, asked: callbacks.AllowTransfer) -> Answer:
    """Whether attacks of a rank can be passed on."""
    return await choose_rules(
        parts,
        press,
        lambda rules: with_transfer(rules, asked.rank, asked.allowed),
        lambda house, words: answer("transfer", house.rules, words),
        page_of(RULE, "transfer"),
    )


async def choose_preset(parts: Parts, press: Press, asked: callbacks.ChoosePreset) -> Answer:
    """A preset as it is."""
    return await choose_rules(
        parts,
        press,
        lambda _rules: Rules.from_document({"preset": asked.preset}),
        lambda _house, words: words.plain(f"preset.{asked.preset}"),
        Page.PRESETS,
    )


async def choose_pace(parts: Parts, press: Press, asked: callbacks.ChoosePace) -> Answer:
    """The time for a turn."""
    seconds = asked.seconds or None

    def choice(before: GroupSettings) -> GroupSettings:
        if seconds not in (*PACES, before.table.turn_seconds):
            raise Refusal(Refused.TABLE_GONE)
        return replace(before, table=replace(before.table, turn_seconds=seconds))

    return await choose(parts, press, choice, lambda _house, words: pace(seconds, words), Page.PACE)


async def choose_cut(parts: Parts, press: Press, asked: callbacks.ChooseCut) -> Answer:
    """Whether the deck is cut."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, cut=asked.cut))

    return await choose(parts, press, choice, lambda _house, words: cut_answer(asked.cut, words), Page.CUT)


async def choose_talk(parts: Parts, press: Press, asked: callbacks.ChooseTalk) -> Answer:
    """Whether there is table talk."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, talk=asked.talk))

    return await choose(
        parts, press, choice, lambda _house, words: talk_answer(asked.talk, words), Page.TALK, at_once=True
    )


async def choose_look(parts: Parts, press: Press, asked: callbacks.ChooseLook) -> Answer:
    """How tables are seen: the one that is played at too, and at once."""
    try:
        look = Look(asked.look)
    except ValueError:
        raise Refusal(Refused.TABLE_GONE) from None
    answer = await choose(
        parts,
        press,
        lambda before: replace(before, look=look),
        lambda _house, words: look_answer(look, words),
        Page.LOOK,
        at_once=True,
    )
    for table_id in await parts.tables.running_in(press.guest.chat_id):
        parts.presenter.mark(table_id)
    return answer


async def choose_stand_in(parts: Parts, press: Press, asked: callbacks.ChooseStandIn) -> Answer:
    """Who moves for those who are away."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, stand_in=asked.stand_in))

    return await choose(
        parts,
        press,
        choice,
        lambda _house, words: stand_in_answer(asked.stand_in, words),
        Page.STAND_IN,
        at_once=True,
    )


async def choose_hints(parts: Parts, press: Press, asked: callbacks.ChooseHints) -> Answer:
    """Whether there are hints."""

    def choice(before: GroupSettings) -> GroupSettings:
        return replace(before, table=replace(before.table, hints=asked.hints))

    return await choose(
        parts, press, choice, lambda _house, words: hints_answer(asked.hints, words), Page.HINTS, at_once=True
    )


async def choose_editors(parts: Parts, press: Press, asked: callbacks.ChooseEditors) -> Answer:
    """Who may choose: that is for admins to say."""
    await require_admin(parts, press.guest)
    try:
        editors = Editors(asked.editors)
    except ValueError:
        raise Refusal(Refused.TABLE_GONE) from None
    return await choose(
        parts,
        press,
        lambda before: replace(before, editors=editors),
        lambda _house, words: editors_answer(editors, words),
        Page.EDITORS,
        at_once=True,
    )


async def set_language(parts: Parts, press: Press, asked: callbacks.SetLanguage) -> Answer:
    """One's own language in private; the group's in a group, for who may choose there."""
    guest = press.guest
    words = parts.catalogues.get(asked.language)
    if words is None:
        raise Refusal(Refused.TABLE_GONE)
    if guest.is_private:
        await parts.storage.people.set_language(guest.user_id, asked.language)
        marked = await parts.tables.running_of(guest.user_id)
    else:
        await require_editor(parts, guest)
        await parts.storage.chats.set_language(guest.chat_id, asked.language)
        marked = await parts.tables.running_in(guest.chat_id)
    for table_id in marked:
        parts.presenter.mark(table_id)

    async def show() -> None:
        """The message that was pressed, in that language; a menu stays one."""
        kind = await parts.storage.replies.find(guest.chat_id, press.message_id)
        if kind == LANGUAGES:
            await turn_page(parts, press, LANGUAGES, guide.language_chosen(words))
        elif kind == MENU and guest.is_private:
            await own_settings.show(parts, press, words)
        elif kind == MENU:
            await showing(parts, press, Page.LANGUAGE, words)()

    return Answer(done(Done.LANGUAGE, words), then=show)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def open_menu(guest: Guest, arguments: list[str]) -> None:
        """`/settings`: the group's, in private one's own; `/settings save NAME` keeps the group's rules."""
        if guest.is_private:
            await replace_answer(
                parts, guest, MENU, await own_settings.page(parts, guest.user_id, guest.words)
            )
            return
        await require_editor(parts, guest)
        if arguments and rule_sets.means_save(arguments[0], guest.words):
            await rule_sets.save(parts, guest, " ".join(arguments[1:]))
            return
        house = await parts.house.look(guest.chat_id)
        screen = settings(house, Page.FIRST, guest.chat_words, parts.catalogues, parts.bot_username)
        await replace_answer(parts, guest, MENU, screen)

    async def language(guest: Guest) -> None:
        """`/language`: a button for each language there is."""
        screen = guide.choose_language(guest.chat_words, parts.catalogues)
        await replace_answer(parts, guest, LANGUAGES, screen)

    return [command_with_arguments("settings", parts, open_menu), command("language", parts, language)]
