"""What a player may see: their own hand and open cards, nothing else."""

from dataclasses import fields

import pytest

from engine import (
    CardsDrawn,
    DrawCause,
    Match,
    RoundEnded,
    RoundView,
    SeatView,
    Stamp,
    Status,
    TurnSkipped,
    View,
    legal,
    parse_card,
    seen_by,
    turn_stamp,
    view_for,
)
from tests.builders import SEED, before_the_deal, happened, play, position

TEXT = "p1 [4]: 9S QH | p2: 7D AH KD | p3 [102 out]: | stock: 6H 6C 6D | discard: 8H JS"


def seen(match: Match, seat: int | None) -> View:
    return view_for(match, seat)


def test_a_player_sees_the_hand_in_the_order_received_and_the_legal_moves() -> None:
    match = position(TEXT)
    view = seen(match, 0)
    assert view.seat == 0
    assert view.hand == (parse_card("9S"), parse_card("QH"))
    assert view.legal == legal(match, 0)
    assert len(view.legal) == 5


def test_a_player_not_on_turn_has_no_legal_moves() -> None:
    view = seen(position(TEXT), 1)
    assert view.hand == tuple(map(parse_card, ("7D", "AH", "KD")))
    assert view.legal == ()


def test_an_onlooker_sees_what_lies_open() -> None:
    view = seen(position(TEXT), None)
    assert (view.seat, view.hand, view.legal) == (None, None, ())
    assert view.seats == (
        SeatView("p1", 4, Status.IN, 2),
        SeatView("p2", 0, Status.IN, 3),
        SeatView("p3", 102, Status.OUT, 0),
    )
    assert view.round == RoundView(
        number=1,
        leader=0,
        turn=0,
        top=parse_card("JS"),
        discard=(parse_card("8H"), parse_card("JS")),
        stock=3,
        ordered=None,
        must_cover=False,
        pending=0,
        attack_rank=None,
        direction=1,
        stamp=Stamp(1, 0),
        drawn=False,
        found=None,
        commitment=None,
        cut=0,
    )
    assert (str(view.phase), view.number, view.leader, view.winner) == ("playing", 1, 0, None)
    assert view.last_round is None
    assert view.rules == position(TEXT).rules


def test_between_rounds_there_is_no_round_and_nobody_holds_a_card() -> None:
    match = play(position(TEXT.replace("9S QH", "9S")), "p1 9S")
    view = seen(match, 0)
    assert view.round is None
    assert view.hand == ()
    assert [seat.cards for seat in view.seats] == [0, 0, 0]
    assert view.last_round == match.last_round
    assert view.last_round is not None
    assert str(view.phase) == "between"


def test_a_match_that_is_over_tells_its_winner() -> None:
    match = play(position(TEXT), "p2 leave")
    assert (seen(match, None).winner, str(seen(match, None).phase)) == (0, "finished")


def test_an_empty_table_has_no_top_card() -> None:
    view = seen(position("p1: 9S | p2: 7D | stock: 6H"), 0)
    assert view.round is not None
    assert (view.round.top, view.round.discard) == (None, ())


def test_debts_and_orders_are_public() -> None:
    ordered = seen(position(TEXT.replace("JS", "QS | ordered: D")), None).round
    assert ordered is not None
    assert ordered.ordered == 2
    covering = seen(position(TEXT.replace("JS", "8S | must_cover:")), None).round
    assert covering is not None
    assert covering.must_cover


def test_an_attack_shows_what_is_owed_and_what_answers() -> None:
    match = play(position("p1: 7S KD | p2: 7D | stock: 6H | discard: JS", transfer=["7"]), "p1 7S")
    view = seen(match, None).round
    assert view is not None
    assert (view.turn, view.pending, view.attack_rank) == (1, 2, parse_card("7S"))
    match = play(position("p1: AS KD | p2: AD | stock: 6H | discard: JS", transfer=["A"]), "p1 AS")
    view = seen(match, None).round
    assert view is not None
    assert (view.pending, view.attack_rank) == (0, parse_card("AS"))


def test_only_the_player_who_drew_sees_the_card_found() -> None:
    match = position("p1: KD | p2: 7D | stock: 9S 6H | discard: JS", draw="one_then_play")
    match = play(match, "p1 draw")
    for seat, found in [(0, parse_card("9S")), (1, None), (None, None)]:
        view = seen(match, seat).round
        assert view is not None
        assert (view.drawn, view.found) == (True, found)


def test_the_commitment_is_public_and_the_seed_of_a_running_round_is_not() -> None:
    match = play(before_the_deal("p1", "p2"), {"deal": None, "seed": SEED, "cut": 2})
    for seat in (None, 0, 1):
        view = seen(match, seat)
        assert view.round is not None
        assert match.round is not None
        assert (view.round.commitment, view.round.cut) == (match.round.commitment, 2)
        assert SEED not in repr(view)
        assert repr(bytes.fromhex(SEED)) not in repr(view)


def test_after_the_round_its_seed_is_public() -> None:
    match = play(before_the_deal("p1", "p2", "p3"), {"deal": None, "seed": SEED})
    ending = position(f"p1: 9S | p2: 7D | p3: 6D | stock: 6H | discard: JS | seed: {SEED}").round
    match = play(match._replace(round=ending), "p1 9S")
    view = seen(match, None)
    assert view.last_round is not None
    assert view.last_round.seed == bytes.fromhex(SEED)


def test_the_stamp_moves_with_turn_moves_only() -> None:
    match = position("p1: 9S KD KC | p2: 9D 7D | p3: 8D | stock: 6H | discard: JS")
    stamps = []
    for move in ("p1 9S", "p3 leave", "p2 9D"):
        match = play(match, move)
        view = seen(match, None).round
        assert view is not None
        stamps.append(view.stamp)
    assert stamps == [(1, 1), (1, 1), (1, 2)]


def test_between_rounds_the_stamp_is_the_last_rounds_and_no_moves() -> None:
    assert turn_stamp(before_the_deal("p1", "p2")) == (0, 0)
    match = play(position("p1: 9S | p2: 7D | stock: 6H | discard: JS | number: 4"), "p1 9S")
    assert turn_stamp(match) == (4, 0)


def test_cards_drawn_are_seen_by_their_owner_alone() -> None:
    event = CardsDrawn(1, 2, (3, 4), DrawCause.PENALTY)
    assert seen_by(event, 1) == event
    for seat in (0, 2, None):
        assert seen_by(event, seat) == CardsDrawn(1, 2, None, DrawCause.PENALTY)


def test_everything_else_that_happens_is_public() -> None:
    match = position(TEXT.replace("9S QH", "9S"))
    for event in (*happened(match, "p1 9S"), TurnSkipped(1)):
        assert seen_by(event, None) == event
        assert isinstance(event, RoundEnded) or "hands" not in repr(event)


def test_the_history_in_a_view_is_the_viewers_own() -> None:
    match = position(TEXT)
    history = [happened(match, "p1 QH:C"), (CardsDrawn(1, 1, (3,), DrawCause.TURN), TurnSkipped(0))]
    mine, theirs = view_for(match, 1, history).history, view_for(match, 0, history).history
    assert mine == tuple(history)
    assert theirs == (history[0], (CardsDrawn(1, 1, None, DrawCause.TURN), TurnSkipped(0)))
    assert view_for(match, 0).history == ()


@pytest.mark.parametrize("view", [View, RoundView, SeatView])
def test_a_view_is_a_type_of_its_own(view: type) -> None:
    assert not {"hands", "seed"} & {field.name for field in fields(view)}
