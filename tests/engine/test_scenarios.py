"""Positions and moves with known answers; whole matches under mixed rules; known shuffles."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine import Rules, apply, card_code, commitment, new_match, parse_card, replay
from engine.cards import sorted_deck
from engine.moves import Deal
from engine.shuffle import lead_and_deck, recycled

FOLDER = Path(__file__).parent.parent / "scenarios"
SHUFFLES = json.loads((FOLDER / "shuffle.json").read_text("utf-8"))
FILES = sorted(path for path in FOLDER.rglob("*.json") if path.name != "shuffle.json")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_is_answered_exactly(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))
    answer = replay(document)
    if answer["error"] is not None:
        answer["error"].pop("detail", None)
    assert answer == document["expect"]


def test_there_are_scenarios_of_both_kinds() -> None:
    assert len(FILES) >= 89
    assert len([path for path in FILES if path.parent.name == "matches"]) >= 24


@pytest.mark.parametrize("case", SHUFFLES["cases"], ids=lambda case: f"{case['seats']} seats")
def test_a_shuffle_has_its_known_answer(case: dict[str, Any]) -> None:
    seed = bytes.fromhex(case["seed"])
    rules = Rules.from_document(case["rules"])
    leader, deck = lead_and_deck(seed, range(case["seats"]), None, sorted_deck(rules.deck), cut=0)
    assert commitment(seed) == case["commitment"]
    assert leader == case["leader"]
    assert [card_code(card) for card in deck] == case["deck"]


@pytest.mark.parametrize("case", SHUFFLES["cases"], ids=lambda case: f"{case['seats']} seats")
def test_a_deal_uses_the_shuffle_with_the_known_answer(case: dict[str, Any]) -> None:
    rules = Rules.from_document(case["rules"])
    match = new_match(rules, [f"p{number}" for number in range(case["seats"])])
    running = apply(match, Deal(bytes.fromhex(case["seed"]))).match.round
    assert running is not None
    assert running.origin.leader == case["leader"]
    assert running.commitment == case["commitment"]
    dealt = case["seats"] * rules.hand_size
    assert [card_code(card) for card in running.piles.stock] == case["deck"][dealt:]


def test_a_recycling_shuffle_has_its_known_answer() -> None:
    case = SHUFFLES["recycle"]
    cards = [parse_card(code) for code in case["cards"]]
    shuffled = recycled(bytes.fromhex(case["seed"]), case["n"], cards)
    assert [card_code(card) for card in shuffled] == case["shuffled"]
