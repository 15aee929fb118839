"""Refused documents: malformed ones, precedence of reasons, and texts that are not JSON."""

import json
from copy import deepcopy
from typing import Any

import pytest

from engine import load_position, replay
from engine.replay import replay_text
from tests.builders import SEED, document

PLAIN = "p1: 9S KD | p2: 7D | p3 [102 out]: | stock: 6H | discard: JS"


def changed(**parts: object) -> dict[str, Any]:
    """A sound document with these top-level parts put in."""
    return document(PLAIN) | parts


def round_with(**parts: object) -> dict[str, Any]:
    """A sound document with these parts of its round put in."""
    sound = document(PLAIN)
    sound["round"] = sound["round"] | parts
    return sound


def set_up_error(text: object) -> str:
    """Return why a replay refuses the setup; fail if it does not."""
    answer = replay(text)
    assert answer["ok"] is False
    assert answer["state"] is None
    assert answer["error"]["move"] is None
    return str(answer["error"]["reason"])


def test_the_document_the_cases_start_from_is_sound() -> None:
    assert replay(document(PLAIN))["ok"] is True


# ------------------------------------------------------------------------------------------- bad_document

MALFORMED: dict[str, tuple[object, str]] = {
    "null": (None, "document: must be an object"),
    "a number": (7, "document: must be an object"),
    "text": ("p1", "document: must be an object"),
    "a list": ([], "document: must be an object"),
    "no players": ({"round": {"turn": "p1"}}, "players: missing"),
    "players null": (changed(players=None), "players: missing"),
    "players text": (changed(players="p1"), "players: must be a list"),
    "players an object": (changed(players={"p1": 1, "p2": 2}), "players: must be a list"),
    "a player no text": (changed(players=["p1", 2, "p3"]), "players[1]: a player is a word"),
    "a player null": (changed(players=["p1", "p2", "p3", None]), "players[3]: a player is a word"),
    "a player empty": (changed(players=["p1", "p2", "p3", ""]), "players[3]: a player is a word"),
    "a player of two words": (changed(players=["p1", "p2", "p3", "p 4"]), "players[3]: a player is a word"),
    "a player with a space": (changed(players=["p1", "p2", "p3", " p4"]), "players[3]: a player is a word"),
    "rules a list": (changed(rules=[]), "rules: must be an object"),
    "rules text": (changed(rules="classic"), "rules: must be an object"),
    "rules false": (changed(rules=False), "rules: must be an object"),
    "scores a list": (changed(scores=[0, 0, 102]), "scores: must be an object"),
    "a score of a stranger": (changed(scores={"p9": 1}), "scores: 'p9' is not a player"),
    "a score no number": (changed(scores={"p1": "1"}), "scores.p1: must be a whole number"),
    "a score null": (changed(scores={"p1": None}), "scores.p1: must be a whole number"),
    "a score with a point": (changed(scores={"p1": 1.0}), "scores.p1: must be a whole number"),
    "a score true": (changed(scores={"p1": True}), "scores.p1: must be a whole number"),
    "a score beyond all measure": (changed(scores={"p3": 2**53}), "scores.p3: must be a whole number"),
    "a score below all measure": (changed(scores={"p3": -(2**53)}), "scores.p3: must be a whole number"),
    "one in above the limit": (changed(scores={"p1": 102}), "scores: p1 is in with more than 101"),
    "status a list": (changed(status=["in"]), "status: must be an object"),
    "status of a stranger": (changed(status={"p9": "in"}), "status: 'p9' is not a player"),
    "status unknown": (changed(status={"p3": "gone"}), "status.p3: must be one of in, out, left"),
    "status no text": (changed(status={"p3": 1}), "status.p3: must be one of in, out, left"),
    "leader a stranger": (changed(leader="p9"), "leader: not a player"),
    "leader a number": (changed(leader=0), "leader: not a player"),
    "leader a list": (changed(leader=["p1"]), "leader: not a player"),
    "round a list": (changed(round=[]), "round: must be an object"),
    "round text": (changed(round="p1"), "round: must be an object"),
    "round true": (changed(round=True), "round: must be an object"),
    "no turn": (changed(round={"hands": {"p1": ["6S"]}}), "round.turn: missing"),
    "turn null": (round_with(turn=None), "round.turn: missing"),
    "turn a stranger": (round_with(turn="p9"), "round.turn: not a player"),
    "turn a number": (round_with(turn=0), "round.turn: not a player"),
    "turn of one not in": (round_with(turn="p3"), "round.turn: p3 is not in"),
    "leader of the round a stranger": (round_with(leader="p9"), "round.leader: not a player"),
    "hands a list": (round_with(hands=[["6S"]]), "round.hands: must be an object"),
    "hands of a stranger": (round_with(hands={"p9": []}), "round.hands: 'p9' is not a player"),
    "a hand text": (round_with(hands={"p1": "6S"}), "round.hands.p1: must be a list"),
    "a hand null": (round_with(hands={"p1": None}), "round.hands.p1: must be a list"),
    "an unknown card in a hand": (round_with(hands={"p1": ["1S"]}), "round.hands.p1[0]: not a card"),
    "a number in a hand": (round_with(hands={"p1": [6]}), "round.hands.p1[0]: not a card"),
    "a list in a hand": (round_with(hands={"p1": [["6S"]]}), "round.hands.p1[0]: not a card"),
    "a hand of one not in": (round_with(hands={"p3": ["6S"]}), "round.hands: p3 is not in and holds cards"),
    "stock text": (round_with(stock="6S"), "round.stock: must be a list"),
    "an unknown card in the stock": (round_with(stock=["6S", "S6"]), "round.stock[1]: not a card"),
    "null in the stock": (round_with(stock=[None]), "round.stock[0]: not a card"),
    "discard an object": (round_with(discard={}), "round.discard: must be a list"),
    "an unknown card in the discard": (round_with(discard=[""]), "round.discard[0]: not a card"),
    "ordered no suit": (round_with(ordered="X"), "round.ordered: not a suit"),
    "ordered two suits": (round_with(ordered="SH"), "round.ordered: not a suit"),
    "ordered a number": (round_with(ordered=1), "round.ordered: not a suit"),
    "ordered a list": (round_with(ordered=["S"]), "round.ordered: not a suit"),
    "must_cover a number": (round_with(must_cover=1), "round.must_cover: must be true or false"),
    "must_cover text": (round_with(must_cover="true"), "round.must_cover: must be true or false"),
    "an order with a cover owed": (
        round_with(must_cover=True, ordered="S"),
        "round.ordered: a suit is ordered where a card must be covered",
    ),
    "a cover owed on an empty table": (
        round_with(must_cover=True, discard=[]),
        "round.discard: a cover or a suit is asked for on an empty table",
    ),
    "an order on an empty table": (
        round_with(ordered="S", discard=[]),
        "round.discard: a cover or a suit is asked for on an empty table",
    ),
    "direction 0": (round_with(direction=0), "round.direction: must be 1 or -1"),
    "direction 2": (round_with(direction=2), "round.direction: must be 1 or -1"),
    "direction text": (round_with(direction="1"), "round.direction: must be a whole number"),
    "direction true": (round_with(direction=True), "round.direction: must be a whole number"),
    "number 0": (round_with(number=0), "round.number: rounds count from 1"),
    "number text": (round_with(number="1"), "round.number: must be a whole number"),
    "number with a point": (round_with(number=1.0), "round.number: must be a whole number"),
    "seed short": (round_with(seed=SEED[:-2]), "round.seed: must be 64 hex digits"),
    "seed long": (round_with(seed=SEED + "00"), "round.seed: must be 64 hex digits"),
    "seed no hex": (round_with(seed="x" * 64), "round.seed: must be 64 hex digits"),
    "seed a number": (round_with(seed=1), "round.seed: must be 64 hex digits"),
    "recycles below 0": (round_with(recycles=-1), "round.recycles: must not be negative"),
    "recycles text": (round_with(recycles="0"), "round.recycles: must be a whole number"),
    "recycles beyond all measure": (round_with(recycles=2**64), "round.recycles: must be a whole number"),
    "moves text": (changed(moves="p1 9S"), "moves: must be a list"),
    "moves an object": (changed(moves={"deal": None}), "moves: must be a list"),
    "moves a number": (changed(moves=0), "moves: must be a list"),
    "neither a round nor a move": ({"players": ["p1", "p2"]}, "round: missing, and no deal among the moves"),
    "neither a round nor a deal": (
        {"players": ["p1", "p2"], "moves": ["p1 9S", {"seed": SEED}, 7]},
        "round: missing, and no deal among the moves",
    ),
    "round null and no deal": (
        {"players": ["p1", "p2"], "round": None, "moves": []},
        "round: missing, and no deal among the moves",
    ),
    "leader not in": (
        {
            "players": ["a", "b", "c"],
            "status": {"c": "left"},
            "leader": "c",
            "moves": [{"deal": 0}],
        },
        "leader: c is not in",
    ),
}


