"""Which cards may be played, when to draw, and when the turn passes."""

from typing import Any

import pytest

from engine import (
    CardsDrawn,
    DiscardRecycled,
    Draw,
    DrawCause,
    Pass,
    PassCause,
    Play,
    TurnPassed,
    legal,
    parse_card,
)
from tests.builders import SEED, happened, options, play, position, refusal


def turn(match: Any) -> str:
    assert match.round is not None
    return str(match.seats[match.round.turn.seat].id)


def hand(match: Any, seat: int) -> list[int]:
    return list(match.round.piles.hands[seat])


def cards(*codes: str) -> tuple[int, ...]:
    return tuple(parse_card(code) for code in codes)


# -------------------------------------------------------------------------------------------- matching


@pytest.mark.parametrize(
    ("top", "ordered", "fitting"),
    [
        ("JS", None, "9S JD QH:C QH:D QH:H QH:S"),
        ("9D", None, "10D 9S JD QH:C QH:D QH:H QH:S"),
        ("QS", None, "9S QH:C QH:D QH:H QH:S"),
        ("QS", "D", "10D JD QH:C QH:D QH:H QH:S"),
        ("QS", "C", "QH:C QH:D QH:H QH:S"),
        ("9S", "D", "10D JD QH:C QH:D QH:H QH:S"),
    ],
)
def test_a_card_fits_by_suit_or_rank_or_order(top: str, ordered: str | None, fitting: str) -> None:
    order = f" | ordered: {ordered}" if ordered else ""
    match = position(f"p1: 9S JD QH 10D | p2: KH | stock: AS | discard: {top}{order}")
    assert options(match) == fitting.split()


def test_a_rank_that_is_not_wild_does_not_match_past_an_order() -> None:
    match = position(
        "p1: QD JS | p2: KH | stock: AS | discard: QS | ordered: C", effects={"Q": "none", "QS": "wild"}
    )
    assert options(match) == ["draw"]


def test_the_options_are_moves_of_the_one_to_move_and_of_nobody_else() -> None:
    match = position(
        "turn: p2 | p1: KD | p2: 9S QH KC | p3: 9D | stock: AS | discard: JS", voluntary_draw="always"
    )
    queens = {Play(1, parse_card("QH"), suit) for suit in range(4)}
    assert set(legal(match, 1)) == {Play(1, parse_card("9S")), Draw(1), *queens}
    last = position("turn: p2 | p1: KD | p2: QH | stock: AS | discard: JS")
    assert legal(last, 1) == (Play(1, parse_card("QH")),)
    assert legal(position("turn: p2 | p1: KD | p2: 9D | discard: JS"), 1) == (Pass(1),)
    assert legal(match, 0) == legal(match, 2) == legal(match, None) == ()


def test_two_copies_of_a_card_are_one_option() -> None:
    match = position("p1: 9S QH 9S QH | p2: KH | stock: AS | discard: JS", deck=72)
    assert options(match) == ["9S", "QH:C", "QH:D", "QH:H", "QH:S"]
    assert hand(play(match, "p1 9S"), 0) == list(cards("QH", "9S", "QH"))


def test_only_one_copy_is_laid() -> None:
    match = play(position("p1: 9S 9S | p2: KH | stock: AS | discard: JS", deck=72), "p1 9S")
    assert hand(match, 0) == list(cards("9S"))


def test_a_last_wild_is_one_option_and_may_name_any_suit() -> None:
    match = position("p1: QH | p2: KH | stock: AS | discard: JS")
    assert options(match) == ["QH"]
    assert play(match, "p1 QH") == play(match, "p1 QH:C")


def test_a_wild_that_names_no_suit_orders_its_own() -> None:
    match = position("p1: QH 9S | p2: 6H KC | stock: AS | discard: JS")
    assert play(match, "p1 QH") == play(match, "p1 QH:H")


def test_an_order_ends_with_the_next_card() -> None:
    match = position("p1: 9C 6S | p2: 9D KC | stock: AS | discard: QS | ordered: C")
    assert options(play(match, "p1 9C")) == ["9D", "KC"]


# ---------------------------------------------------------------------------------------- empty table


