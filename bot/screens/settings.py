"""The group's settings: one message whose pages take each other's place. Its first page, and the small ones.

What the rules' own pages look like is in `settings_rules`, presets and saved rules are in `settings_sets`.
Whether somebody may choose is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.callbacks import (
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
from bot.locales import Html, Words
from bot.screens.briefs import brief
from bot.screens.layout import pace, page, press, rows
from bot.screens.phrases import rules_name
from bot.screens.questions import Chapter
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
from bot.tables.choices import PACES, Editors, HouseView, Look


def settings(
    house: HouseView, page_name: str, words: Words, catalogues: Mapping[str, Words], bot_username: str
) -> Screen:
    """A page of the group's settings; the first where there is none of this name."""
    match page_name:
        case Page.PRESETS:
            return presets_page(house, words)
        case Page.SAVED:
            return saved_page(house, words, bot_username)
        case Page.PACE:
            return _pace_page(house, words)
        case Page.CUT:
            return _cut_page(house, words)
        case Page.TALK:
            return _talk_page(house, words)
        case Page.LOOK:
            return _look_page(house, words)
        case Page.STAND_IN:
            return _stand_in_page(house, words)
        case Page.HINTS:
            return _hints_page(house, words)
        case Page.EDITORS:
            return _editors_page(house, words)
        case Page.LANGUAGE:
            return _language_page(words, catalogues)
        case _:
            return rules_page(house, page_name, words) or _first_page(house, words)


def cut_answer(cut: bool, words: Words) -> str:
    """Whether the deck is cut."""
    return words.plain("answer.cut.true" if cut else "answer.cut.false")


def talk_answer(talk: bool, words: Words) -> str:
    """Whether there is table talk."""
    return words.plain("answer.talk.true" if talk else "answer.talk.false")


def look_answer(look: Look, words: Words) -> str:
    """How tables are seen."""
    return words.plain(f"answer.look.{look}")


def stand_in_answer(stand_in: bool, words: Words) -> str:
    """Who moves for those who are away."""
    return words.plain("answer.stand_in.true" if stand_in else "answer.stand_in.false")


def hints_answer(hints: bool, words: Words) -> str:
    """Whether there are hints."""
    return words.plain("answer.hints.true" if hints else "answer.hints.false")


def editors_answer(editors: Editors, words: Words) -> str:
    """Who may choose."""
    return words.plain(f"answer.editors.{editors}")


# ------------------------------------------------------------------------------------------------- pages


def _first_page(house: HouseView, words: Words) -> Screen:
    """What is played here, and the way to every choice."""
    table, editors = house.chosen.table, house.chosen.editors
    text = page(
        words("settings.title"),
        "",
        words("settings.rules", name=rules_name(house.rules, words), brief=brief(house.rules, words)),
        words(
            "settings.table",
            pace=pace(table.turn_seconds, words),
            cut=cut_answer(table.cut, words),
            editors=editors_answer(editors, words),
        ),
        "",
        playing_note(house, words),
    )
    chapters = [
        link(words.plain(f"chapter.{chapter}"), page_of(CHAPTER, chapter))
        for chapter in (Chapter.DEAL, Chapter.DRAW, Chapter.CARDS, Chapter.END, Chapter.POINTS, Chapter.MATCH)
    ]
    buttons = rows(
        (
            link(words.plain("settings.presets"), Page.PRESETS),
            link(words.plain("settings.saved"), Page.SAVED),
        ),
        chapters[:2],
        chapters[2:4],
        chapters[4:],
        (link(words.plain("settings.pace"), Page.PACE), link(words.plain("settings.cut"), Page.CUT)),
        (
            link(words.plain("settings.stand_in"), Page.STAND_IN),
            link(words.plain("settings.hints"), Page.HINTS),
        ),
        (
            link(words.plain("settings.talk"), Page.TALK),
            link(words.plain("settings.look"), Page.LOOK),
        ),
        (
            link(words.plain("settings.editors"), Page.EDITORS),
            link(words.plain("settings.language"), Page.LANGUAGE),
        ),
        (
            press(words.plain("button.read_rules"), ReadRules("", "")),
            press(words.plain("button.close"), CloseSettings()),
        ),
    )
    return Screen(text, buttons)


def _pace_page(house: HouseView, words: Words) -> Screen:
    current = house.chosen.table.turn_seconds
    paces = PACES if current in PACES else (*PACES, current)
    answers = [
        option(pace(seconds, words), ChoosePace(seconds or 0), is_chosen=seconds == current)
        for seconds in paces
    ]
    return _question("pace", answers, words, playing_note(house, words))


def _cut_page(house: HouseView, words: Words) -> Screen:
    answers = [
        option(cut_answer(cut, words), ChooseCut(cut), is_chosen=cut is house.chosen.table.cut)
        for cut in (False, True)
    ]
    return _question("cut", answers, words, playing_note(house, words))


def _talk_page(house: HouseView, words: Words) -> Screen:
    answers = [
        option(talk_answer(talk, words), ChooseTalk(talk), is_chosen=talk is house.chosen.table.talk)
        for talk in (True, False)
    ]
    return _question("talk", answers, words)


def _look_page(house: HouseView, words: Words) -> Screen:
    answers = [
        option(look_answer(look, words), ChooseLook(look), is_chosen=look is house.chosen.look)
        for look in Look
    ]
    return _question("look", answers, words)


def _stand_in_page(house: HouseView, words: Words) -> Screen:
    current = house.chosen.table.stand_in
    answers = [
        option(stand_in_answer(it, words), ChooseStandIn(it), is_chosen=it is current) for it in (False, True)
    ]
    return _question("stand_in", answers, words)


def _hints_page(house: HouseView, words: Words) -> Screen:
    current = house.chosen.table.hints
    answers = [
        option(hints_answer(it, words), ChooseHints(it), is_chosen=it is current) for it in (False, True)
    ]
    return _question("hints", answers, words)


def _editors_page(house: HouseView, words: Words) -> Screen:
    answers = [
        option(
            editors_answer(editors, words), ChooseEditors(editors), is_chosen=editors is house.chosen.editors
        )
        for editors in Editors
    ]
    return _question("editors", answers, words)


def _language_page(words: Words, catalogues: Mapping[str, Words]) -> Screen:
    """Each language in its own name."""
    answers = [
        option(other.plain("language.name"), SetLanguage(code), is_chosen=code == words.language)
        for code, other in catalogues.items()
    ]
    return Screen(page(words("language.ask")), (*options(answers), back(words)))


def _question(name: str, answers: list[Button], words: Words, note: Html | None = None) -> Screen:
    """A question with what there is to know about it, and its answers; `note`: why one has to wait for it."""
    text = page(
        words("settings.question", question=words.plain(f"question.{name}")),
        "",
        words(f"about.{name}"),
        "",
        note,
    )
    return Screen(text, (*options(answers), back(words)))
