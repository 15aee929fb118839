"""What the pages of the group's settings have in common: names, the way back, answers, notes."""

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
"""Kinds of pages of which there are many: see `page_of`."""

_TICK: Final = "✅ "


class Page(StrEnum):
    """The pages of which there is one; the values go into button data.

    Each choice of a group's has a page too, called like the choice.
    """

    FIRST = ""
    PRESETS = "presets"
    SAVED = "saved"
    LANGUAGE = "language"


def page_of(kind: str, name: str) -> str:
    """The page of a chapter, of a rule, or of what a rank or card does."""
    return f"{kind}_{name}"


def back(tr: Translator, to: str = Page.FIRST) -> tuple[Button, ...]:
    """The way back, as the last row of buttons."""
    return (callback_button(tr.plain("button.back"), OpenSettings(to)),)


def link(text: str, to: str) -> Button:
    """A button that leads to another page."""
    return callback_button(capital(text), OpenSettings(to))


def option(text: str, asked: CallbackData, *, is_chosen: bool) -> Button:
    """One of several answers; the one chosen has a tick and a colour."""
    shown = capital(text)
    return (
        callback_button(_TICK + shown, asked, Style.SUCCESS) if is_chosen else callback_button(shown, asked)
    )


def value_text(choice: Choice, value: Value, tr: Translator) -> str:
    """A value in words; numbers are the seconds for a turn."""
    if isinstance(value, bool | str):
        return tr.plain(f"answer.{choice.name}.{str(value).lower()}")
    return pace(value, tr)


def value_buttons(choice: Choice, current: Value, tr: Translator) -> list[Button]:
    """A button for each value, and for the one that is set, though it may be none that is offered."""
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
    """Answers side by side if they are short, else one below the other; the same whichever is chosen."""
    return grid(buttons, [_TICK + button.text.removeprefix(_TICK) for button in buttons])


def without_seats(name: str, rules: Rules, group_settings: GroupSettingsView, tr: Translator) -> str | None:
    """Why these rules, called so, cannot be chosen while the lobby is as full as it is; None if they can."""
    if group_settings.seats_all(rules):
        return None
    return tr.plain("settings.no_seats", what=capital(name), seats=rules.max_seats, n=group_settings.seated)


def playing_note(group_settings: GroupSettingsView, tr: Translator) -> Html | None:
    """That a match which is running does not change any more."""
    return tr("settings.playing") if group_settings.is_playing else None
