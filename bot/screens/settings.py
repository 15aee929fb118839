"""The group's settings: one message whose pages take each other's place. Its first page, and the small ones.

What the rules' own pages look like is in `settings_rules`, presets and saved rules are in `settings_sets`.
Whether somebody may choose is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.buttons import (
    ChooseCut,
    ChooseEditors,
    ChooseHints,
    ChooseLook,
    ChoosePace,
    ChooseStandIn,
    ChooseTalk,
    CloseSettings,
    ReadRules,
    SetLanguage,
)
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, pace, page, rows
from bot.screens.phrases import rules_name
from bot.screens.questions import Chapter
from bot.screens.rule_summaries import brief
from bot.screens.screen import Button, Screen
from bot.screens.settings_layout import (
    CHAPTER,
    Page,
    back,
    link,
    option,
    options,
    page_of,
    playing_note,
)
from bot.screens.settings_rules import rules_page
from bot.screens.settings_sets import presets_page, saved_page
from bot.tables.choices import PACES, Editors, GroupSettingsView, Look


def settings(
    house: GroupSettingsView,
    page_name: str,
    tr: Translator,
    catalogues: Mapping[str, Translator],
    bot_username: str,
) -> Screen:
    """A page of the group's settings; the first where there is none of this name."""
    match page_name:
        case Page.PRESETS:
            return presets_page(house, tr)
        case Page.SAVED:
            return saved_page(house, tr, bot_username)
        case Page.PACE:
            return _pace_page(house, tr)
        case Page.CUT:
            return _cut_page(house, tr)
        case Page.TALK:
            return _talk_page(house, tr)
        case Page.LOOK:
            return _look_page(house, tr)
        case Page.STAND_IN:
            return _stand_in_page(house, tr)
        case Page.HINTS:
            return _hints_page(house, tr)
        case Page.EDITORS:
            return _editors_page(house, tr)
        case Page.LANGUAGE:
            return _language_page(tr, catalogues)
        case _:
            return rules_page(house, page_name, tr) or _first_page(house, tr)


def cut_answer(cut: bool, tr: Translator) -> str:
    """Whether the deck is cut."""
    return tr.plain("answer.cut.true" if cut else "answer.cut.false")


def talk_answer(talk: bool, tr: Translator) -> str:
    """Whether there is table talk."""
    return tr.plain("answer.talk.true" if talk else "answer.talk.false")


def look_answer(look: Look, tr: Translator) -> str:
    """How tables are seen."""
    return tr.plain(f"answer.look.{look}")


def stand_in_answer(stand_in: bool, tr: Translator) -> str:
    """Who moves for those who are away."""
    return tr.plain("answer.stand_in.true" if stand_in else "answer.stand_in.false")


def hints_answer(hints: bool, tr: Translator) -> str:
    """Whether there are hints."""
    return tr.plain("answer.hints.true" if hints else "answer.hints.false")


def editors_answer(editors: Editors, tr: Translator) -> str:
    """Who may choose."""
    return tr.plain(f"answer.editors.{editors}")


# ------------------------------------------------------------------------------------------------- pages


