"""Moves and reasons of a normal player; each position shows one rule."""

from random import Random

import pytest

from engine import turn_move_text, view_for
from engine.players import MoveReason, advise
from tests.builders import play, position

PLAIN: dict[str, object] = {"effects": {"A": "none"}}
ZERO: dict[str, object] = {"exact_limit": "zero"}
NINE: dict[str, object] = {"points": "nine_zero"}

ELSEWHERE = {MoveReason.PASS_IT_ON, MoveReason.STARVE_THE_NEXT, MoveReason.ORDER_WHAT_THEY_LACK}
"""Reasons that need a history: see below, and `test_inferred_voids`."""

CASES = [
    # The move, the reason, the position, and rules other than the classic ones.
    ("draw", "only_move", "p1: 9S | p2: 7D KD | stock: 6H | discard: 10H", {}),
    ("9S", "finish", "p1: 9S | p2: 7D KD | stock: 6H | discard: JS", {"voluntary_draw": "always"}),
    ("8S", "go_out", "p1: 8S 9S | p2: 7D KD | stock: 6H | discard: JS", {}),
    ("7S", "sting_the_last_card", "p1: 7S 9S JH | p2: KD | p3: 6D 6S 9D | stock: 6H 8D | discard: JS", {}),
    ("7S", "hit", "p1: 7S JH KC | p2: KD 10C JC | p3: 6D 6S 9D | stock: 6H 8D 8C | discard: JS", {}),
    ("7S", "move_again", "p1: 7S 9S JH | p2: KD 10C KH JC | stock: 6H 8D 8C | discard: JS", {}),
    (
        "9S",
        "move_again",
        "p1: 9S 10S JH | p2: KD 10C KH JC | stock: 6H 8D 8C | discard: JS",
        {"effects": {"9": "reverse"}},
    ),
    ("8S", "two_at_once", "p1: 8S JH 9S | p2: KD 10C KH JC | stock: 6H 8D 8C | discard: 8H", {}),
    ("JS", "keep_the_wild", "p1: JS QD 10H 10C | p2: KD 9D 9C 6D | stock: 6H 8D 8C | discard: KS", {}),
    ("10D", "keep_the_covered", "p1: 8H 9D 10D | p2: KD 6S 6H | stock: 6H 8D 8C | discard: 10H", {}),
    ("QS:D", "order_longest_suit", "p1: QS 9D 8D | p2: KD 8C | stock: 6H 8D 8C | discard: 10H", {}),
    ("9C", "avoid_being_stuck", "p1: 7S 9C | p2: KD 6S 6H 8S | stock: 6H 8D 8C | discard: 7C", {}),
    (
        "JH",
        "keep_the_sting",
        "p1: 9H JH 10C | p2: KD 6S 6H 8S | p3: 8H 8D KC | stock: 6H 8D 8C | discard: 7H",
        NINE | {"effects": {"9": "skip"}},
    ),
    (
        "QH:C",
        "shed_a_card",
        "p1: QH JC | p2: KD 6S 6H 8S | stock: 10H 8D 8C | discard: 9D",
        {"voluntary_draw": "always", "draw": "one_then_play"},
    ),
    ("AH", "stay_in", "p1 [89]: AH JC 10C | p2: KD | stock: 6H 8D 8C | discard: 10H", PLAIN),
    ("JC", "aim_at_the_limit", "p1 [82]: 9C JC 10H | p2: KD | stock: 6H 8D | discard: 10C", PLAIN | ZERO),
    ("9H", "shed_points", "p1: 9H JH KC | p2: KD | stock: 6H 8D 8C | discard: 10H", PLAIN),
    ("JH", "match_colour", "p1: 9H JH JC | p2: KD 6D 7D | stock: 6H 8D 8C | discard: 10H", PLAIN | NINE),
    (
        "9H",
        "hit",
        "p1: 9H JH KC | p2: KD 6D 7D | stock: 6H 8D 8C | discard: 10H",
        PLAIN | {"effects": {"9": "load2"}},
    ),
]


@pytest.mark.parametrize(
    ("move", "why", "text", "rules"), CASES, ids=[f"{case[1]} {case[0]}" for case in CASES]
)
def test_a_normal_player_gives_a_reason(move: str, why: str, text: str, rules: dict[str, object]) -> None:
    match = position(text, **rules)
    advice = advise(view_for(match, 0), Random(0))
    assert (turn_move_text(advice.move), str(advice.why)) == (move, why)


def test_every_reason_has_its_case() -> None:
    assert {MoveReason(why) for _, why, *_ in CASES} | ELSEWHERE == set(MoveReason)


def test_an_attack_is_passed_on() -> None:
    match = play(position("p1: 7S KD | p2: 7H KC | stock: 6H 8D 8C | discard: JS", transfer=["7"]), "p1 7S")
    advice = advise(view_for(match, 1), Random(0))
    assert (turn_move_text(advice.move), advice.why) == ("7H", MoveReason.PASS_IT_ON)
