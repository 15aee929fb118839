"""The gallery's part on settings, one's own and a group's, and on the first evening."""

from __future__ import annotations

from typing import Any

from bot.locales import Words
from bot.screens import answers
from bot.screens.help import LessonPage
from bot.screens.lesson import lesson, trial, trial_suits
from bot.screens.questions import Chapter
from bot.screens.screen import HandOrder, Screen
from bot.screens.settings import settings
from bot.screens.settings_layout import CHAPTER, EFFECT, RULE, Page, page_of
from bot.screens.settings_own import OwnSettings, own_settings
from bot.screens.settings_rules import CHAPTERS
from bot.screens.settings_sets import ask_delete_page, offered_rules, rule_set_page, shared_rules
from bot.tables.choices import GroupSettings, HouseView, RuleSet
from bot.tables.company import Telling
from bot.tables.settings import TableSettings
from bot.tables.trial import Step, trial_view
from engine import SETTINGS, Rules, parse_card
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import CATALOGUES, CTX

BOT = CTX.bot_username


def house(*, seated: int = 0, is_playing: bool = False, saved: bool = False, **rules: Any) -> HouseView:
    """A group that has chosen these rules; `seated` in its lobby, and perhaps with rules saved."""
    chosen = GroupSettings(TableSettings(Rules.from_document(rules)))
    return HouseView(chosen, SAVED if saved else (), seated, is_playing)


QUESTIONS = (Page.PACE, Page.CUT, Page.TALK, Page.LOOK, Page.STAND_IN, Page.HINTS)
SAVED = (
    RuleSet("0a1b2c3d4e", "Дача", Rules.from_document({"preset": "cover_six", "limit": 151})),
    RuleSet("1b2c3d4e5f", "<По-нашему>", Rules.from_document({"deck": 52, "effects": {"2": "take2"}})),
)
CLASSIC = house()
OURS = house(preset="five_card", deck=52, limit=121, saved=True)
FULL = house(seated=5, saved=True, limit=77)
CROWDED = RuleSet("2c3d4e5f6a", "По восемь", Rules.from_document({"hand_size": 8}))
NO_COVER = house(effects={"8": "none"}, draw="one_then_pass")


def page(view: HouseView, name: str) -> Draw:
    """A page of a group's settings."""
    return lambda words: settings(view, name, words, CATALOGUES, BOT)


def _lesson(chapter: LessonPage) -> Draw:
    return lambda words: lesson(chapter, words, BOT)


def _trial(step: Step, laid: str | None = None, suit: int | None = None) -> Draw:
    before = None if laid is None else (parse_card(laid), suit)
    return lambda words: trial(step, trial_view(step), words, before)


def _suits(words: Words) -> Screen:
    return trial_suits(Step.QUEEN, trial_view(Step.QUEEN), parse_card("QD"), words)


SETTINGS_PARTS: Parts = (
    (
        "The group’s settings",
        (
            Exhibit("The first page", page(CLASSIC, Page.FIRST)),
            Exhibit("Rules of one’s own", page(OURS, Page.FIRST)),
            Exhibit("While a match is running", page(house(is_playing=True), Page.FIRST)),
            Exhibit("Presets", page(CLASSIC, Page.PRESETS)),
            Exhibit("Presets, with five in the lobby and changed rules", page(FULL, Page.PRESETS)),
            Exhibit("Presets, in place of rules of one’s own", page(OURS, Page.PRESETS)),
            Exhibit("Saved rules", page(OURS, Page.SAVED)),
            Exhibit("Saved rules: none", page(CLASSIC, Page.SAVED)),
            Exhibit("One of them", lambda words: rule_set_page(SAVED[0], OURS, words, BOT)),
            Exhibit(
                "One of them, with too many in the lobby",
                lambda words: rule_set_page(CROWDED, FULL, words, BOT),
            ),
            Exhibit("Deleting it", lambda words: ask_delete_page(SAVED[0], words)),
            Exhibit("Brought into a group by a link", lambda words: offered_rules(SAVED[0], CLASSIC, words)),
            Exhibit("The link, followed in private", lambda words: shared_rules(SAVED[0], words, BOT)),
            *(
                Exhibit(f"Chapter: {chapter}", page(CLASSIC, page_of(CHAPTER, chapter)))
                for chapter in CHAPTERS
            ),
            *(Exhibit(f"Rule: {name}", page(CLASSIC, page_of(RULE, name))) for name in SETTINGS),
            Exhibit(
                "Chapter, where some rules make no difference",
                page(NO_COVER, page_of(CHAPTER, Chapter.CARDS)),
            ),
            Exhibit("Rule that makes no difference", page(NO_COVER, page_of(RULE, "stock_out"))),
            Exhibit("Hand size, with five in the lobby", page(FULL, page_of(RULE, "hand_size"))),
            Exhibit("Deck, with ten in the lobby", page(house(seated=10, deck=72), page_of(RULE, "deck"))),
            Exhibit("What kings do", page(CLASSIC, page_of(EFFECT, "K"))),
            Exhibit("What the king of spades does", page(CLASSIC, page_of(EFFECT, "KS"))),
            *(Exhibit(f"Question: {name}", page(CLASSIC, name)) for name in (*QUESTIONS, Page.EDITORS)),
            Exhibit("Question: language", page(CLASSIC, Page.LANGUAGE)),
            Exhibit(
                "Chosen",
                lambda words: answers.chosen(words.plain("preset.game_108"), words, is_playing=False),
            ),
            Exhibit(
                "Chosen while a match is running",
                lambda words: answers.chosen(words.plain("answer.deck.52"), words, is_playing=True),
            ),
        ),
    ),
    (
        "One’s own settings",
        (
            Exhibit(
                "As at first",
                lambda words: own_settings(
                    OwnSettings(True, True, HandOrder.SUIT, False, Telling.ASK), words, CATALOGUES
                ),
            ),
            Exhibit(
                "All chosen otherwise",
                lambda words: own_settings(
                    OwnSettings(False, False, HandOrder.RANK, False, Telling.NEVER), words, CATALOGUES
                ),
            ),
        ),
    ),
    (
        "The first evening",
        (
            *(Exhibit(f"Page: {chapter}", _lesson(chapter)) for chapter in LessonPage),
            Exhibit("Trial hand: the first card", _trial(Step.MATCH)),
            Exhibit(
                "Trial hand: a card that does not fit",
                lambda words: answers.does_not_fit(trial_view(Step.MATCH), words),
            ),
            Exhibit("Trial hand: a queen", _trial(Step.QUEEN, "9C")),
            Exhibit("Trial hand: which suit", _suits),
            Exhibit("Trial hand: an eight", _trial(Step.EIGHT, "QD", 1)),
            Exhibit("Trial hand: its cover", _trial(Step.COVER, "8S")),
        ),
    ),
)
