"""Settings, presets, and errors in a settings document."""

from dataclasses import replace
from typing import Any

import pytest

import engine.rules as rules_module
from engine import PRESETS, SETTINGS, BadRules, Effect, EffectKind, Reason, Rules, SettingKind, parse_card

EFFECTS = "none, skip, take1, take2, take3, take4, take5, load2, load4, cover, wild, reverse"


def rules(**document: object) -> Rules:
    return Rules.from_document(document)


def effect(card: str, **document: object) -> str:
    return rules(**document).effect_of(parse_card(card))


def test_rules_without_a_word_are_the_classic_game() -> None:
    assert rules() == Rules() == rules(preset="classic")


@pytest.mark.parametrize("name", SETTINGS)
def test_the_default_of_a_setting_is_what_the_constructor_takes(name: str) -> None:
    assert getattr(Rules(), name) == SETTINGS[name].default


def test_presets_stand_in_the_order_they_are_shown() -> None:
    assert list(PRESETS) == [
        "classic",
        "one_card",
        "five_card",
        "cover_six",
        "heavy_six",
        "take_and_pass",
        "game_108",
    ]


@pytest.mark.parametrize(
    ("preset", "differs"),
    [
        ("classic", {}),
        (
            "one_card",
            {"draw": "one_then_play", "recycle": "shuffle", "finish_bonus": "queens", "exact_limit": "zero"},
        ),
        (
            "five_card",
            {
                "hand_size": 5,
                "opening": "last_dealt",
                "next_leader": "rotate",
                "draw": "one_then_play",
                "effects": {"8": "none", "9": "cover", "7S": "take4"},
                "finish_bonus": "queens",
                "exact_limit": "zero",
            },
        ),
        (
            "cover_six",
            {
                "opening": "last_dealt",
                "draw": "one_then_play",
                "effects": {"6": "cover", "8": "none", "7S": "take4", "K": "load4", "KS": "take5"},
                "exact_limit": "zero",
            },
        ),
        (
            "heavy_six",
            {
                "draw": "one_then_play",
                "effects": {"6": "take2", "7": "take1", "KS": "take5"},
                "points": "nine_zero",
                "finish_bonus": "queens",
                "exact_limit": "zero",
            },
        ),
        ("take_and_pass", {"hand_size": 5, "draw": "one_then_pass", "exact_limit": "zero"}),
        (
            "game_108",
            {
                "hand_size": 5,
                "draw": "one_then_play",
                "transfer": ["6", "7"],
                "points": "heavy",
                "finish_bonus": "queens_king",
                "limit": 108,
                "exact_limit": "zero_and_half",
            },
        ),
    ],
)
def test_a_preset_is_the_classic_game_with_these_differences(preset: str, differs: dict[str, Any]) -> None:
    assert replace(rules(preset=preset), preset="classic") == rules(**differs)


def test_an_override_beats_the_preset() -> None:
    assert rules(preset="game_108", limit=200) == replace(rules(preset="game_108"), limit=200)


def test_effects_are_merged_into_the_presets_table() -> None:
    merged = {"preset": "cover_six", "effects": {"9": "skip", "K": "none"}}
    assert [effect(card, **merged) for card in ("9H", "KH", "KS", "6D", "8D", "QC", "10S")] == [
        "skip",
        "none",
        "take5",
        "cover",
        "none",
        "wild",
        "none",
    ]


def test_a_cards_own_entry_beats_its_ranks() -> None:
    entries: dict[str, Any] = {"effects": {"K": "skip", "KS": "none", "10H": "wild"}}
    assert [effect(card, **entries) for card in ("KS", "KH", "10H", "10S")] == [
        "none",
        "skip",
        "wild",
        "none",
    ]


def test_entries_that_say_nothing_make_no_difference() -> None:
    assert rules(effects={"9": "none", "QS": "wild", "10H": "none"}) == rules()
    assert dict(rules(effects={"Q": "none"}).effects).keys() == {"6", "7", "8", "A", "KS"}
    assert rules(effects={"KS": "none"}).effects == tuple(
        entry for entry in rules().effects if entry[0] != "KS"
    )


