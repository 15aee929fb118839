"""Checks of a screen against Telegram's limits and common mistakes."""

from __future__ import annotations

from bot.buttons import decode
from bot.screens.layout import CAPTION_UNITS
from bot.screens.screen import Button, Screen
from tests.bot.screens.telegram_html import MESSAGE_UNITS, shown, units


def check(screen: Screen) -> None:
    """Fail if a screen can't be sent."""
    text = shown(screen.text)
    assert 0 < units(text) <= (MESSAGE_UNITS if screen.picture is None else CAPTION_UNITS)
    assert "\n\n\n" not in text
    assert text == text.strip("\n")
    assert sum(len(row) for row in screen.rows) <= 100
    for row in screen.rows:
        assert 1 <= len(row) <= 8
        for button in row:
            check_button(button)


def check_button(button: Button) -> None:
    """Limits: https://core.telegram.org/bots/api#inlinekeyboardbutton."""
    assert button.text.strip()
    if button.data is not None:
        assert 1 <= len(button.data.encode()) <= 64
        assert decode(button.data) is not None
    if button.url is not None:
        assert button.url.startswith("https://t.me/")
    if button.copy is not None:
        assert 1 <= len(button.copy) <= 256
