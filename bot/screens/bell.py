"""The bell: a call in private when a table is opened in a group, for those who have asked for it."""

from __future__ import annotations

from bot.callbacks import AnswerBell, MuteBell, RingMe
from bot.locales import Words
from bot.screens.layout import page, press
from bot.screens.screen import Button, Screen, Style


def bell_button(table_id: str, words: Words) -> Button:
    """In the group, where a table has closed: to be called when the next one opens."""
    return press(words.plain("button.bell"), RingMe(table_id))


def bell(table_id: str, group: str, words: Words) -> Screen:
    """The call: a way to the table, and a way to have no more of this. Rings."""
    text = page(words("bell.rings", group=words.title(group)))
    sit = press(words.plain("button.sit"), AnswerBell(table_id), Style.SUCCESS)
    mute = press(words.plain("button.mute"), MuteBell(table_id))
    return Screen(text, ((sit, mute),), rings=True)


def bell_set(words: Words, name: str, bot_username: str, *, is_on: bool) -> Screen:
    """In the group, to somebody who has turned his bell on or off by a command."""
    key = "bell.on" if is_on else "bell.off"
    return Screen(page(words(key, name=words.name(name), bot=bot_username)))


def bell_muted(words: Words, group: str, bot_username: str) -> Screen:
    """In private, to somebody who wants no more calls from a group."""
    return Screen(page(words("bell.muted", group=words.title(group), bot=bot_username)))
