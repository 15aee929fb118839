"""What somebody writes to the bot in private: whether it is to be told at the table, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.callbacks import KeepWords, TellTable
from bot.locales import Words
from bot.screens.layout import page, press, rows
from bot.screens.phrases import place_name
from bot.screens.screen import Screen, Style
from bot.tables.view import TableView


def ask_telling(tables: Sequence[TableView], text: str, message_id: int, words: Words) -> Screen:
    """Whether the table is to be told what this message says; of several tables, which one."""
    said = words.line(text)
    keep = press(words.plain("button.keep_words"), KeepWords(message_id, always=False))
    never = press(words.plain("button.keep_always"), KeepWords(message_id, always=True))
    if len(tables) == 1:
        table = tables[0]
        question = words("talk.ask", group=place_name(table, words))
        tell = press(words.plain("button.tell"), TellTable(table.id, message_id, always=False), Style.SUCCESS)
        always = press(words.plain("button.tell_always"), TellTable(table.id, message_id, always=True))
        buttons = rows((tell, keep), (always, never))
    else:
        question = words("talk.ask_which")
        choices = [
            (press(place_name(it, words), TellTable(it.id, message_id, always=False), Style.SUCCESS),)
            for it in tables
        ]
        buttons = rows(*choices, (keep, never))
    quoted = words.plain("talk.quote", text=said) if said else None
    return Screen(page(question, quoted, "", words("talk.ask_note")), buttons)


def told(view: TableView, words: Words) -> Screen:
    """To somebody whose words stand at a table where he has no hand yet that could show them."""
    return Screen(page(words("talk.told", group=place_name(view, words))))


def kept(words: Words) -> Screen:
    """To somebody who has chosen that nothing he writes is told at his table."""
    return Screen(page(words("talk.kept")))
