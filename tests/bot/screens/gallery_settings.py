"""The gallery's part on personal and group settings, and on the tutorial."""

from __future__ import annotations

from typing import Any

from bot.locales import Translator
from bot.screens import answers
from bot.screens.help import LessonPage
from bot.screens.lesson import lesson, tutorial, tutorial_suit_choice
from bot.screens.questions import Chapter
from bot.screens.screen import Screen
from bot.screens.settings import settings
from bot.screens.settings_layout import CHAPTER, EFFECT, RULE, Page, page_of
from bot.screens.settings_own import own_settings
from bot.screens.settings_rules import CHAPTERS
from bot.screens.settings_sets import ask_delete_page, offered_rules, rule_set_page, shared_rules
from bot.settings import GroupSettings, HandOrder, PersonalSettings, TableSettings, Telling
from bot.tables.choices import GroupSettingsView, RuleSet
from bot.tables.tutorial import TutorialStep, tutorial_view
from engine import SETTINGS, Rules, parse_card
from tests.bot.screens.exhibits import Draw, Exhibit, Parts
from tests.bot.screens.scenes import CATALOGUES, CTX

BOT = CTX.bot_username


def group_with(
    *, seated: int = 0, is_playing: bool = False, saved: bool = False, **rules: Any
) -> GroupSettingsView:
    """A group that has chosen these rules; `seated` in its lobby, and perhaps with rules saved."""
    chosen = GroupSettings(TableSettings(Rules.from_document(rules)))
    return GroupSettingsView(chosen, SAVED if saved else (), seated, is_playing)


QUESTIONS = ("pace", "cut", "talk", "look", "stand_in", "hints", "editors")
SAVED = (
    RuleSet("0a1b2c3d4e", "Дача", Rules.from_document({"preset": "cover_six", "limit": 151})),
    RuleSet("1b2c3d4e5f", "<По-нашему>", Rules.from_document({"deck": 52, "effects": {"2": "take2"}})),
)
CLASSIC = group_with()
OURS = group_with(preset="five_card", deck=52, limit=121, saved=True)
FULL = group_with(seated=5, saved=True, limit=77)
CROWDED = RuleSet("2c3d4e5f6a", "По восемь", Rules.from_document({"hand_size": 8}))
NO_COVER = group_with(effects={"8": "none"}, draw="one_then_pass")


def page(view: GroupSettingsView, name: str) -> Draw:
    """A page of a group's settings."""
    return lambda tr: settings(view, name, tr, CATALOGUES, BOT)


def _lesson(chapter: LessonPage) -> Draw:
    return lambda tr: lesson(chapter, tr, BOT)


def _trial(step: TutorialStep, laid: str | None = None, suit: int | None = None) -> Draw:
    before = None if laid is None else (parse_card(laid), suit)
    return lambda tr: tutorial(step, tutorial_view(step), tr, before)


def _suits(tr: Translator) -> Screen:
    return tutorial_suit_choice(TutorialStep.QUEEN, tutorial_view(TutorialStep.QUEEN), parse_card("QD"), tr)


SETTINGS_PARTS: Parts = (
    (
        "The group’s settings",
        (
            Exhibit("The first page", page(CLASSIC, Page.FIRST)),
            Exhibit("Rules of one’s own", page(OURS, Page.FIRST)),
            Exhibit("While a match is running", page(group_with(is_playing=True), Page.FIRST)),
            Exhibit("Presets", page(CLASSIC, Page.PRESETS)),
            Exhibit("Presets, with five in the lobby and changed rules", page(FULL, Page.PRESETS)),
            Exhibit("Presets, in place of rules of one’s own", page(OURS, Page.PRESETS)),
            Exhibit("Saved rules", page(OURS, Page.SAVED)),
            Exhibit("Saved rules: none", page(CLASSIC, Page.SAVED)),
            Exhibit("One of them", lambda tr: rule_set_page(SAVED[0], OURS, tr, BOT)),
            Exhibit(
                "One of them, with too many in the lobby",
                lambda tr: rule_set_page(CROWDED, FULL, tr, BOT),
            ),
            Exhibit("Deleting it", lambda tr: ask_delete_page(SAVED[0], tr)),
            Exhibit("Brought into a group by a link", lambda tr: offered_rules(SAVED[0], CLASSIC, tr)),
            Exhibit("The link, followed in private", lambda tr: shared_rules(SAVED[0], tr, BOT)),
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
            Exhibit(
                "Deck, with ten in the lobby", page(group_with(seated=10, deck=72), page_of(RULE, "deck"))
            ),
            Exhibit("What kings do", page(CLASSIC, page_of(EFFECT, "K"))),
            Exhibit("What the king of spades does", page(CLASSIC, page_of(EFFECT, "KS"))),
            *(Exhibit(f"Question: {name}", page(CLASSIC, name)) for name in QUESTIONS),
            Exhibit("Question: language", page(CLASSIC, Page.LANGUAGE)),
            Exhibit(
                "Chosen",
                lambda tr: answers.chosen(tr.plain("preset.game_108"), tr, is_playing=False),
            ),
            Exhibit(
                "Chosen while a match is running",
                lambda tr: answers.chosen(tr.plain("answer.deck.52"), tr, is_playing=True),
            ),
        ),
    ),
    (
        "One’s own settings",
        (
            Exhibit(
                "As at first",
                lambda tr: own_settings(
                    PersonalSettings(True, True, HandOrder.SUIT, False, Telling.ASK), tr, CATALOGUES
                ),
            ),
            Exhibit(
                "All chosen otherwise",
                lambda tr: own_settings(
                    PersonalSettings(False, False, HandOrder.RANK, False, Telling.NEVER), tr, CATALOGUES
                ),
            ),
        ),
    ),
    (
        "The tutorial",
        (
            *(Exhibit(f"Page: {chapter}", _lesson(chapter)) for chapter in LessonPage),
            Exhibit("Trial hand: the first card", _trial(TutorialStep.MATCH)),
            Exhibit(
                "Trial hand: a card that does not fit",
                lambda tr: answers.does_not_fit(tutorial_view(TutorialStep.MATCH), tr),
            ),
            Exhibit("Trial hand: a queen", _trial(TutorialStep.QUEEN, "9C")),
            Exhibit("Trial hand: which suit", _suits),
            Exhibit("Trial hand: an eight", _trial(TutorialStep.EIGHT, "QD", 1)),
            Exhibit("Trial hand: its cover", _trial(TutorialStep.COVER, "8S")),
        ),
    ),
)
