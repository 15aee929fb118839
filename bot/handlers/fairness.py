"""Trust: how to check a deal, and a finished match as a file."""

from __future__ import annotations

import json
from pathlib import Path

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot.handlers.commands import command, replace_answer, reply
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.screens import help as guide
from bot.screens.fair import fair
from bot.tables.refusals import Refusal, Refused

DEAL = Path(__file__).parent / "files/deal.txt"
"""A program that deals without our code. Not as a module: people run it, and nothing here does."""


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def check(guest: Guest) -> None:
        """`/fair`: how to check a deal, with the keys of the last rounds here, or of one's own last table.

        While a match has no keys to tell yet, those of the one before. In private with a program to check by.
        """
        if guest.is_private:
            latest = await parts.tables.latest_of(guest.user_id)
            before = await parts.tables.latest_over_of(guest.user_id)
        else:
            latest = await parts.tables.latest_at(guest.chat_id, guest.thread_id)
            before = await parts.tables.latest_over_at(guest.chat_id, guest.thread_id)
        view = None
        for table_id in (latest, before):
            if table_id is not None and (view is None or not view.rounds):
                view = await parts.tables.view(table_id, guest.user_id)
        await replace_answer(parts, guest, "fair", fair(view, guest.chat_words))
        if guest.is_private:
            caption = guest.words.plain("fair.deal")
            await parts.presenter.say_file(guest.chat_id, f"{DEAL.stem}.py", DEAL.read_bytes(), caption)

    async def export(guest: Guest) -> None:
        """`/export`: one's last finished match, in private."""
        if not guest.is_private:
            await reply(parts, guest, guide.only_in_private(guest.chat_words, parts.bot_username))
            return
        table_id = await parts.tables.latest_over_of(guest.user_id)
        if table_id is None:
            raise Refusal(Refused.NO_MATCH_YET)
        document = await parts.tables.export(table_id)
        content = json.dumps(document, ensure_ascii=False, indent=1).encode()
        caption = guest.words.plain("export.caption")
        await parts.presenter.say_file(guest.chat_id, f"101-{table_id}.json", content, caption)

    return [command("fair", parts, check), command("export", parts, export)]