@pytest.mark.parametrize(("text", "detail"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_document_is_refused_and_told_where_it_is_malformed(text: object, detail: str) -> None:
    assert set_up_error(text) == "bad_document"
    assert replay(text)["error"]["detail"] == detail


OTHERWISE_MALFORMED = {
    name: text
    for name, (text, _) in MALFORMED.items()
    if isinstance(text, dict) and not name.startswith("rules") and name != "one in above the limit"
}


@pytest.mark.parametrize("text", OTHERWISE_MALFORMED.values(), ids=OTHERWISE_MALFORMED.keys())
def test_a_malformed_document_is_refused_before_its_rules_are_looked_at(text: dict[str, object]) -> None:
    assert set_up_error(text | {"rules": {"drew": 1}}) == "bad_document"


def test_whether_a_total_is_above_the_limit_only_good_rules_can_tell() -> None:
    assert set_up_error(changed(scores={"p1": 102}, rules={"drew": 1})) == "bad_rules"
    assert replay(changed(scores={"p1": 102}, rules={"limit": 102}))["ok"] is True


@pytest.mark.parametrize(
    "path", [["scores"], ["status"], ["round"], ["round", "hands"], ["rules"], ["leader"]]
)
@pytest.mark.parametrize("value", [0, 1, -1.5, "", "?", [], [[]], {"?": {}}, True, False])
def test_a_value_of_a_wrong_kind_is_refused_wherever_it_stands(path: list[str], value: object) -> None:
    text = document(PLAIN)
    place = text
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = deepcopy(value)
    assert set_up_error(text) == ("bad_rules" if (path, value) == (["rules"], {"?": {}}) else "bad_document")


def test_counts_and_numbers_may_be_as_small_and_as_large_as_they_can_be() -> None:
    text = round_with(number=1, recycles=0, direction=-1) | {"scores": {"p1": -(2**53) + 1, "p3": 2**53 - 1}}
    match = load_position(text)
    assert [seat.total for seat in match.seats] == [-(2**53) + 1, 0, 2**53 - 1]
    assert match.round is not None
    assert (match.number, match.round.counters.recycles, match.round.direction) == (1, 0, -1)
    later = load_position(round_with(number=2**53 - 1, recycles=2**53 - 1)).round
    assert later is not None
    assert later.counters.recycles == 2**53 - 1


# ------------------------------------------------------------------------------------- the other reasons


def test_bad_rules_are_refused_before_the_number_of_players() -> None:
    alone = {"players": ["p1"], "round": {"turn": "p1"}, "rules": {"drew": 1}}
    assert set_up_error(alone) == "bad_rules"
    assert replay(alone)["error"]["detail"] == "drew: there is no such setting"


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (["p1"], "not_enough_players"),
        (["p1", "p1"], "already_seated"),
        (["p1", "p2", "p1"], "already_seated"),
        ([*"abcdefg", "p1"], "too_many_players"),
        ([*"abcdefg", "p1", "p1"], "already_seated"),
    ],
)
def test_a_set_up_is_refused_for_its_players(players: list[str], reason: str) -> None:
    assert set_up_error({"players": players, "round": {"turn": "p1"}}) == reason


