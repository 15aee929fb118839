"""The declarations of settings, and what earlier versions stored of them."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from bot.settings import (
    CHOICES,
    Editors,
    GroupSettings,
    HandOrder,
    Look,
    Owner,
    PersonalSettings,
    TableSettings,
    Telling,
    choices_of,
    look_in,
)
from engine import Rules

STORED = (
    '{"rules": {"preset": "game_108", "limit": 200}, "turn_seconds": null, "cut": true, "talk": false,'
    ' "stand_in": true, "hints": true, "editors": "everybody", "look": "four_colours"}'
)
"""What versions stored before settings were declared in one table."""
OURS = GroupSettings(
    TableSettings(
        Rules.from_document({"preset": "game_108", "limit": 200}),
        turn_seconds=None,
        cut=True,
        stand_in=True,
        hints=True,
        talk=False,
    ),
    Look.FOUR_COLOURS,
    Editors.EVERYBODY,
)


def test_what_a_group_chose_in_an_earlier_version_is_read() -> None:
    assert GroupSettings.from_document(json.loads(STORED)) == OURS
    assert look_in(STORED) is Look.FOUR_COLOURS


def test_a_groups_settings_are_stored_under_the_names_of_earlier_versions() -> None:
    written = json.loads(json.dumps(OURS.to_document()))
    assert {**written, "rules": None} == {**json.loads(STORED), "rules": None}
    assert GroupSettings.from_document(written) == OURS


def test_what_was_stored_before_a_setting_existed_leaves_it_at_its_default() -> None:
    first = {
        "rules": {"preset": "classic"},
        "turn_seconds": 30,
        "cut": False,
        "talk": True,
        "editors": "host",
    }
    assert GroupSettings.from_document(first) == GroupSettings(TableSettings(turn_seconds=30))


def test_a_persons_columns_are_read_as_what_they_mean() -> None:
    stored = {"sound": 0, "forced_moves": 1, "hand_order": "rank", "hidden": 1, "telling": "always"}
    chosen = PersonalSettings.from_columns(stored)
    assert chosen == PersonalSettings(False, True, HandOrder.RANK, True, Telling.ALWAYS)
    assert chosen.sound is False


def test_what_cannot_have_been_stored_is_not_taken_for_a_setting() -> None:
    with pytest.raises(ValueError, match="oil"):
        GroupSettings.from_document({**json.loads(STORED), "look": "oil"})


def test_every_field_of_a_settings_class_is_a_choice_but_for_rules() -> None:
    declared = {choice.field for choice in CHOICES.values()}
    classes = (TableSettings, GroupSettings, PersonalSettings)
    assert {it.name for kind in classes for it in fields(kind)} - declared == {"rules", "table"}


def test_every_choice_begins_at_its_default_and_no_two_have_a_code_in_common() -> None:
    for choice in choices_of(Owner.TABLE, Owner.GROUP):
        assert GroupSettings().value(choice) == choice.default
    for choice in CHOICES.values():
        assert choice.default in choice.values
        assert len(choice.values) > 1
    assert len({choice.code for choice in CHOICES.values()}) == len(CHOICES)


def test_choosing_a_value_changes_nothing_else() -> None:
    for choice in choices_of(Owner.TABLE, Owner.GROUP):
        for value in choice.values:
            changed = OURS.choosing(choice, value)
            assert changed.value(choice) == value
            assert changed.choosing(choice, OURS.value(choice)) == OURS


def test_a_running_match_keeps_its_rules_pace_and_cut() -> None:
    begun = TableSettings(turn_seconds=30, cut=False, talk=True)
    chosen = OURS.table.in_match(begun)
    assert (chosen.rules, chosen.turn_seconds, chosen.cut) == (begun.rules, 30, False)
    assert (chosen.talk, chosen.stand_in, chosen.hints) == (False, True, True)
