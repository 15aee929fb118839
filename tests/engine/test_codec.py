"""Snapshots survive a round trip after any history; old schemas are upgraded."""

import json
from typing import Any

import pytest

from engine import (
    AttackOpened,
    BadDocument,
    CardLaid,
    CardsDrawn,
    Deal,
    DirectionTurned,
    DiscardRecycled,
    Draw,
    DrawCause,
    Effect,
    Event,
    Join,
    Leave,
    Match,
    MatchEnded,
    Move,
    Pass,
    PassCause,
    Play,
    RoundDealt,
    RoundEnded,
    RoundResult,
    SeatJoined,
    SeatLeft,
    SeatOut,
    TurnPassed,
    TurnSkipped,
    dump_event,
    dump_match,
    dump_move,
    load_event,
    load_match,
    load_move,
)
from engine.codec import upgraded
from tests.builders import SEED, before_the_deal, play, position


def through_json(document: dict[str, Any]) -> Any:
    return json.loads(json.dumps(document))


MATCHES: dict[str, Match] = {
    "before the deal": before_the_deal("p1", "p2", preset="cover_six", limit=200),
    "dealt from a seed": play(before_the_deal("p1", "p2", "p3"), {"deal": None, "seed": SEED, "cut": 3}),
    "an order": position("p1: 9S | p2: 7D | discard: QS | ordered: D | direction: -1"),
    "a cover owed": play(position("p1: 8S KD | p2: 7D | stock: 6H | discard: JS"), "p1 8S"),
    "a card found": play(
        position("p1: KD | p2: 7D | stock: 9S 6H | discard: JS", draw="one_then_play"), "p1 draw"
    ),
    "an attack": play(position("p1: 7S KD | p2: 7D | discard: JS", transfer=["7"]), "p1 7S"),
    "an attack without cards": play(position("p1: AS KD | p2: AD | discard: JS", transfer=["A"]), "p1 AS"),
    "passes": play(position("p1: 9D | p2: 7D | p3: 8H | discard: JS"), "p1 pass", "p2 pass"),
    "wilds and recycles": play(
        position(f"p1: QS KD | p2: QH 7D | discard: 6C JS | seed: {SEED}", recycle="shuffle"), "p1 QS"
    ),
    "a seat left": play(position("p1: 9S | p2: 7D | p3: 8H | stock: 6H | discard: JS"), "p1 leave"),
    "between": play(position("p1: 9S | p2: 7D | stock: 6H | discard: JS"), "p1 9S", "p3 join"),
    "blocked": play(position(f"p1: 9D | p2: 7D | discard: JS | seed: {SEED}"), "p1 pass", "p2 pass"),
    "finished": play(position("p1: 9S | p2 [100]: 7D | stock: 6H | discard: JS"), "p1 9S"),
}


@pytest.mark.parametrize("match", MATCHES.values(), ids=MATCHES.keys())
def test_a_match_is_read_back_equal(match: Match) -> None:
    assert load_match(through_json(dump_match(match))) == match


def test_a_match_read_back_goes_on_as_it_would_have() -> None:
    match = MATCHES["wilds and recycles"]
    assert play(load_match(dump_match(match)), "p2 QH:C") == play(match, "p2 QH:C")


MOVES: list[tuple[Move, dict[str, Any]]] = [
    (Play(1, 17), {"move": "play", "seat": 1, "card": "6H", "suit": None}),
    (Play(0, 10, 3), {"move": "play", "seat": 0, "card": "QS", "suit": "C"}),
    (Draw(2), {"move": "draw", "seat": 2}),
    (Pass(0), {"move": "pass", "seat": 0}),
    (Leave(3), {"move": "leave", "seat": 3}),
    (Join("p5"), {"move": "join", "player": "p5"}),
    (Deal(bytes(32)), {"move": "deal", "seed": "00" * 32, "deck": None, "cut": 0}),
    (Deal(None, (4, 51), 7), {"move": "deal", "seed": None, "deck": ["6S", "AC"], "cut": 7}),
]


@pytest.mark.parametrize(("move", "written"), MOVES, ids=repr)
def test_a_move_is_written_so_and_read_back_equal(move: Move, written: dict[str, Any]) -> None:
    """What is stored stays: under another name it could not be read any more."""
    assert repr(dump_move(move)) == repr(written)
    assert repr(load_move(through_json(written))) == repr(move)


