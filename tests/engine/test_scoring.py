"""Points, bonuses and totals, and the order of a round's settlement."""

import pytest

from engine import Rules, hand_points, parse_card
from engine.scoring import blocked_round_points, finish_bonus, new_total, won_round_points


def rules(**settings: object) -> Rules:
    return Rules.from_document(settings)


def hand(text: str) -> tuple[int, ...]:
    return tuple(parse_card(code) for code in text.split())


ALL_SPADES = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"


@pytest.mark.parametrize(
    ("table", "suit", "expected"),
    [
        ("classic", "S", [2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 3, 4, 11]),
        ("nine_zero", "S", [2, 3, 4, 5, 6, 7, 8, 0, 10, 2, 3, 4, 11]),
        ("heavy", "S", [2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 40, 80, 11]),
        ("heavy", "H", [2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 20, 4, 11]),
    ],
)
def test_each_card_costs_what_its_table_says(table: str, suit: str, expected: list[int]) -> None:
    cards = hand(ALL_SPADES.replace("S", suit))
    assert [hand_points(rules(points=table), (card,)) for card in cards] == expected


def test_a_hand_costs_the_sum_of_its_cards() -> None:
    assert hand_points(rules(), hand("AH QS 6D")) == 20
    assert hand_points(rules(), ()) == 0


@pytest.mark.parametrize(
    ("cards", "expected"),
    [("QH", 20), ("QS", 40), ("QH QS", 6), ("QH 6D", 9), ("6D", 6), ("", 0), ("KS", 4)],
)
def test_a_lone_queen_costs_more(cards: str, expected: int) -> None:
    assert hand_points(rules(lone_queen="20_40"), hand(cards)) == expected


@pytest.mark.parametrize(
    ("setting", "bonuses"),
    [
        ("none", {"QS": 0, "QH": 0, "KS": 0, "KH": 0, "6S": 0}),
        ("queens", {"QS": -40, "QH": -20, "KS": 0, "KH": 0, "6S": 0}),
        ("queens_king", {"QS": -40, "QH": -20, "KS": -80, "KH": 0, "6S": 0}),
    ],
)
def test_a_finish_earns_its_bonus(setting: str, bonuses: dict[str, int]) -> None:
    earned = {code: finish_bonus(rules(finish_bonus=setting), parse_card(code)) for code in bonuses}
    assert earned == bonuses


HANDS = ((0, ()), (1, hand("QH")), (3, hand("AH 6D")))


@pytest.mark.parametrize(
    ("last", "settings", "points"),
    [
        ("6S", {}, (0, 3, 17)),
        ("QS", {}, (0, 3, 17)),
        ("QD", {"double_on_queen_finish": True}, (0, 6, 34)),
        ("KS", {"double_on_queen_finish": True}, (0, 3, 17)),
        ("QS", {"double_on_queen_finish": True, "finish_bonus": "queens"}, (-40, 6, 34)),
        ("QD", {"double_on_queen_finish": True, "lone_queen": "20_40"}, (0, 40, 34)),
    ],
)
def test_a_won_round_costs_the_others_their_hands(
    last: str, settings: dict[str, object], points: tuple[int, ...]
) -> None:
    scored = won_round_points(rules(**settings), HANDS, 0, parse_card(last))
    assert scored == tuple(zip((0, 1, 3), points, strict=True))


def test_a_blocked_round_spares_the_lowest_hands() -> None:
    hands = ((0, hand("6D")), (2, hand("AH")), (5, hand("KH JD")))
    assert blocked_round_points(rules(), hands) == (((0, 0), (2, 11), (5, 0)), frozenset({0, 5}))


@pytest.mark.parametrize(
    ("exact_limit", "results"),
    [
        ("stay", {99: 99, 100: 100, 101: 101, 102: 102}),
        ("zero", {99: 99, 100: 100, 101: 0, 102: 102}),
        ("zero_and_half", {99: 99, 100: 50, 101: 0, 102: 102}),
    ],
)
def test_a_total_at_the_limit_becomes(exact_limit: str, results: dict[int, int]) -> None:
    known = rules(exact_limit=exact_limit)
    assert {total: new_total(known, total - 7, 7) for total in results} == results


def test_half_of_one_below_the_limit_is_rounded_down() -> None:
    assert new_total(rules(limit=108, exact_limit="zero_and_half"), 100, 7) == 53
    assert new_total(rules(limit=107, exact_limit="zero_and_half"), 100, 6) == 53


def test_the_winner_at_the_limit_is_looked_at_as_well() -> None:
    assert new_total(rules(exact_limit="zero"), 101, 0) == 0


@pytest.mark.parametrize(("negatives", "expected"), [("allow", -15), ("floor_zero", 0)])
def test_a_total_below_nothing(negatives: str, expected: int) -> None:
    assert new_total(rules(negatives=negatives), 5, -20) == expected
    assert new_total(rules(negatives=negatives), 5, 1) == 6
