"""Documents: defaults of a position, and the answer of a replay."""

from typing import Any

import pytest

from engine import Illegal, Phase, load_position, parse_card, replay
from engine.state import Origin
from tests.builders import SEED, document, position, replace_fields

PLAIN = "p1: 9S KD | p2: 7D | p3 [102 out]: | stock: 6H | discard: JS"

# ------------------------------------------------------------------------------------- what may be left out


def test_only_players_and_a_turn_are_needed_for_a_round() -> None:
    match = load_position({"players": ["a", "b"], "round": {"turn": "b"}})
    assert match.round is not None
    assert match.round == replace_fields(
        match.round,
        hands=((), ()),
        stock=(),
        discard=(),
        seat=1,
        ordered=None,
        must_cover=False,
        recycles=0,
        origin=Origin(leader=1, seed=None, cut=0),
        moves=0,
    )
    assert (match.round.direction, match.number, match.leader) == (1, 1, 1)
    assert [str(seat.status) for seat in match.seats] == ["in", "in"]
    assert [seat.total for seat in match.seats] == [0, 0]


def test_null_is_as_good_as_left_out() -> None:
    parts = (
        "stock",
        "discard",
        "ordered",
        "must_cover",
        "direction",
        "number",
        "seed",
        "recycles",
        "leader",
    )
    sound: dict[str, Any] = {"turn": "b", "hands": None} | dict.fromkeys(parts)
    tops: dict[str, Any] = dict.fromkeys(("rules", "scores", "status", "leader", "moves", "why"))
    bare = {"players": ["a", "b"], "round": {"turn": "b"}}
    assert replay({"players": ["a", "b"], "round": sound} | tops) == replay(bare)


def test_every_part_of_a_round_is_read() -> None:
    match = load_position(
        {
            "rules": {"preset": "classic", "limit": 60},
            "players": ["a", "b", "c"],
            "scores": {"a": -5, "b": 60, "c": 61},
            "status": {"a": "in", "c": "left"},
            "leader": "c",
            "round": {
                "turn": "b",
                "leader": "c",
                "hands": {"a": ["6S", "10H"], "b": ["QD"], "c": []},
                "stock": ["2C", "6S"],
                "discard": ["9D", "QS"],
                "ordered": "H",
                "must_cover": False,
                "direction": -1,
                "number": 7,
                "seed": SEED,
                "recycles": 3,
            },
        }
    )
    running = match.round
    assert running is not None
    assert (match.number, match.leader, running.origin.leader, running.turn.seat) == (7, 2, 2, 1)
    assert running.piles.hands == ((parse_card("6S"), parse_card("10H")), (parse_card("QD"),), ())
    assert running.piles.stock == (parse_card("2C"), parse_card("6S"))
    assert running.piles.discard == (parse_card("9D"), parse_card("QS"))
    assert (running.turn.ordered, running.turn.must_cover, running.direction) == (1, False, -1)
    assert (running.origin.seed, running.counters.recycles) == (bytes.fromhex(SEED), 3)
    assert [(seat.total, str(seat.status)) for seat in match.seats] == [(-5, "in"), (60, "in"), (61, "left")]


def test_a_turn_begins_afresh_in_a_position() -> None:
    running = position(PLAIN, transfer=["J"]).round
    assert running is not None
    assert (running.turn.found, running.turn.pending) == (None, None)
    assert (running.counters.moves, running.counters.passes, running.counters.wilds) == (0, 0, 0)


def test_parts_nobody_asked_for_are_passed_over() -> None:
    extra = document(PLAIN)
    extra["round"]["why"] = "here too"
    assert replay(extra | {"why": [1], "expect": {"ok": "?"}, "more": None}) == replay(document(PLAIN))


def test_before_the_deal_the_leader_may_be_given() -> None:
    answer = replay({"players": ["a", "b"], "leader": "b", "moves": [{"deal": []}]})
    assert answer["error"]["reason"] == "bad_deck"
    assert answer["state"]["leader"] == "b"
    assert (answer["state"]["phase"], answer["state"]["round"]) == ("between", 0)


def test_before_the_deal_nobody_leads_unless_given() -> None:
    answer = replay({"players": ["a", "b"], "moves": [{"deal": []}]})
    assert answer["state"]["leader"] is None


def test_beside_a_round_the_leader_of_the_first_deal_plays_no_part() -> None:
    match = load_position(document(PLAIN) | {"leader": "p3"})
    assert match.leader == 0


# ---------------------------------------------------------------------------------------------- the answer


def test_a_replay_stops_at_the_first_refusal_with_the_position_before_it() -> None:
    text = document(PLAIN) | {"moves": ["p1 9S", "p2 draw", "p1 6H", "p9 join"]}
    answer = replay(text)
    assert answer["error"]["move"] == 2
    assert answer["error"]["reason"] == "card_not_in_hand"
    assert answer["state"] == replay(text | {"moves": text["moves"][:2]})["state"]


def test_an_error_without_words_has_no_detail() -> None:
    answer = replay(document(PLAIN) | {"moves": ["p2 7D"]})
    assert answer["error"] == {"move": 0, "reason": "not_your_turn"}


def test_a_document_without_moves_is_answered_with_its_position() -> None:
    answer = replay(document(PLAIN))
    assert answer == {
        "ok": True,
        "error": None,
        "state": {
            "phase": "playing",
            "round": 1,
            "leader": "p1",
            "turn": "p1",
            "hands": {"p1": ["9S", "KD"], "p2": ["7D"], "p3": []},
            "stock": ["6H"],
            "discard": ["JS"],
            "ordered": None,
            "must_cover": False,
            "pending": 0,
            "direction": 1,
            "scores": {"p1": 0, "p2": 0, "p3": 102},
            "status": {"p1": "in", "p2": "in", "p3": "out"},
            "winner": None,
            "legal": ["9S"],
            "last_round": None,
        },
    }


def test_hands_are_sorted_as_text_whatever_the_order_received() -> None:
    answer = replay(document("p1: QH 9S 10S 6D | p2: 7D | stock: 6H | discard: JS | direction: -1"))
    assert answer["state"]["hands"]["p1"] == ["10S", "6D", "9S", "QH"]
    assert answer["state"]["direction"] == -1


def test_what_may_be_answered_is_pending() -> None:
    text = document("p1: 7S KD | p2: 7D | stock: 6H | discard: JS", transfer=["7"]) | {"moves": ["p1 7S"]}
    assert replay(text)["state"]["pending"] == 2


def test_a_match_that_is_over_has_no_cards_and_names_its_winner() -> None:
    text = document("p1 [101]: 9S | p2 [100]: 7D | stock: 6H | discard: JS | direction: -1")
    state = replay(text | {"moves": ["p1 9S"]})["state"]
    assert (state["phase"], state["winner"], state["turn"]) == (str(Phase.FINISHED), "p1", None)
    assert (state["hands"], state["stock"], state["discard"]) == ({"p1": [], "p2": []}, [], [])
    assert (state["direction"], state["legal"]) == (1, [])
    assert state["last_round"] == {"winner": "p1", "points": {"p1": 0, "p2": 7}}


def test_load_position_raises_what_a_replay_answers() -> None:
    with pytest.raises(Illegal) as caught:
        load_position(7)
    assert caught.value.reason == "bad_document"