def _first_page(house: GroupSettingsView, tr: Translator) -> Screen:
    """What is played here, and the way to every choice."""
    table, editors = house.chosen.table, house.chosen.editors
    text = page(
        tr("settings.title"),
        "",
        tr("settings.rules", name=rules_name(house.rules, tr), brief=brief(house.rules, tr)),
        tr(
            "settings.table",
            pace=pace(table.turn_seconds, tr),
            cut=cut_answer(table.cut, tr),
            editors=editors_answer(editors, tr),
        ),
        "",
        playing_note(house, tr),
    )
    chapters = [
        link(tr.plain(f"chapter.{chapter}"), page_of(CHAPTER, chapter))
        for chapter in (Chapter.DEAL, Chapter.DRAW, Chapter.CARDS, Chapter.END, Chapter.POINTS, Chapter.MATCH)
    ]
    buttons = rows(
        (
            link(tr.plain("settings.presets"), Page.PRESETS),
            link(tr.plain("settings.saved"), Page.SAVED),
        ),
        chapters[:2],
        chapters[2:4],
        chapters[4:],
        (link(tr.plain("settings.pace"), Page.PACE), link(tr.plain("settings.cut"), Page.CUT)),
        (
            link(tr.plain("settings.stand_in"), Page.STAND_IN),
            link(tr.plain("settings.hints"), Page.HINTS),
        ),
        (
            link(tr.plain("settings.talk"), Page.TALK),
            link(tr.plain("settings.look"), Page.LOOK),
        ),
        (
            link(tr.plain("settings.editors"), Page.EDITORS),
            link(tr.plain("settings.language"), Page.LANGUAGE),
        ),
        (
            callback_button(tr.plain("button.read_rules"), ReadRules("", "")),
            callback_button(tr.plain("button.close"), CloseSettings()),
        ),
    )
    return Screen(text, buttons)


def _pace_page(house: GroupSettingsView, tr: Translator) -> Screen:
    current = house.chosen.table.turn_seconds
    paces = PACES if current in PACES else (*PACES, current)
    answers = [
        option(pace(seconds, tr), ChoosePace(seconds or 0), is_chosen=seconds == current) for seconds in paces
    ]
    return _question("pace", answers, tr, playing_note(house, tr))


def _cut_page(house: GroupSettingsView, tr: Translator) -> Screen:
    answers = [
        option(cut_answer(cut, tr), ChooseCut(cut), is_chosen=cut is house.chosen.table.cut)
        for cut in (False, True)
    ]
    return _question("cut", answers, tr, playing_note(house, tr))


def _talk_page(house: GroupSettingsView, tr: Translator) -> Screen:
    answers = [
        option(talk_answer(talk, tr), ChooseTalk(talk), is_chosen=talk is house.chosen.table.talk)
        for talk in (True, False)
    ]
    return _question("talk", answers, tr)


def _look_page(house: GroupSettingsView, tr: Translator) -> Screen:
    answers = [
        option(look_answer(look, tr), ChooseLook(look), is_chosen=look is house.chosen.look) for look in Look
    ]
    return _question("look", answers, tr)


def _stand_in_page(house: GroupSettingsView, tr: Translator) -> Screen:
    current = house.chosen.table.stand_in
    answers = [
        option(stand_in_answer(it, tr), ChooseStandIn(it), is_chosen=it is current) for it in (False, True)
    ]
    return _question("stand_in", answers, tr)


def _hints_page(house: GroupSettingsView, tr: Translator) -> Screen:
    current = house.chosen.table.hints
    answers = [option(hints_answer(it, tr), ChooseHints(it), is_chosen=it is current) for it in (False, True)]
    return _question("hints", answers, tr)


def _editors_page(house: GroupSettingsView, tr: Translator) -> Screen:
    answers = [
        option(editors_answer(editors, tr), ChooseEditors(editors), is_chosen=editors is house.chosen.editors)
        for editors in Editors
    ]
    return _question("editors", answers, tr)


def _language_page(tr: Translator, catalogues: Mapping[str, Translator]) -> Screen:
    """Each language in its own name."""
    answers = [
        option(other.plain("language.name"), SetLanguage(code), is_chosen=code == tr.language)
        for code, other in catalogues.items()
    ]
    return Screen(page(tr("language.ask")), (*options(answers), back(tr)))


def _question(name: str, answers: list[Button], tr: Translator, note: Html | None = None) -> Screen:
    """A question with what there is to know about it, and its answers; `note`: why one has to wait for it."""
    text = page(
        tr("settings.question", question=tr.plain(f"question.{name}")),
        "",
        tr(f"about.{name}"),
        "",
        note,
    )
    return Screen(text, (*options(answers), back(tr)))
