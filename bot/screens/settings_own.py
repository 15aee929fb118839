"""A person's own settings, in the private chat: all on one page."""

from __future__ import annotations

from collections.abc import Mapping

from bot.locales import Translator
from bot.screens.layout import page, rows
from bot.screens.screen import Button, Rows, Screen
from bot.screens.settings_layout import language_buttons, options, value_buttons
from bot.settings import Owner, PersonalSettings, choices_of


def own_settings(own: PersonalSettings, tr: Translator, catalogues: Mapping[str, Translator]) -> Screen:
    """The page of personal settings."""
    choices = choices_of(Owner.PERSON)
    text = page(tr("settings.own_title"), "", *(tr(f"about.{choice.name}") for choice in choices))
    answers = [value_buttons(choice, getattr(own, choice.field), tr) for choice in choices]
    languages = language_buttons(tr, catalogues)
    return Screen(text, rows(*(row for buttons in answers for row in _in_rows(buttons)), languages))


def _in_rows(buttons: list[Button]) -> Rows:
    """Put two answers in one row, however long they are."""
    return (tuple(buttons),) if len(buttons) == 2 else options(buttons)