def test_on_an_empty_table_any_card_may_be_laid_and_acts_as_usual() -> None:
    match = position("p1: 7S QH 8C | p2: KH 9H | p3: 10D JD | stock: AS AC AD")
    assert options(match) == ["7S", "8C", "QH:C", "QH:D", "QH:H", "QH:S"]
    after = play(match, "p1 7S")
    assert turn(after) == "p3"
    assert len(hand(after, 1)) == 4


def test_a_leader_who_opens_with_the_last_card_dealt_has_no_choice() -> None:
    match = position("p1: 7S QH 9C | p2: KH | stock: AS", opening="last_dealt")
    assert options(match) == ["9C"]
    assert refusal(match, "p1 7S") == "card_does_not_match"


def test_a_wild_dealt_last_may_order_any_suit() -> None:
    match = position("p1: 7S QH | p2: KH | stock: AS", opening="last_dealt")
    assert options(match) == ["QH:C", "QH:D", "QH:H", "QH:S"]


def test_who_opens_in_the_place_of_a_leader_who_left_lays_any_card() -> None:
    match = position("p1: 7S 9C | p2: KH 9H | p3: 10D JD | stock: AS", opening="last_dealt")
    after = play(match, "p1 leave")
    assert options(after) == ["9H", "KH"]
    assert after.leader == 0


def test_the_last_card_dealt_binds_on_the_first_move_only() -> None:
    match = position("p1: 7S 9C 9S | p2: 10D KD | stock: AD | discard: KC", opening="last_dealt")
    assert options(match) == ["9C"]
    match = play(position("p1: 6D 8C | p2: 10D KD | stock: AD 9C", opening="last_dealt"), "p1 8C", "p1 draw")
    assert options(match) == ["9C"]


@pytest.mark.parametrize("stock", ["9C 9D", "9C"])
def test_with_no_card_at_all_on_an_empty_table_one_draws(stock: str) -> None:
    match = position(f"p1: | p2: KH | stock: {stock}", opening="last_dealt", voluntary_draw="always")
    assert options(match) == ["draw"]
    assert options(play(match, "p1 draw")) == ["9C"]


def test_with_nothing_anywhere_one_passes() -> None:
    assert options(position("p1: | p2: KH")) == ["pass"]


# ------------------------------------------------------------------------------- drawing: until_playable


def test_a_found_wild_may_order_any_suit() -> None:
    match = play(position("p1: KD | p2: 6C | stock: 9D QH 7C | discard: JS"), "p1 draw")
    assert options(match) == ["QH:C", "QH:D", "QH:H", "QH:S"]
    assert match.round is not None
    assert match.round.turn.found == parse_card("QH")


def test_a_found_card_is_bound_by_the_order() -> None:
    match = position("p1: KD | p2: 6C | stock: 9S 9D 9C | discard: JD QS | ordered: C")
    assert options(play(match, "p1 draw")) == ["9C"]


def test_the_cards_drawn_are_told_together() -> None:
    match = position("p1: KD | p2: 6C | stock: 9D 10H AS | discard: JS")
    assert happened(match, "p1 draw") == (CardsDrawn(0, 3, cards("9D", "10H", "AS"), DrawCause.TURN),)


def test_drawing_stops_with_the_stock() -> None:
    match = position("p1: KD | p2: 6C | stock: 9D 10H | discard: 9S 10S JS")
    assert happened(match, "p1 draw") == (
        CardsDrawn(0, 2, cards("9D", "10H"), DrawCause.TURN),
        TurnPassed(0, PassCause.CARDS_GAVE_OUT),
        DiscardRecycled(2, shuffled=False),
    )


def test_drawing_goes_on_through_the_discard_where_the_rules_say_so() -> None:
    match = position("p1: KD | p2: 6C | stock: 9D 10H | discard: 6H 9S 10S JS", stock_out="recycle")
    assert happened(match, "p1 draw") == (
        DiscardRecycled(3, shuffled=False),
        CardsDrawn(0, 4, cards("9D", "10H", "6H", "9S"), DrawCause.TURN),
    )
    after = play(match, "p1 draw")
    assert options(after) == ["9S"]
    assert after.round is not None
    assert after.round.piles.stock == cards("10S")