@pytest.mark.parametrize(
    ("value", "kind", "cards"),
    [
        ("none", "plain", 0),
        ("skip", "attack", 0),
        ("take1", "attack", 1),
        ("take2", "attack", 2),
        ("take3", "attack", 3),
        ("take4", "attack", 4),
        ("take5", "attack", 5),
        ("load2", "load", 2),
        ("load4", "load", 4),
        ("cover", "cover", 0),
        ("wild", "wild", 0),
        ("reverse", "reverse", 0),
    ],
)
def test_an_effect_knows_what_it_costs(value: str, kind: EffectKind, cards: int) -> None:
    assert (Effect(value).kind, Effect(value).cards) == (kind, cards)


def test_the_effects_are_these() -> None:
    assert ", ".join(Effect) == EFFECTS


def test_the_transfer_ranks_are_put_in_order_once_each() -> None:
    assert rules(transfer=["A", "6", "10", "6"]).transfer == ("6", "10", "A")


@pytest.mark.parametrize(
    ("deck", "hand_size", "seats"),
    [
        (36, 4, 6),
        (36, 3, 8),
        (36, 5, 4),
        (36, 6, 4),
        (36, 8, 3),
        (52, 4, 8),
        (52, 3, 10),
        (72, 7, 6),
        (72, 4, 10),
    ],
)
def test_so_many_may_sit_down(deck: int, hand_size: int, seats: int) -> None:
    assert rules(deck=deck, hand_size=hand_size).max_seats == seats


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("deck", (36, 52, 72)),
        ("hand_size", (4, 3, 5, 6, 7, 8)),
        ("opening", ("any", "last_dealt", "turn_up")),
        ("next_leader", ("winner", "rotate", "loser")),
        ("draw", ("until_playable", "one_then_play", "one_then_pass")),
        ("voluntary_draw", ("never", "always")),
        ("stock_out", ("pass", "recycle")),
        ("recycle", ("flip", "shuffle")),
        ("cover_by_wild", (True, False)),
        ("cover_draw", ("until", "one")),
        ("finish_on_cover", ("must_cover", "ends_round")),
        ("finish_effect", ("ignored", "applied")),
        ("points", ("classic", "nine_zero", "heavy")),
        ("lone_queen", ("off", "20_40")),
        ("finish_bonus", ("none", "queens", "queens_king")),
        ("double_on_queen_finish", (False, True)),
        ("exact_limit", ("stay", "zero", "zero_and_half")),
        ("game_end", ("last_survivor", "first_bust")),
        ("negatives", ("allow", "floor_zero")),
    ],
)
def test_a_choice_takes_these_values_and_is_kept_as_it_is(name: str, values: tuple[object, ...]) -> None:
    assert SETTINGS[name].kind is SettingKind.CHOICE
    assert SETTINGS[name].values == values
    for value in values:
        assert getattr(rules(**{name: value}), name) is value


def test_a_choice_has_the_classic_value_first() -> None:
    assert rules_module._choice("deck", 36, 52, 72) == SETTINGS["deck"]


@pytest.mark.parametrize("limit", [50, 101, 1000])
def test_the_limit_is_a_number_in_its_range(limit: int) -> None:
    assert rules(limit=limit).limit == limit
    assert SETTINGS["limit"].kind is SettingKind.NUMBER
    assert (SETTINGS["limit"].lowest, SETTINGS["limit"].highest) == (50, 1000)


@pytest.mark.parametrize(
    ("setting", "document"),
    [
        ("drew", {"drew": "one"}),
        ("preset", {"preset": "house"}),
        ("preset", {"preset": None}),
        ("preset", {"preset": ["classic"]}),
        ("deck", {"deck": 32}),
        ("deck", {"deck": "36"}),
        ("deck", {"deck": 36.0}),
        ("deck", {"deck": [36]}),
        ("hand_size", {"hand_size": True}),
        ("draw", {"draw": None}),
        ("draw", {"draw": {}}),
        ("cover_by_wild", {"cover_by_wild": 1}),
        ("cover_by_wild", {"cover_by_wild": "true"}),
        ("double_on_queen_finish", {"double_on_queen_finish": 0}),
        ("limit", {"limit": 49}),
        ("limit", {"limit": 1001}),
        ("limit", {"limit": True}),
        ("limit", {"limit": 101.0}),
        ("limit", {"limit": "101"}),
        ("transfer", {"transfer": "6"}),
        ("transfer", {"transfer": ["6", "1"]}),
        ("transfer", {"transfer": [6]}),
        ("transfer", {"transfer": ["6S"]}),
        ("transfer", {"transfer": {"6": True}}),
        ("effects", {"effects": []}),
        ("effects", {"effects": {"6": "take6"}}),
        ("effects", {"effects": {"6": None}}),
        ("effects", {"effects": {"6": ["skip"]}}),
        ("effects", {"effects": {"SK": "skip"}}),
        ("effects", {"effects": {"": "skip"}}),
    ],
)
def test_bad_rules_name_the_setting(setting: str, document: dict[str, object]) -> None:
    with pytest.raises(BadRules) as caught:
        Rules.from_document(document)
    assert caught.value.setting == setting
    assert caught.value.reason is Reason.BAD_RULES
    assert caught.value.detail.startswith(f"{setting}: ")


