"""How one choice of rules becomes the next, for every setting there is, from the words of button data."""

from __future__ import annotations

import pytest

from bot.tables.choices import (
    Editors,
    GroupSettings,
    GroupSettingsView,
    value_code,
    with_effect,
    with_transfer,
    with_value,
)
from bot.tables.settings import TableSettings
from engine import PRESETS, RANKS, SETTINGS, BadRules, Effect, Rules, SettingKind, parse_card

CHOICES = [
    (name, value)
    for name, setting in SETTINGS.items()
    if setting.kind is SettingKind.CHOICE
    for value in setting.values
]


def rules(preset: str = "classic", **settings: object) -> Rules:
    return Rules.from_document({"preset": preset, **settings})


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_value_can_be_chosen_and_changes_just_its_setting(
    preset: str, name: str, value: object
) -> None:
    assert with_value(rules(preset), name, value_code(value)) == rules(preset, **{name: value})


def test_a_limit_is_any_number_within_its_bounds() -> None:
    assert with_value(Rules(), "limit", "137").limit == 137
    for text in ("49", "1001", "-60", "", "1e2", "сто"):
        with pytest.raises(BadRules, match="limit"):
            with_value(Rules(), "limit", text)


@pytest.mark.parametrize(
    ("name", "code"), [("deck", "54"), ("draw", "never"), ("effects", "cover"), ("transfer", "6"), ("", "")]
)
def test_what_is_no_choice_is_refused(name: str, code: str) -> None:
    with pytest.raises(BadRules):
        with_value(Rules(), name, code)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("effect", Effect)
@pytest.mark.parametrize("key", ["6", "9", "K", "KS", "10H"])
def test_a_rank_or_a_card_gets_any_effect_under_any_preset(preset: str, effect: Effect, key: str) -> None:
    changed = with_effect(rules(preset), key, effect)
    card = parse_card(key if key not in RANKS else f"{key}D")
    assert changed.effect_of(card) is effect
    untouched = [card for card in range(52) if changed.effect_of(card) is not rules(preset).effect_of(card)]
    assert len(untouched) <= (4 if key in RANKS else 1)


def test_a_card_with_an_effect_of_its_own_keeps_it_when_its_rank_gets_another() -> None:
    changed = with_effect(rules("classic"), "K", "skip")
    assert changed.effect_of(parse_card("KH")) is Effect.SKIP
    assert changed.effect_of(parse_card("KS")) is Effect.TAKE4


def test_a_card_made_like_its_rank_has_no_effect_of_its_own_any_more() -> None:
    assert with_effect(rules("classic"), "KS", "none") == rules(effects={"KS": "none"})
    assert "KS" not in dict(with_effect(rules("classic"), "KS", "none").effects)


def test_effects_that_cannot_be_are_refused() -> None:
    for key, effect in (("1S", "skip"), ("6", "burn"), ("", "skip")):
        with pytest.raises(BadRules):
            with_effect(Rules(), key, effect)


def test_ranks_whose_attacks_are_passed_on_are_chosen_one_by_one() -> None:
    both = with_transfer(with_transfer(Rules(), "7", True), "6", True)
    assert both.transfer == ("6", "7")
    assert with_transfer(both, "7", True) == both
    assert with_transfer(both, "7", False).transfer == ("6",)
    with pytest.raises(BadRules):
        with_transfer(Rules(), "1", True)


def test_choices_made_one_after_another_end_where_a_document_would() -> None:
    changed = with_value(rules("five_card"), "limit", "121")
    changed = with_effect(with_transfer(changed, "6", True), "8", "reverse")
    assert changed == rules("five_card", limit=121, transfer=["6"], effects={"8": "reverse"})


def test_a_groups_choices_are_read_back_as_they_were_written() -> None:
    chosen = GroupSettings(TableSettings(rules("game_108", limit=200), None, True), Editors.EVERYBODY)
    assert GroupSettings.from_document(chosen.to_document()) == chosen


def test_rules_must_have_a_seat_for_everybody_in_the_lobby() -> None:
    assert GroupSettingsView(GroupSettings(), seated=6).seats_all(rules("classic"))
    assert not GroupSettingsView(GroupSettings(), seated=6).seats_all(rules("five_card"))
