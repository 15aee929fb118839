"""Short messages about where the bot may write, who is writing, and where what one looks for has gone."""

from __future__ import annotations

from bot.buttons import MoveTable
from bot.locales import Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import place_name
from bot.screens.screen import Button, Screen, Style
from bot.tables.view import TableView


def masked(tr: Translator, *, as_channel: bool) -> Screen:
    """In a group, to somebody who writes as the group or as a channel: the bot cannot know who he is."""
    return Screen(page(tr("masked.channel" if as_channel else "masked.admin")))


def barred(tr: Translator, group: str) -> Screen:
    """In private, to somebody whose group does not let the bot write."""
    return Screen(page(tr("barred.text", group=tr.title(group))))


def late_answer(tr: Translator, text: str, group: str | None) -> Screen:
    """In private, to somebody whose press took too long to be answered with these words; in which group."""
    title = None if group is None else tr("late.title", group=tr.title(group))
    return Screen(page(title, text))


def topic_gone(view: TableView, tr: Translator) -> Screen:
    """In private, to the host of a table whose topic has been deleted: where it can go on."""
    text = page(tr("topic_gone.text", place=place_name(view, tr)))
    return Screen(
        text, rows((callback_button(tr.plain("button.move_table"), MoveTable(view.id), Style.SUCCESS),))
    )


def hands_sent(tr: Translator, bot_username: str) -> Screen:
    """In a group, to somebody who has asked for his cards: they are in his private chat."""
    button = Button(tr.plain("button.my_cards"), url=f"https://t.me/{bot_username}", style=Style.SUCCESS)
    return Screen(page(tr("hands.sent")), rows((button,)))


def old_hand(tr: Translator) -> Screen:
    """What a hand becomes that another has replaced, if it cannot be deleted: the way to the living one."""
    return Screen(page(tr("old.hand_message")))


def old_table(tr: Translator, url: str | None, bot_username: str) -> Screen:
    """What an old message of a table becomes in its group; `url` leads to the living one, where it can."""
    link = None if url is None else Button(tr.plain("button.to_table"), url=url)
    return Screen(page(tr("old.table_message", bot=bot_username)), rows((link,)))
