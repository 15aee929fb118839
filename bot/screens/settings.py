"""The group's settings, one message with pages: the first page, and the pages of single choices.

The pages of the rules are in `settings_rules`, those of presets and saved rules in `settings_sets`. Whether a
person may change settings is not checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.buttons import CloseSettings, ReadRules
from bot.locales import Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.phrases import rules_name
from bot.screens.questions import Chapter
from bot.screens.rule_summaries import brief
from bot.screens.screen import Screen
from bot.screens.settings_layout import (
    CHAPTER,
    Page,
    back,
    language_buttons,
    link,
    options,
    page_of,
    playing_note,
    value_buttons,
    value_text,
)
from bot.screens.settings_rules import rules_page
from bot.screens.settings_sets import presets_page, saved_page
from bot.settings import Choice, Owner, choices_of
from bot.tables.choices import GroupSettingsView

_OFFERED: Final = {choice.name: choice for choice in choices_of(Owner.TABLE, Owner.GROUP)}
"""The choices that have a page, by the page's name."""
_ON_FIRST_PAGE: Final = ("pace", "cut", "editors")
"""Choices whose values are shown on the first page."""


def settings(
    group_settings: GroupSettingsView,
    page_name: str,
    tr: Translator,
    catalogues: Mapping[str, Translator],
    bot_username: str,
) -> Screen:
    """A page of the group's settings; the first if there is none of this name."""
    match page_name:
        case Page.PRESETS:
            return presets_page(group_settings, tr)
        case Page.SAVED:
            return saved_page(group_settings, tr, bot_username)
        case Page.LANGUAGE:
            return _language_page(tr, catalogues)
        case _:
            choice = _OFFERED.get(page_name)
            if choice is not None:
                return _choice_page(choice, group_settings, tr)
            return rules_page(group_settings, page_name, tr) or _first_page(group_settings, tr)


# ------------------------------------------------------------------------------------------------- pages


def _first_page(group_settings: GroupSettingsView, tr: Translator) -> Screen:
    text = page(
        tr("settings.title"),
        "",
        tr(
            "settings.rules", name=rules_name(group_settings.rules, tr), brief=brief(group_settings.rules, tr)
        ),
        tr(
            "settings.table",
            **{
                name: value_text(_OFFERED[name], group_settings.chosen.value(_OFFERED[name]), tr)
                for name in _ON_FIRST_PAGE
            },
        ),
        "",
        playing_note(group_settings, tr),
    )
    chapters = [
        link(tr.plain(f"chapter.{chapter}"), page_of(CHAPTER, chapter))
        for chapter in (Chapter.DEAL, Chapter.DRAW, Chapter.CARDS, Chapter.END, Chapter.POINTS, Chapter.MATCH)
    ]
    links = [link(tr.plain(f"settings.{name}"), name) for name in _OFFERED]
    links.append(link(tr.plain("settings.language"), Page.LANGUAGE))
    buttons = rows(
        (
            link(tr.plain("settings.presets"), Page.PRESETS),
            link(tr.plain("settings.saved"), Page.SAVED),
        ),
        chapters[:2],
        chapters[2:4],
        chapters[4:],
        *(links[start : start + 2] for start in range(0, len(links), 2)),
        (
            callback_button(tr.plain("button.read_rules"), ReadRules("", "")),
            callback_button(tr.plain("button.close"), CloseSettings()),
        ),
    )
    return Screen(text, buttons)


def _choice_page(choice: Choice, group_settings: GroupSettingsView, tr: Translator) -> Screen:
    text = page(
        tr("settings.question", question=tr.plain(f"question.{choice.name}")),
        "",
        tr(f"about.{choice.name}"),
        "",
        playing_note(group_settings, tr) if choice.next_match else None,
    )
    return Screen(text, (*options(value_buttons(choice, group_settings.chosen.value(choice), tr)), back(tr)))


def _language_page(tr: Translator, catalogues: Mapping[str, Translator]) -> Screen:
    return Screen(page(tr("language.ask")), (*options(language_buttons(tr, catalogues)), back(tr)))