@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ({"drew": "one"}, "drew: there is no such setting"),
        ({"deck": 32}, "deck: must be one of 36, 52, 72"),
        ({"cover_by_wild": 1}, "cover_by_wild: must be one of true, false"),
        ({"limit": 0}, "limit: must be a whole number from 50 to 1000"),
        ({"transfer": 6}, "transfer: must be a list of ranks"),
        ({"effects": 6}, "effects: must give effects by rank or card"),
        ({"effects": {"1": "skip"}}, "effects: '1' is neither a rank nor a card"),
        ({"effects": {"6": "take6"}}, f"effects: 6: must be one of {EFFECTS}"),
        ({"preset": "house"}, f"preset: must be one of {', '.join(PRESETS)}"),
    ],
)
def test_bad_rules_say_what_would_be_good_ones(document: dict[str, object], detail: str) -> None:
    with pytest.raises(BadRules) as caught:
        Rules.from_document(document)
    assert caught.value.detail == detail
    assert str(caught.value) == f"bad_rules: {detail}"


def test_the_first_bad_setting_is_named() -> None:
    with pytest.raises(BadRules) as caught:
        Rules.from_document({"limit": 101, "deck": 1, "draw": "none"})
    assert caught.value.setting == "deck"


@pytest.mark.parametrize(
    "document",
    [
        {"preset": "classic"},
        {"preset": "cover_six", "effects": {"K": "none", "KS": "load2", "9": "skip"}},
        {"preset": "five_card", "effects": {"7S": "take2", "8": "cover"}},
        {"preset": "game_108", "transfer": [], "limit": 120, "double_on_queen_finish": True},
        {"preset": "classic", "transfer": ["6", "K"], "effects": {"Q": "none", "QS": "wild"}},
    ],
)
def test_a_document_with_nothing_superfluous_is_written_back_in_substance(document: dict[str, Any]) -> None:
    read = Rules.from_document(document)
    assert Rules.from_document(read.to_document()) == read
    assert read.to_document().keys() == document.keys()


def test_written_rules_are_fit_for_json() -> None:
    written = rules(transfer=["A", "6"], effects={"10S": "skip", "6": "none", "KS": "none"}).to_document()
    assert written == {
        "preset": "classic",
        "transfer": ["6", "A"],
        "effects": {"10S": "skip", "6": "none", "KS": "none"},
    }
    assert type(written["transfer"]) is list


def test_what_is_as_in_the_preset_is_not_written() -> None:
    assert rules(preset="take_and_pass", hand_size=5, deck=36).to_document() == {"preset": "take_and_pass"}


def test_written_effects_are_those_that_differ() -> None:
    read = rules(preset="cover_six", effects={"7S": "take2", "K": "load2", "9": "take1"})
    assert read.to_document() == {
        "preset": "cover_six",
        "effects": {"7S": "take2", "9": "take1", "K": "load2"},
    }


def test_rules_tell_what_a_card_counts() -> None:
    assert [rules(points="heavy").points_of(parse_card(code)) for code in ("QS", "9D", "AC")] == [40, 9, 11]


def test_rules_are_shown_without_what_follows_from_them() -> None:
    assert repr(rules(limit=120)).endswith(
        "limit=120, exact_limit='stay', game_end='last_survivor', negatives='allow')"
    )


def test_equal_rules_hash_alike() -> None:
    assert hash(rules(limit=120)) == hash(rules(limit=120))
    assert len({rules(), rules(limit=120), rules(limit=120)}) == 2
