"""Short messages about where the bot may write, who is writing, and where what one looks for has gone."""

from __future__ import annotations

from bot.locales import Words
from bot.screens.layout import page, rows
from bot.screens.screen import Button, Screen, Style


def masked(words: Words, *, as_channel: bool) -> Screen:
    """In a group, to somebody who writes as the group or as a channel: the bot cannot know who he is."""
    return Screen(page(words("masked.channel" if as_channel else "masked.admin")))


def barred(words: Words, group: str) -> Screen:
    """In private, to somebody whose group does not let the bot write."""
    return Screen(page(words("barred.text", group=words.title(group))))


def late_answer(words: Words, text: str, group: str | None) -> Screen:
    """In private, to somebody whose press took too long to be answered with these words; in which group."""
    title = None if group is None else words("late.title", group=words.title(group))
    return Screen(page(title, text))


def hands_sent(words: Words, bot_username: str) -> Screen:
    """In a group, to somebody who has asked for his cards: they are in his private chat."""
    button = Button(words.plain("button.my_cards"), url=f"https://t.me/{bot_username}", style=Style.SUCCESS)
    return Screen(page(words("hands.sent")), rows((button,)))


def old_hand(words: Words) -> Screen:
    """What a hand becomes that another has replaced, if it cannot be deleted: the way to the living one."""
    return Screen(page(words("old.hand_message")))


def old_table(words: Words, url: str | None, bot_username: str) -> Screen:
    """What an old message of a table becomes in its group; `url` leads to the living one, where it can."""
    link = None if url is None else Button(words.plain("button.to_table"), url=url)
    return Screen(page(words("old.table_message", bot=bot_username)), rows((link,)))
