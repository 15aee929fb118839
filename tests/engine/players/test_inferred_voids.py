"""Inferred voids, and how a normal player uses them."""

from random import Random

import pytest

from engine import SUITS, turn_move_text, view_for
from engine.players import advise
from engine.players.inferred_voids import suits_lacked
from tests.engine.players.table import watched

THREE = "p1: 9S 10S JS KD | p2: 6H QH KH JH | p3: 10C JC 9C 9H | stock: 9D KC KS 7S"


def lacked(seat: int, *moves: str, text: str = THREE, **settings: object) -> str:
    """The suits that the seat has shown to lack after these moves, as their letters."""
    match, history = watched(text, *moves, **settings)
    assert match.round is not None
    return "".join(SUITS[suit] for suit in sorted(suits_lacked(view_for(match, 0, history), seat)))


NO_WILD = THREE.replace("QH", "7H")


@pytest.mark.parametrize(
    ("moves", "suits"),
    [
        ([], ""),
        (["p1 9S"], ""),
        (["p1 9S", "p2 draw"], "S"),
        (["p1 9S", "p2 draw", "p2 9D"], "S"),
    ],
)
def test_who_draws_for_want_of_a_card_lacks_the_suit(moves: list[str], suits: str) -> None:
    assert lacked(1, *moves, text=NO_WILD) == suits
    assert lacked(2, *moves, text=NO_WILD) == ""


def test_who_takes_cards_may_have_got_the_suit() -> None:
    text = "p1: 9S 10S 7D KD | p2: 6H 8H KH JH | stock: 9D KC KS 7S"
    assert lacked(1, "p1 9S", "p2 draw", "p2 9D", text=text) == "S"
    assert lacked(1, "p1 9S", "p2 draw", "p2 9D", "p1 7D", text=text) == ""


def test_an_order_asks_for_its_suit() -> None:
    text = "p1: QS 10S JS KD | p2: 6H 7H KH JH | stock: 9D KC KS 7S"
    assert lacked(1, "p1 QS:D", "p2 draw", text=text) == "D"
    assert lacked(1, "p1 QS:C", "p2 draw", text=text, draw="one_then_play") == "C"


def test_a_draw_by_choice_shows_nothing_but_one_in_vain_does() -> None:
    assert lacked(1, "p1 9S", "p2 draw", text=NO_WILD, voluntary_draw="always") == ""
    vain = NO_WILD.replace("9D KC", "KC 9D")
    rules = {"voluntary_draw": "always", "draw": "one_then_play"}
    assert lacked(1, "p1 9S", "p2 draw", text=vain, **rules) == "S"


def test_the_card_turned_up_asks_too() -> None:
    text = "p2: 6H 7H KH JH | p1: 9S 10S JS KD | stock: 8C 9D KC KS 7S"
    match, history = watched(text, "p2 draw", opening="turn_up")
    assert suits_lacked(view_for(match, 1, history), 0) == {3}


@pytest.mark.parametrize(
    ("mine", "move", "why"),
    [("9S 10C JC 10S", "10S", "starve_the_next"), ("9S QC JC JH", "QC:S", "order_what_they_lack")],
)
def test_a_normal_player_asks_for_what_the_next_lacks(mine: str, move: str, why: str) -> None:
    text = f"p1: {mine} | p2: 6H 7H KH 8H | p3: 10D 8C 8D KC | stock: 9D AC KS 7S"
    match, history = watched(text, "p1 9S", "p2 draw", "p2 9D", "p3 10D")
    advice = advise(view_for(match, 0, history), Random(0))
    assert (turn_move_text(advice.move), str(advice.why)) == (move, why)
