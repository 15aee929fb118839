"""Table talk: the question whether to post a private message at the table, and confirmations."""

from __future__ import annotations

from collections.abc import Sequence

from bot.buttons import KeepWords, TellTable
from bot.locales import Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import place_name
from bot.screens.screen import Screen, Style
from bot.tables.view import TableView


def ask_telling(tables: Sequence[TableView], text: str, message_id: int, tr: Translator) -> Screen:
    """Ask whether to post this private message at the table, or at which one of several."""
    said = tr.line(text)
    keep = callback_button(tr.plain("button.keep_words"), KeepWords(message_id, always=False))
    never = callback_button(tr.plain("button.keep_always"), KeepWords(message_id, always=True))
    if len(tables) == 1:
        table = tables[0]
        question = tr("talk.ask", group=place_name(table, tr))
        tell = callback_button(
            tr.plain("button.tell"), TellTable(table.id, message_id, always=False), Style.SUCCESS
        )
        always = callback_button(tr.plain("button.tell_always"), TellTable(table.id, message_id, always=True))
        buttons = rows((tell, keep), (always, never))
    else:
        question = tr("talk.ask_which")
        choices = [
            (callback_button(place_name(it, tr), TellTable(it.id, message_id, always=False), Style.SUCCESS),)
            for it in tables
        ]
        buttons = rows(*choices, (keep, never))
    quoted = tr.plain("talk.quote", text=said) if said else None
    return Screen(page(question, quoted, "", tr("talk.ask_note")), buttons)


def posted(view: TableView, tr: Translator) -> Screen:
    """Confirm that a message was posted, for a person who has no hand yet to show it."""
    return Screen(page(tr("talk.told", group=place_name(view, tr))))


def not_posted(tr: Translator) -> Screen:
    """Say that a message was not posted, because the person has chosen to post none."""
    return Screen(page(tr("talk.kept")))
