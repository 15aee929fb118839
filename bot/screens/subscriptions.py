"""The bell: a call in private when a table is opened in a group, for those who have asked for it."""

from __future__ import annotations

from bot.buttons import JoinFromNotification, Subscribe, Unsubscribe
from bot.locales import Translator
from bot.screens.layout import callback_button, page
from bot.screens.screen import Button, Screen, Style


def subscribe_button(table_id: str, tr: Translator) -> Button:
    """In the group, where a table has closed: to be called when the next one opens."""
    return callback_button(tr.plain("button.bell"), Subscribe(table_id))


def table_opened(table_id: str, group: str, tr: Translator) -> Screen:
    """The call: a way to the table, and a way to have no more of this. Rings."""
    text = page(tr("bell.rings", group=tr.title(group)))
    sit = callback_button(tr.plain("button.sit"), JoinFromNotification(table_id), Style.SUCCESS)
    mute = callback_button(tr.plain("button.mute"), Unsubscribe(table_id))
    return Screen(text, ((sit, mute),), notifies=True)


def subscription_set(tr: Translator, name: str, bot_username: str, *, is_on: bool) -> Screen:
    """In the group, to somebody who has turned his bell on or off by a command."""
    key = "bell.on" if is_on else "bell.off"
    return Screen(page(tr(key, name=tr.name(name), bot=bot_username)))


def unsubscribed(tr: Translator, group: str, bot_username: str) -> Screen:
    """In private, to somebody who wants no more calls from a group."""
    return Screen(page(tr("bell.muted", group=tr.title(group), bot=bot_username)))
