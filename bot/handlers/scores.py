"""Scores and rules: what anybody may read. A repeated answer replaces the earlier one in the chat."""

from __future__ import annotations

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, command_with_arguments, replace_answer, turn_page
from bot.handlers.guest import Guest, settings_of
from bot.handlers.parts import Parts
from bot.screens import help as guide
from bot.screens import rules, score
from bot.screens.chart import chart_screen
from bot.tables.refusals import Refusal, Refused


async def show_score(parts: Parts, press: Press, asked: callbacks.ShowScore) -> Answer:
    """The score sheet of a table, in the chat where it was asked for."""
    guest = press.guest
    view = await parts.tables.view(asked.table, guest.user_id)

    async def show() -> None:
        await replace_answer(parts, guest, "score", score.score([view], guest.chat_words))

    return Answer(then=show)


async def show_chart(parts: Parts, press: Press, asked: callbacks.ShowChart) -> Answer:
    """The chart of a table's match, in the chat where it was asked for. Raises Refusal: no_rounds."""
    guest = press.guest
    view = await parts.tables.view(asked.table, guest.user_id)
    if not view.rounds:
        raise Refusal(Refused.NO_ROUNDS)

    async def show() -> None:
        await replace_answer(parts, guest, "chart", chart_screen(view, guest.chat_words))

    return Answer(then=show)


async def read_rules(parts: Parts, press: Press, asked: callbacks.ReadRules) -> Answer:
    """Turn the rules' pages; from a table's own button, open the book first."""
    guest = press.guest
    if asked.table:
        view = await parts.tables.view(asked.table, guest.user_id)
        its_rules = view.rules
    else:
        its_rules = (await settings_of(guest.chat_id, parts)).rules
    screen = rules.rules(its_rules, guest.chat_words, parts.bot_username, asked.chapter, asked.table)
    return Answer(then=lambda: turn_page(parts, press, "rules", screen))


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def score_sheet(guest: Guest) -> None:
        """`/score`: the match here, or the last one, in a lobby too; in private, at all one's tables."""
        if guest.is_private:
            table_ids = await parts.tables.running_of(guest.user_id)
            latest = await parts.tables.latest_of(guest.user_id)
            before = await parts.tables.latest_over_of(guest.user_id)
        else:
            table_ids = ()
            latest = await parts.tables.latest_at(guest.chat_id, guest.thread_id)
            before = await parts.tables.latest_over_at(guest.chat_id, guest.thread_id)
        if not table_ids:
            table_ids = () if latest is None else (latest,)
        if not table_ids:
            raise Refusal(Refused.AT_NO_TABLE if guest.is_private else Refused.NO_TABLE)
        views = [await parts.tables.view(table_id, guest.user_id) for table_id in table_ids]
        if before is not None and all(view.game is None for view in views):
            views = [await parts.tables.view(before, guest.user_id)]
        await replace_answer(parts, guest, "score", score.score(views, guest.chat_words))

    async def rule_book(guest: Guest, arguments: list[str]) -> None:
        """`/rules`: the rules as they are played here; with a word behind it, what they say of that."""
        its_rules = (await settings_of(guest.chat_id, parts)).rules
        table_id = await parts.tables.at(guest.chat_id, guest.thread_id)
        if table_id is not None:
            its_rules = (await parts.tables.view(table_id, None)).rules
        if arguments:
            screen = rules.answer(its_rules, guest.chat_words, parts.bot_username, " ".join(arguments))
        else:
            screen = rules.rules(its_rules, guest.chat_words, parts.bot_username)
        await replace_answer(parts, guest, "rules", screen)

    async def help_page(guest: Guest) -> None:
        """`/help`: what there is to press and to type."""
        await replace_answer(parts, guest, "help", guide.help_screen(guest.chat_words, parts.bot_username))

    return [
        command("score", parts, score_sheet),
        command_with_arguments("rules", parts, rule_book),
        command("help", parts, help_page),
    ]