def test_no_players_at_all_are_not_enough() -> None:
    assert set_up_error({"players": [], "moves": [{"deal": None}]}) == "not_enough_players"


def test_only_those_in_count_as_players() -> None:
    two = document("p1: 9S | p2 [102 out]: | p3 [3 left]:")
    assert set_up_error(two) == "not_enough_players"
    many = document(" | ".join(f"p{number}: 9S" for number in range(6)) + " | p6 [102 out]: | p7 [3 left]:")
    assert replay(many)["ok"] is True


# --------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"nope",
        b"\xff\xfe\xfa",
        b'{"players": ["p1", "p2"], "round": {"turn": "p1"}, "why": NaN}',
        b'{"players": ["p1", "p2"], "round": {"turn": "p1"}, "why": -Infinity}',
        b'{"players": ["p1", "p2"], "round": {"turn": "p1"}} {}',
        b"[" * 100_000,
        b'{"scores": {"p1": ' + b"9" * 10_000 + b"}}",
    ],
    ids=["nothing", "cut short", "a word", "no text", "NaN", "infinity", "two", "deep", "long number"],
)
def test_what_is_not_json_is_a_bad_document(text: bytes) -> None:
    assert replay_text(text) == {
        "ok": False,
        "error": {"move": None, "reason": "bad_document", "detail": "not JSON"},
        "state": None,
    }


def test_nesting_as_deep_as_json_may_be_does_no_harm() -> None:
    for depth in (100, 500, 900, 960, 980, 990):
        deep = "[" * depth + "]" * depth
        for text in (
            f'{{"players": ["p1", "p2"], "round": {{"turn": {deep}}}}}',
            f'{{"players": ["p1", "p2"], "round": {{"turn": "p1", "stock": [{deep}]}}}}',
            f'{{"players": ["p1", "p2"], "round": {{"turn": "p1"}}, "rules": {{"deck": {deep}}}}}',
            f'{{"players": ["p1", "p2"], "round": {{"turn": "p1"}}, "moves": [{deep}]}}',
        ):
            answer = replay_text(text.encode())
            assert answer["ok"] is False
            assert json.dumps(answer)


def test_text_of_any_kind_is_answered_in_plain_ascii() -> None:
    answer = replay_text('{"players": ["Аня", "\\ud800"], "round": {"turn": "Аня"}}'.encode())
    assert answer["ok"] is True
    assert json.dumps(answer).isascii()
