"""Moves as text, parsed and formatted."""

from typing import Any

import pytest

from engine import (
    Deal,
    Draw,
    Join,
    Leave,
    Move,
    Pass,
    Play,
    move_text,
    parse_card,
    parse_move,
    turn_move_text,
)
from tests.builders import SEED, position

MATCH = position("p1: 9S QH KD | p2: 7D | p3 [102 out]: | stock: 6H | discard: JS")

MOVES: list[tuple[Move, str | dict[str, Any]]] = [
    (Play(0, parse_card("9S")), "p1 9S"),
    (Play(0, parse_card("10H")), "p1 10H"),
    (Play(1, parse_card("QH"), 2), "p2 QH:D"),
    (Play(1, parse_card("QH"), 0), "p2 QH:S"),
    (Draw(2), "p3 draw"),
    (Pass(0), "p1 pass"),
    (Leave(1), "p2 leave"),
    (Join("p9"), "p9 join"),
    (Join("p1"), "p1 join"),
    (Deal(bytes.fromhex(SEED), cut=5), {"deal": None, "seed": SEED, "cut": 5}),
    (Deal(bytes.fromhex(SEED)), {"deal": None, "seed": SEED, "cut": 0}),
    (Deal(None), {"deal": None, "cut": 0}),
    (Deal(None, (5, 4)), {"deal": ["7S", "6S"]}),
    (Deal(bytes.fromhex(SEED), (5, 4)), {"deal": ["7S", "6S"], "seed": SEED}),
]


@pytest.mark.parametrize(("move", "text"), MOVES, ids=[str(text) for _, text in MOVES])
def test_a_move_is_written_and_read_back(move: Move, text: str | dict[str, Any]) -> None:
    assert move_text(MATCH, move) == text
    assert parse_move(MATCH, text) == move


def test_a_turn_move_is_written_without_its_player() -> None:
    moves = (Play(0, parse_card("6S")), Play(0, parse_card("QH"), 3), Draw(0), Pass(0))
    assert [turn_move_text(move) for move in moves] == ["6S", "QH:C", "draw", "pass"]