def test_drawing_ends_when_the_discard_is_drawn_as_well() -> None:
    match = position("p1: KD | p2: 6C | stock: 9D | discard: 6H JS", stock_out="recycle")
    assert happened(match, "p1 draw") == (
        DiscardRecycled(1, shuffled=False),
        CardsDrawn(0, 2, cards("9D", "6H"), DrawCause.TURN),
        TurnPassed(0, PassCause.CARDS_GAVE_OUT),
    )


def test_a_card_found_last_in_the_stock_must_be_laid() -> None:
    match = play(position("p1: KD | p2: 6C | stock: 9D AS | discard: 9H JS"), "p1 draw")
    assert turn(match) == "p1"
    assert options(match) == ["AS"]
    assert match.round is not None
    assert match.round.piles.stock == cards("9H")


def test_when_all_is_drawn_the_stock_is_empty() -> None:
    match = play(position("p1: KD | p2: 6C | stock: 9D 10H | discard: JS"), "p1 draw")
    assert match.round is not None
    assert match.round.piles.stock == ()
    assert options(match) == ["pass"]


@pytest.mark.parametrize("move", ["p1 draw", "p1 pass"])
def test_a_found_card_allows_nothing_else(move: str) -> None:
    match = play(position("p1: KD | p2: 6C | stock: 9S AS | discard: JS"), "p1 draw")
    assert refusal(match, move) == ("draw_not_allowed" if move == "p1 draw" else "pass_not_allowed")


# ---------------------------------------------------------------------------- drawing: one card at a time


def test_a_single_card_that_fits_may_be_laid_or_not() -> None:
    match = play(position("p1: KD | p2: 6C | stock: 9S AS | discard: JS", draw="one_then_play"), "p1 draw")
    assert options(match) == ["9S", "pass"]
    assert happened(match, "p1 pass") == (TurnPassed(0, PassCause.CHOSEN),)


def test_a_single_card_that_does_not_fit_ends_the_turn() -> None:
    match = position("p1: KD | p2: 6C | stock: 9H AS | discard: JS", draw="one_then_play")
    assert happened(match, "p1 draw") == (
        CardsDrawn(0, 1, cards("9H"), DrawCause.TURN),
        TurnPassed(0, PassCause.FOUND_NOTHING),
    )


def test_under_one_then_pass_a_draw_ends_the_turn_even_with_a_card_that_fits() -> None:
    match = position("p1: KD | p2: 6C | stock: 9S AS | discard: JS", draw="one_then_pass")
    assert happened(match, "p1 draw") == (
        CardsDrawn(0, 1, cards("9S"), DrawCause.TURN),
        TurnPassed(0, PassCause.DREW_AND_PASSED),
    )


def test_what_was_found_is_forgotten_with_the_turn() -> None:
    match = position("p1: KD | p2: KC | stock: 9S 9H AS | discard: JS", draw="one_then_play")
    after = play(match, "p1 draw", "p1 pass")
    assert after.round is not None
    assert after.round.turn.found is None
    assert options(after) == ["draw"]


def test_laying_after_a_draw_is_a_turn_like_any_other() -> None:
    match = position("p1: KD | p2: KC | stock: AS 9H | discard: JS", draw="one_then_play")
    after = play(match, "p1 draw", "p1 AS")
    assert turn(after) == "p1"
    assert options(after) == ["draw"]


# ----------------------------------------------------------------------------------- drawing by choice


@pytest.mark.parametrize(
    ("draw", "drawn", "after"),
    [
        ("until_playable", "9H", ["6S", "QD:C", "QD:D", "QD:H", "QD:S"]),
        ("until_playable", "9S", ["6S", "9S", "QD:C", "QD:D", "QD:H", "QD:S"]),
        ("one_then_play", "9H", ["6S", "QD:C", "QD:D", "QD:H", "QD:S", "pass"]),
        ("one_then_play", "9S", ["6S", "9S", "QD:C", "QD:D", "QD:H", "QD:S", "pass"]),
    ],
)
def test_a_draw_by_choice_is_of_one_card_once_a_turn(draw: str, drawn: str, after: list[str]) -> None:
    text = f"p1: 6S QD | p2: 6C | stock: {drawn} AS | discard: JS"
    match = position(text, draw=draw, voluntary_draw="always")
    assert "draw" in options(match)
    match = play(match, "p1 draw")
    assert turn(match) == "p1"
    assert options(match) == after
    assert refusal(match, "p1 draw") == "draw_not_allowed"


