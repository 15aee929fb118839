"""Table talk: what a player writes to the bot in private is told at his table. And words that are no command.

At the one where he last played, if he sits at several. It makes no message of its own: his words go from the
chat, where they would bury his cards, and stand under the table and in everybody's hand. Before he has one,
they stay, and he is told where they have gone.
"""

from __future__ import annotations

import logging

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes, MessageHandler, filters

from bot.handlers.commands import replace_answer
from bot.handlers.guest import Guest, meet
from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed
from bot.screens import help as guide
from bot.screens.answers import refusal
from bot.tables.refusals import Refusal, Refused
from engine import Reason

log = logging.getLogger(__name__)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """What is written in private and is no command."""

    async def on_text(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Tell it at the table, or say why not."""
        message = update.message
        guest = await meet(update, parts)
        if message is None or guest is None or not message.text:
            return
        table_id = await parts.tables.played_last_by(guest.user_id)
        if table_id is None and await parts.tables.at(guest.chat_id, 0) is not None:
            await _refuse(parts, guest, Refused.NOBODY_LISTENS)
            return
        if table_id is None:
            await replace_answer(
                parts, guest, "talk", guide.way_to_tables([], guest.words, parts.bot_username)
            )
            return
        try:
            await parts.tables.say(table_id, guest.user_id, message.text)
        except Refusal as refused:
            await _refuse(parts, guest, refused.reason)
            return
        view = await parts.tables.view(table_id, guest.user_id)
        if view.you is None:
            await replace_answer(parts, guest, "talk", guide.told(view, guest.words))
            return
        try:
            await parts.presenter.remove(message.chat_id, message.message_id)
        except CallFailed as failure:
            log.info("words not removed: %s", failure, extra={"user": guest.user_id})

    async def on_unknown_command(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """What begins as a command, and none of the handlers before this one has taken."""
        guest = await meet(update, parts)
        if guest is not None:
            await _refuse(parts, guest, Refused.UNKNOWN_COMMAND)

    private = filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE
    return [
        MessageHandler(private & filters.TEXT & ~filters.COMMAND, on_text),
        MessageHandler(private & filters.COMMAND, on_unknown_command),
    ]


async def _refuse(parts: Parts, guest: Guest, reason: Refused | Reason) -> None:
    """Say why it is not done."""
    notice = guide.notice(refusal(reason, guest.words), reason, guest.words, parts.bot_username)
    await replace_answer(parts, guest, "talk", notice)
