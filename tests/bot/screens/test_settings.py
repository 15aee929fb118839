"""The settings menu: everything is reachable, unavailable choices are explained, every page fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.buttons import (
    AllowTransfer,
    CallbackData,
    Choose,
    ChooseEffect,
    ChoosePreset,
    ChooseRule,
    OpenSettings,
    SetLanguage,
    UseRuleSet,
    decode,
)
from bot.locales import Translator
from bot.screens.rule_summaries import brief
from bot.screens.rule_texts import is_effective
from bot.screens.screen import Screen, Style
from bot.screens.settings import settings
from bot.screens.settings_layout import CHAPTER, EFFECT, RULE, Page, page_of
from bot.screens.settings_rules import CHAPTERS
from bot.screens.settings_sets import ask_delete_page, offered_rules, rule_set_page, shared_rules
from bot.settings import CHOICES, GroupSettings, Owner, TableSettings, choices_of
from bot.tables.choices import GroupSettingsView, RuleSet, value_code
from bot.tables.group_settings import MOST_RULE_SETS
from engine import PRESETS, RANKS, SETTINGS, SUITS, Effect, Rules, SettingKind
from tests.bot.screens.gallery_settings import group_with
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CATALOGUES, LANGUAGES, RU
from tests.bot.screens.settings_page import PAGE, settings_page
from tests.bot.screens.telegram_html import shown

BOT = "sto_odno_bot"
CHOSEN = [choice.name for choice in choices_of(Owner.TABLE, Owner.GROUP)]
EVERYTHING = {
    "deck": 52,
    "effects": {
        rank + suit: list(Effect)[(place * 5 + n) % len(Effect)].value
        for place, rank in enumerate(RANKS)
        for n, suit in enumerate(SUITS)
    },
    "transfer": list(RANKS),
    "points": "heavy",
    "lone_queen": "20_40",
    "finish_bonus": "queens_king",
    "double_on_queen_finish": True,
    "limit": 1000,
    "exact_limit": "zero_and_half",
    "game_end": "first_bust",
    "negatives": "floor_zero",
    "cover_draw": "one",
    "finish_on_cover": "ends_round",
}
"""Rules of which there is as much to tell as can be."""


def page(view: GroupSettingsView, name: str, tr: Translator = RU) -> Screen:
    return settings(view, name, tr, CATALOGUES, BOT)


def offered(screen: Screen) -> list[CallbackData | None]:
    return [decode(button.data) for row in screen.rows for button in row if button.data is not None]


def ticked(screen: Screen) -> list[CallbackData | None]:
    """What is marked as chosen, by a tick and by a colour alike."""
    buttons = [button for row in screen.rows for button in row]
    by_tick = [button for button in buttons if button.text.startswith("✅")]
    assert by_tick == [button for button in buttons if button.style is Style.SUCCESS]
    return [decode(button.data or "") for button in by_tick]


def pages_from(view: GroupSettingsView, tr: Translator) -> Iterator[tuple[str, Screen]]:
    """Yield every page that can be reached from the first, with its name."""
    seen: set[str] = set()
    waiting = [str(Page.FIRST)]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            screen = page(view, name, tr)
            yield name, screen
            waiting += [it.page for it in offered(screen) if isinstance(it, OpenSettings)]


def test_every_setting_is_asked_about_in_one_chapter() -> None:
    asked = [name for names in CHAPTERS.values() for name in names]
    assert sorted(asked) == sorted(SETTINGS)


@LANGUAGES
def test_every_page_can_be_reached_and_leads_back(tr: Translator) -> None:
    everything = group_with(finish_bonus="queens")
    reached = dict(pages_from(everything, tr))
    ranks = [page_of(EFFECT, rank) for rank in RANKS[4:]]
    cards = [page_of(EFFECT, rank + suit) for rank in RANKS[4:] for suit in SUITS]
    chapters = [page_of(CHAPTER, chapter) for chapter in CHAPTERS]
    rules = [page_of(RULE, name) for name in SETTINGS]
    assert sorted(reached) == sorted([*Page, *CHOSEN, *chapters, *rules, *ranks, *cards])
    for name, screen in reached.items():
        if name != Page.FIRST:
            back = decode(screen.rows[-1][0].data or "")
            assert isinstance(back, OpenSettings)
            assert back.page != name


@LANGUAGES
@pytest.mark.parametrize("name", [n for n, it in SETTINGS.items() if it.kind is SettingKind.CHOICE])
def test_a_rules_page_offers_every_value_in_other_words_and_marks_the_one_chosen(
    name: str, tr: Translator
) -> None:
    for value in SETTINGS[name].values:
        view = group_with(**{"finish_bonus": "queens", name: value})
        screen = page(view, page_of(RULE, name), tr)
        if not is_effective(name, view.rules):
            continue
        assert {it for it in offered(screen) if isinstance(it, ChooseRule)} == {
            ChooseRule(name, value_code(other)) for other in SETTINGS[name].values
        }
        assert ticked(screen) == [ChooseRule(name, value_code(value))]
        texts = [button.text for row in screen.rows for button in row]
        assert len(set(texts)) == len(texts)


@LANGUAGES
def test_the_page_of_a_rank_or_card_offers_every_effect(tr: Translator) -> None:
    for key, effect in (("7", Effect.TAKE2), ("K", Effect.NONE), ("KS", Effect.TAKE4), ("9H", Effect.NONE)):
        screen = page(group_with(), page_of(EFFECT, key), tr)
        assert {it for it in offered(screen) if isinstance(it, ChooseEffect)} == {
            ChooseEffect(key, effect) for effect in Effect
        }
        assert ticked(screen) == [ChooseEffect(key, effect)]


def test_cards_that_the_deck_does_not_hold_have_no_page() -> None:
    first = page(group_with(), Page.FIRST)
    for key in ("2", "5S", "1S", "Z", ""):
        assert page(group_with(), page_of(EFFECT, key)) == first
    assert page(group_with(deck=52), page_of(EFFECT, "2")) != page(group_with(deck=52), Page.FIRST)


def test_the_grid_shows_what_each_rank_does_and_where_a_card_differs() -> None:
    screen = page(group_with(), page_of(RULE, "effects"))
    texts = [button.text for row in screen.rows[:-1] for button in row]
    assert texts == ["6 +1⏭", "7 +2⏭", "8 ⤵️", "9 —", "10 —", "В —", "Д 🌈", "К —*", "Т ⏭"]


def test_ranks_with_an_attack_are_offered_to_be_passed_on_and_those_allowed_to_be_no_longer() -> None:
    screen = page(group_with(transfer=["7", "9"]), page_of(RULE, "transfer"))
    asked = [it for it in offered(screen) if isinstance(it, AllowTransfer)]
    assert asked == [
        AllowTransfer("6", True),
        AllowTransfer("7", False),
        AllowTransfer("9", False),
        AllowTransfer("K", True),
        AllowTransfer("A", True),
    ]


@pytest.mark.parametrize(("limit", "steps"), [(50, [51, 60]), (55, [54, 56, 65]), (1000, [990, 999])])
def test_no_step_leads_out_of_a_numbers_bounds(limit: int, steps: list[int]) -> None:
    screen = page(group_with(limit=limit), page_of(RULE, "limit"))
    asked = [decode(button.data or "") for button in screen.rows[-2]]
    assert asked == [ChooseRule("limit", str(step)) for step in steps]


# ------------------------------------------------------------------------------- what cannot be chosen now


@LANGUAGES
def test_what_has_no_seat_for_everybody_in_the_lobby_is_said_and_not_offered(tr: Translator) -> None:
    hands = page(group_with(seated=5), page_of(RULE, "hand_size"), tr)
    assert [it for it in offered(hands) if isinstance(it, ChooseRule)] == [
        ChooseRule("hand_size", "3"),
        ChooseRule("hand_size", "4"),
    ]
    assert hands.text.count("🚫") == 4
    presets = page(group_with(seated=5), Page.PRESETS, tr)
    refused = [preset for preset in PRESETS if Rules.from_document({"preset": preset}).max_seats < 5]
    assert {it.preset for it in offered(presets) if isinstance(it, ChoosePreset)} == set(PRESETS) - set(
        refused
    )
    for preset in refused:
        assert f"🚫 {tr.plain(f'preset.{preset}')}" in presets.text


def test_the_value_that_is_set_is_offered_even_if_the_lobby_is_too_full_for_it() -> None:
    """A rematch of five goes on by its old rules, though the group has chosen others since."""
    hands = page(group_with(seated=5, hand_size=8), page_of(RULE, "hand_size"))
    assert ticked(hands) == [ChooseRule("hand_size", "8")]


@LANGUAGES
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("cover_by_wild", {"effects": {"8": "none"}}),
        ("cover_by_wild", {"effects": {"Q": "none"}}),
        ("cover_draw", {"effects": {"8": "none"}}),
        ("finish_on_cover", {"effects": {"8": "none"}}),
        ("stock_out", {"draw": "one_then_pass", "cover_draw": "one"}),
        ("transfer", {"effects": {"6": "none", "7": "load2", "A": "reverse", "KS": "none"}}),
        ("negatives", {}),
    ],
)
def test_a_rule_that_can_make_no_difference_says_why_and_offers_nothing(
    name: str, rules: dict[str, Any], tr: Translator
) -> None:
    view = group_with(**rules)
    screen = page(view, page_of(RULE, name), tr)
    assert [type(it) for it in offered(screen)] == [OpenSettings]
    reason = shown(screen.text).split("\n")[-1]
    chapter = next(chapter for chapter, names in CHAPTERS.items() if name in names)
    contents = page(view, page_of(CHAPTER, chapter), tr)
    assert reason in shown(contents.text)
    assert OpenSettings(page_of(RULE, name)) not in offered(contents)


@LANGUAGES
def test_that_a_running_match_keeps_its_rules_stands_on_every_page_that_changes_them(tr: Translator) -> None:
    note = tr("settings.playing")
    at_once = ("talk", "look", "stand_in", "hints", "editors", Page.LANGUAGE)
    for name, screen in pages_from(group_with(is_playing=True), tr):
        assert screen.text.endswith(note) is (name not in (Page.SAVED, *at_once)), name
    assert all(note not in screen.text for _, screen in pages_from(group_with(), tr))


# -------------------------------------------------------------------------------------- presets, saved rules


@LANGUAGES
def test_every_preset_is_told_in_a_line_of_its_own(tr: Translator) -> None:
    lines = shown(page(group_with(), Page.PRESETS, tr).text).split("\n")
    for preset in PRESETS:
        rules = Rules.from_document({"preset": preset})
        assert f"{tr.plain(f'preset.{preset}')}: {brief(rules, tr)}" in lines


@LANGUAGES
def test_a_brief_tells_rules_apart(tr: Translator) -> None:
    told = [brief(Rules.from_document({"preset": preset}), tr) for preset in PRESETS]
    assert len(set(told)) == len(PRESETS)


def test_a_brief_names_what_differs_and_nothing_else() -> None:
    assert brief(Rules(), RU) == "всё как в классической игре"
    assert brief(Rules.from_document({"hand_size": 5, "effects": {"8": "none", "9": "cover"}}), RU) == (
        "по 5 карт · 8 — обычная карта · 9 — нужно накрыть"
    )
    assert (
        brief(Rules.from_document({"effects": {"8": "none"}, "cover_draw": "one"}), RU) == "8 — обычная карта"
    )


def test_whoever_would_lose_rules_of_his_own_is_warned() -> None:
    mine = Rules.from_document({"limit": 77})
    warned = "Сейчас играют так"
    assert warned not in page(group_with(), Page.PRESETS).text
    assert warned not in page(group_with(preset="five_card"), Page.PRESETS).text
    unsaved = group_with(limit=77)
    assert warned in page(unsaved, Page.PRESETS).text
    assert warned not in page(replace(unsaved, rule_sets=(RuleSet("1", "Наши", mine),)), Page.PRESETS).text


@LANGUAGES
def test_rules_of_another_group_are_played_by_only_if_everybody_has_a_seat(tr: Translator) -> None:
    saved = RuleSet("0a1b2c3d4e", "Дача", Rules.from_document({"hand_size": 8}))
    assert UseRuleSet(saved.token) in offered(offered_rules(saved, group_with(seated=3), tr))
    crowded = offered_rules(saved, group_with(seated=4), tr)
    assert UseRuleSet(saved.token) not in offered(crowded)
    assert "🚫" in crowded.text


# ------------------------------------------------------------------------------------------ the small pages


@LANGUAGES
def test_the_page_of_a_choice_offers_every_value_in_other_words_and_marks_the_one_chosen(
    tr: Translator,
) -> None:
    for name in CHOSEN:
        for value in CHOICES[name].values:
            view = GroupSettingsView(GroupSettings().choosing(CHOICES[name], value))
            screen = page(view, name, tr)
            assert [it for it in offered(screen) if isinstance(it, Choose)] == [
                Choose(name, other) for other in CHOICES[name].values
            ]
            assert ticked(screen) == [Choose(name, value)]
            texts = [button.text for row in screen.rows for button in row]
            assert len(set(texts)) == len(texts)


def test_the_page_of_languages_marks_the_one_that_it_speaks() -> None:
    assert ticked(page(group_with(), Page.LANGUAGE)) == [SetLanguage("ru")]


def test_a_setting_of_a_person_has_no_page_in_a_group() -> None:
    assert page(group_with(), "sound") == page(group_with(), Page.FIRST)


def test_a_pace_of_the_hosts_own_is_shown_as_what_it_is() -> None:
    view = GroupSettingsView(GroupSettings(TableSettings(Rules(), 45)))
    assert ticked(page(view, "pace")) == [Choose("pace", 45)]


# ------------------------------------------------------------------------------------------------- limits


@LANGUAGES
def test_every_page_fits_a_message_under_the_longest_rules(tr: Translator) -> None:
    longest = Rules.from_document(EVERYTHING)
    saved = tuple(RuleSet(f"{n:010x}", f"<{'Ж' * 22}{n}", longest) for n in range(MOST_RULE_SETS))
    view = GroupSettingsView(GroupSettings(TableSettings(longest)), saved, 10, True)
    for _, screen in pages_from(view, tr):
        check(screen)
    for screen in (
        rule_set_page(saved[0], view, tr, BOT),
        ask_delete_page(saved[0], tr),
        offered_rules(saved[0], view, tr),
        shared_rules(saved[0], tr, BOT),
    ):
        check(screen)
        assert "&lt;ЖЖ" in screen.text


def test_the_page_of_settings_in_the_docs_says_what_is_declared() -> None:
    assert settings_page() == PAGE.read_text(encoding="utf-8"), "make golden"