def test_a_draw_by_choice_under_one_then_pass_ends_the_turn() -> None:
    match = position(
        "p1: 6S QD | p2: 6C | stock: 9S AS | discard: JS", draw="one_then_pass", voluntary_draw="always"
    )
    assert turn(play(match, "p1 draw")) == "p2"


def test_a_forced_draw_is_not_cut_short_where_choice_is_allowed() -> None:
    match = position("p1: KD | p2: 6C | stock: 9H 9C AS | discard: JS", voluntary_draw="always")
    assert options(play(match, "p1 draw")) == ["AS"]


@pytest.mark.parametrize(
    "text",
    [
        "p1: 6S QD | p2: 6C | stock: 9S",
        "p1: 6S QD | p2: 6C | discard: JS",
        "p1: 6S QD | p2: 6C | stock: 9S | discard: 8S | must_cover:",
    ],
    ids=["empty table", "empty stock", "covering"],
)
def test_one_may_not_draw_by_choice_here(text: str) -> None:
    assert "draw" not in options(position(text, voluntary_draw="always"))


def test_with_a_card_that_fits_one_may_not_pass_before_drawing() -> None:
    match = position(
        "p1: 6S | p2: 6C | stock: 9S | discard: JS", draw="one_then_play", voluntary_draw="always"
    )
    assert refusal(match, "p1 pass") == "pass_not_allowed"


# ---------------------------------------------------------------------------- recycling, nothing to draw


def test_a_position_with_an_empty_stock_is_recycled_at_once() -> None:
    match = position("p1: 6S | p2: 6C | discard: 9H 9C QS | ordered: H")
    assert match.round is not None
    assert match.round.piles.stock == cards("9H", "9C")
    assert match.round.piles.discard == cards("QS")
    assert match.round.turn.ordered == parse_card("9H") // 13


def test_a_recycling_shuffle_counts_on_from_the_position() -> None:
    text = f"p1: 6S | p2: 6C | discard: 9H 9C 9D 9S 10H 10C 10D QS | seed: {SEED}"
    first = position(text, recycle="shuffle")
    third = position(f"{text} | recycles: 2", recycle="shuffle")
    assert first.round is not None
    assert third.round is not None
    assert (first.round.counters.recycles, third.round.counters.recycles) == (1, 3)
    assert sorted(first.round.piles.stock) == sorted(third.round.piles.stock)
    assert first.round.piles.stock != third.round.piles.stock
    flipped = position(text)
    assert flipped.round is not None
    assert flipped.round.counters.recycles == 0
    assert flipped.round.piles.stock == cards("9H", "9C", "9D", "9S", "10H", "10C", "10D")


def test_a_recycling_shuffle_is_told_as_one() -> None:
    match = position(f"p1: 6S KD | p2: 6C KH | stock: AH | discard: 9H 10S | seed: {SEED}", recycle="shuffle")
    assert DiscardRecycled(2, shuffled=True) in happened(match, "p1 6S")
    match = position("p1: 6S KD | p2: 6C KH | stock: AH | discard: 9H 10S", recycle="shuffle")
    assert DiscardRecycled(2, shuffled=False) in happened(match, "p1 6S")


def test_with_nothing_to_lay_or_draw_the_only_move_is_to_pass() -> None:
    match = position("p1: KD | p2: 6C | discard: JS", draw="one_then_play", voluntary_draw="always")
    assert options(match) == ["pass"]
    assert refusal(match, "p1 draw") == "draw_not_allowed"
    assert happened(match, "p1 pass") == (TurnPassed(0, PassCause.NOTHING_TO_DRAW),)


def test_a_player_who_has_a_card_that_fits_may_not_pass_on_an_empty_stock() -> None:
    assert refusal(position("p1: 6S | p2: 6C | discard: JS"), "p1 pass") == "pass_not_allowed"


def test_a_player_who_can_draw_may_not_pass() -> None:
    assert refusal(position("p1: KD | p2: 6C | stock: 9S | discard: JS"), "p1 pass") == "pass_not_allowed"
