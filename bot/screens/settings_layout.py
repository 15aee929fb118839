"""Parts shared by the pages of settings: page names, links, answers, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from bot.buttons import CallbackData, Choose, OpenSettings, SetLanguage
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, grid, pace
from bot.screens.rule_summaries import capital
from bot.screens.screen import Button, Rows, Style
from bot.settings import Choice, Value
from bot.tables.choices import GroupSettingsView
from engine import Rules

CHAPTER, RULE, EFFECT = "chapter", "rule", "effect"
"""Kinds of pages with one page per name; see `page_of`."""

_TICK: Final = "✅ "


class Page(StrEnum):
    """The single pages; the values are stored in button data.

    Each of a group's choices has a page as well, named after the choice.
    """

    FIRST = ""
    PRESETS = "presets"
    SAVED = "saved"
    LANGUAGE = "language"


def page_of(kind: str, name: str) -> str:
    """The page name of a chapter, a rule, or the effect of a rank or card."""
    return f"{kind}_{name}"


def back(tr: Translator, to: str = Page.FIRST) -> tuple[Button, ...]:
    """The last row of buttons, which leads back."""
    return (callback_button(tr.plain("button.back"), OpenSettings(to)),)


def link(text: str, to: str) -> Button:
    """A button that opens another page."""
    return callback_button(capital(text), OpenSettings(to))


def option(text: str, asked: CallbackData, *, is_chosen: bool) -> Button:
    """A button for one of several answers; the chosen one has a tick and a colour."""
    shown = capital(text)
    return (
        callback_button(_TICK + shown, asked, Style.SUCCESS) if is_chosen else callback_button(shown, asked)
    )


def value_text(choice: Choice, value: Value, tr: Translator) -> str:
    """A value in words; a number or None is the pace in seconds per turn."""
    if isinstance(value, bool | str):
        return tr.plain(f"answer.{choice.name}.{str(value).lower()}")
    return pace(value, tr)


def value_buttons(choice: Choice, current: Value, tr: Translator) -> list[Button]:
    """A button for each value, including the current one if it is not among those offered."""
    values = choice.values if current in choice.values else (*choice.values, current)
    return [
        option(value_text(choice, value, tr), Choose(choice.name, value), is_chosen=value == current)
        for value in values
    ]


def language_buttons(tr: Translator, catalogues: Mapping[str, Translator]) -> list[Button]:
    """A button for each language, in its own name."""
    return [
        option(other.plain("language.name"), SetLanguage(code), is_chosen=code == tr.language)
        for code, other in catalogues.items()
    ]


def options(buttons: Sequence[Button]) -> Rows:
    """Arrange answers in a grid that does not depend on which one is chosen."""
    return grid(buttons, [_TICK + button.text.removeprefix(_TICK) for button in buttons])


def seat_shortage(name: str, rules: Rules, group_settings: GroupSettingsView, tr: Translator) -> str | None:
    """Say that the rules called `name` lack seats for everybody in the lobby; None if they do not."""
    if group_settings.seats_all(rules):
        return None
    return tr.plain("settings.no_seats", what=capital(name), seats=rules.max_seats, n=group_settings.seated)


def playing_note(group_settings: GroupSettingsView, tr: Translator) -> Html | None:
    """A note that the running match is not affected; None if there is none."""
    return tr("settings.playing") if group_settings.is_playing else None
