"""Changes of rules from the words of button data."""

from __future__ import annotations

import pytest

from bot.settings import GroupSettings
from bot.tables.choices import GroupSettingsView, value_code, with_effect, with_transfer, with_value
from engine import PRESETS, SETTINGS, BadRules, Effect, Rules, SettingKind, parse_card


def rules(preset: str = "classic", **settings: object) -> Rules:
    return Rules.from_document({"preset": preset, **settings})


@pytest.mark.parametrize(
    ("name", "code", "value"),
    [
        ("deck", "52", 52),
        ("hand_size", "8", 8),
        ("draw", "until_playable", "until_playable"),
        ("double_on_queen_finish", "true", True),
        ("limit", "137", 137),
    ],
)
def test_a_word_of_a_button_is_the_value_that_it_names(name: str, code: str, value: object) -> None:
    chosen = getattr(with_value(rules(), name, code), name)
    assert (chosen, type(chosen)) == (value, type(value))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_can_be_chosen_under_every_preset_and_changes_nothing_else(preset: str) -> None:
    before = rules(preset)
    for name, setting in SETTINGS.items():
        for value in setting.values if setting.kind is SettingKind.CHOICE else ():
            after = with_value(before, name, value_code(value))
            assert getattr(after, name) == value
            others = [other for other in SETTINGS if getattr(after, other) != getattr(before, other)]
            assert set(others) <= {name}


@pytest.mark.parametrize("limit", ["49", "1001", "-60", "", "1e2", "сто"])
def test_a_limit_out_of_its_bounds_is_refused(limit: str) -> None:
    with pytest.raises(BadRules, match="limit"):
        with_value(Rules(), "limit", limit)


@pytest.mark.parametrize(
    ("name", "code"), [("deck", "54"), ("draw", "never"), ("effects", "cover"), ("transfer", "6"), ("", "")]
)
def test_what_is_no_choice_is_refused(name: str, code: str) -> None:
    with pytest.raises(BadRules):
        with_value(Rules(), name, code)


@pytest.mark.parametrize("effect", Effect)
@pytest.mark.parametrize(("key", "cards"), [("9", {"9S", "9C", "9D", "9H"}), ("10H", {"10H"})])
def test_a_rank_or_a_card_gets_any_effect_and_no_other_card_does(
    effect: Effect, key: str, cards: set[str]
) -> None:
    changed = with_effect(rules(), key, effect)
    meant = {parse_card(card) for card in cards}
    assert {changed.effect_of(card) for card in meant} == {effect}
    assert all(changed.effect_of(card) is rules().effect_of(card) for card in range(52) if card not in meant)


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


def test_rules_must_have_a_seat_for_everybody_in_the_lobby() -> None:
    assert GroupSettingsView(GroupSettings(), seated=6).seats_all(rules("classic"))
    assert not GroupSettingsView(GroupSettings(), seated=6).seats_all(rules("five_card"))