RESULT = RoundResult(
    3, 1, ((0, 5), (1, -20)), ((0, 50), (1, 7)), ((0, (3, 4)), (1, ())), leader=0, seed=bytes(32), cut=9
)
RESULT_WRITTEN = {
    "number": 3,
    "winner": 1,
    "points": [[0, 5], [1, -20]],
    "totals": [[0, 50], [1, 7]],
    "hands": [[0, ["5S", "6S"]], [1, []]],
    "leader": 0,
    "seed": "00" * 32,
    "cut": 9,
}
DEALT = {"event": "round_dealt", "round": 1, "leader": 0, "seats": [0, 2], "hand_size": 4}
LAID = {"event": "card_laid", "seat": 0}
DRAWN = {"event": "cards_drawn", "seat": 1, "count": 2}
CAUSES_OF_DRAWING = ("turn", "cover", "penalty", "load", "attack", "finish")
CAUSES_OF_PASSING = (
    "chosen",
    "found_nothing",
    "drew_and_passed",
    "cards_gave_out",
    "nothing_to_draw",
    "cover_missed",
    "cover_gave_out",
)
EVENTS: list[tuple[Event, dict[str, Any]]] = [
    (RoundDealt(1, 0, (0, 2), 4, "ab", 17), DEALT | {"commitment": "ab", "turned_up": "6H"}),
    (RoundDealt(1, 0, (0, 2), 4, None, None), DEALT | {"commitment": None, "turned_up": None}),
    (
        CardLaid(0, 10, 2, covering=True, left=3, effect=Effect.WILD),
        LAID | {"card": "QS", "ordered": "D", "covering": True, "left": 3, "effect": "wild"},
    ),
    (
        CardLaid(0, 4, None, covering=False, left=0, effect=Effect.TAKE1),
        LAID | {"card": "6S", "ordered": None, "covering": False, "left": 0, "effect": "take1"},
    ),
    *(
        (CardsDrawn(1, 2, (3, 4), cause), DRAWN | {"cards": ["5S", "6S"], "cause": name})
        for cause, name in zip(DrawCause, CAUSES_OF_DRAWING, strict=True)
    ),
    (CardsDrawn(1, 2, None, DrawCause.TURN), DRAWN | {"cards": None, "cause": "turn"}),
    (TurnSkipped(2), {"event": "turn_skipped", "seat": 2}),
    *(
        (TurnPassed(1, cause), {"event": "turn_passed", "seat": 1, "cause": name})
        for cause, name in zip(PassCause, CAUSES_OF_PASSING, strict=True)
    ),
    (AttackOpened(1, 4, 5), {"event": "attack_opened", "seat": 1, "pending": 4, "rank": 5}),
    (DirectionTurned(-1), {"event": "direction_turned", "direction": -1}),
    (DiscardRecycled(9, shuffled=True), {"event": "discard_recycled", "count": 9, "shuffled": True}),
    (RoundEnded(RESULT, blocked=False), {"event": "round_ended", "result": RESULT_WRITTEN, "blocked": False}),
    (
        RoundEnded(RESULT._replace(winner=None, seed=None), blocked=True),
        {
            "event": "round_ended",
            "result": RESULT_WRITTEN | {"winner": None, "seed": None},
            "blocked": True,
        },
    ),
    (SeatOut(1, 120), {"event": "seat_out", "seat": 1, "total": 120}),
    (SeatJoined(4, 80), {"event": "seat_joined", "seat": 4, "total": 80}),
    (SeatLeft(0), {"event": "seat_left", "seat": 0}),
    (MatchEnded(2), {"event": "match_ended", "winner": 2}),
]


@pytest.mark.parametrize(("event", "written"), EVENTS, ids=lambda part: str(part)[:40])
def test_an_event_is_written_so_and_read_back_equal(event: Event, written: dict[str, Any]) -> None:
    assert repr(dump_event(event)) == repr(written)
    assert repr(load_event(through_json(written))) == repr(event), (
        "an effect or a cause is more than its name"
    )


def test_every_kind_of_event_and_move_is_written() -> None:
    assert {type(event) for event, _ in EVENTS} == set(Event.__args__)
    assert {type(move) for move, _ in MOVES} == set(Move.__args__)


@pytest.mark.parametrize("schema", [None, 0, 2, "1", [1]])
def test_a_schema_that_is_not_known_is_refused(schema: object) -> None:
    document = dump_match(MATCHES["between"]) | {"schema": schema}
    with pytest.raises(BadDocument) as caught:
        load_match(document)
    assert caught.value.detail == f"schema: {schema!r} is not known"


def test_a_snapshot_without_a_schema_is_refused() -> None:
    with pytest.raises(BadDocument, match="schema: None is not known"):
        load_match({})


def test_an_old_snapshot_is_carried_up_step_by_step() -> None:
    steps = {
        1: lambda document: document | {"schema": 2, "two": document["one"] + 1},
        2: lambda document: document | {"schema": 3, "three": document["two"] + 1},
    }
    assert upgraded({"schema": 1, "one": 1}, steps, 3) == {"schema": 3, "one": 1, "two": 2, "three": 3}
    assert upgraded({"schema": 3}, steps, 3) == {"schema": 3}
