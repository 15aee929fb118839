"""Private notifications about new tables in a group, for those who have subscribed to them."""

from __future__ import annotations

from bot.buttons import JoinFromNotification, Subscribe, Unsubscribe
from bot.locales import Translator
from bot.screens.layout import callback_button, page
from bot.screens.screen import Button, Screen, Style


def subscribe_button(table_id: str, tr: Translator) -> Button:
    """The button that subscribes the presser to notifications about new tables in the group."""
    return callback_button(tr.plain("button.bell"), Subscribe(table_id))


def table_opened(table_id: str, group: str, tr: Translator) -> Screen:
    """The notification, with buttons to sit down and to unsubscribe."""
    text = page(tr("bell.rings", group=tr.title(group)))
    sit = callback_button(tr.plain("button.sit"), JoinFromNotification(table_id), Style.SUCCESS)
    mute = callback_button(tr.plain("button.mute"), Unsubscribe(table_id))
    return Screen(text, ((sit, mute),), notifies=True)


def subscription_set(tr: Translator, name: str, bot_username: str, *, is_on: bool) -> Screen:
    """The answer in the group to the command that subscribes or unsubscribes a person."""
    key = "bell.on" if is_on else "bell.off"
    return Screen(page(tr(key, name=tr.name(name), bot=bot_username)))


def unsubscribed(tr: Translator, group: str, bot_username: str) -> Screen:
    """The private confirmation that a person has unsubscribed."""
    return Screen(page(tr("bell.muted", group=tr.title(group), bot=bot_username)))
