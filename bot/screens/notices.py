"""Short notices about write permissions, anonymous senders, late answers and replaced messages."""

from __future__ import annotations

from bot.buttons import MoveTable
from bot.locales import Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import place_name
from bot.screens.screen import Button, Screen, Style
from bot.tables.view import TableView


def anonymous_sender(tr: Translator, *, as_channel: bool) -> Screen:
    """The answer in a group to a command sent as the group or as a channel, which hides the person."""
    return Screen(page(tr("masked.channel" if as_channel else "masked.admin")))


def write_forbidden_notice(tr: Translator, group: str) -> Screen:
    """The private notice that the bot may not write in a group."""
    return Screen(page(tr("barred.text", group=tr.title(group))))


def late_answer(tr: Translator, text: str, group: str | None) -> Screen:
    """The private message with an answer that was too late for its press in `group` (None: in private)."""
    title = None if group is None else tr("late.title", group=tr.title(group))
    return Screen(page(title, text))


def topic_deleted(view: TableView, tr: Translator) -> Screen:
    """The private notice to the host that the table's topic was deleted, with a button to move the table."""
    text = page(tr("topic_gone.text", place=place_name(view, tr)))
    return Screen(
        text, rows((callback_button(tr.plain("button.move_table"), MoveTable(view.id), Style.SUCCESS),))
    )


def hands_sent(tr: Translator, bot_username: str) -> Screen:
    """The answer in a group to a person who asked for their cards, which are in the private chat."""
    button = Button(tr.plain("button.my_cards"), url=f"https://t.me/{bot_username}", style=Style.SUCCESS)
    return Screen(page(tr("hands.sent")), rows((button,)))


def old_hand(tr: Translator) -> Screen:
    """The content of a superseded hand that cannot be deleted."""
    return Screen(page(tr("old.hand_message")))


def old_table(tr: Translator, url: str | None, bot_username: str) -> Screen:
    """The content of a superseded table message; `url` links to the current one, if possible."""
    link = None if url is None else Button(tr.plain("button.to_table"), url=url)
    return Screen(page(tr("old.table_message", bot=bot_username)), rows((link,)))
