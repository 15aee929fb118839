"""Cards that their player must cover."""

import pytest

from engine import CardLaid, CardsDrawn, DiscardRecycled, DrawCause, Effect, PassCause, TurnPassed, parse_card
from tests.builders import happened, options, play, position, refusal


@pytest.mark.parametrize(
    ("settings", "covers"),
    [
        ({}, "6S 8H QC:C QC:D QC:H QC:S QS:C QS:D QS:H QS:S"),
        ({"cover_by_wild": False}, "6S 8H"),
        ({"effects": {"8H": "wild"}, "cover_by_wild": False}, "6S"),
        ({"effects": {"8H": "wild", "Q": "none"}}, "6S 8H:C 8H:D 8H:H 8H:S QS"),
    ],
)
def test_a_cover_has_the_same_suit_or_rank_or_is_wild(settings: dict[str, object], covers: str) -> None:
    match = position("p1: 6S 8H QC QS KD | p2: 9C | stock: 9D | discard: 8S | must_cover:", **settings)
    assert options(match) == covers.split()


def test_an_eight_laid_by_order_is_covered_by_its_own_suit_or_rank() -> None:
    text = "p1: 8H 6H 6C | p2: 9C | stock: 9D | discard: QC | ordered: H"
    match = play(position(text), "p1 8H")
    assert match.round is not None
    assert match.round.turn.ordered is None
    assert options(match) == ["6H"]


def test_an_eight_on_an_eight_is_covered_in_turn() -> None:
    match = position("p1: 8S 8H 6H KD | p2: 9C | stock: 9D | discard: JS")
    after = play(match, "p1 8S", "p1 8H")
    assert options(after) == ["6H"]
    assert after.round is not None
    assert after.round.turn.must_cover


def test_a_cover_is_told_as_one() -> None:
    match = position("p1: 8S 9S KD | p2: 9C | stock: 9D | discard: JS")
    assert happened(match, "p1 8S") == (
        CardLaid(0, parse_card("8S"), None, covering=False, left=2, effect=Effect.COVER),
    )
    assert happened(match, "p1 8S", "p1 9S") == (
        CardLaid(0, parse_card("9S"), None, covering=True, left=1, effect=Effect.NONE),
    )


def test_without_a_cover_one_draws_until_it_comes_and_must_lay_it() -> None:
    match = position("p1: 8S KD | p2: 9C | stock: 9D 9S 9H | discard: JS", draw="one_then_play")
    match = play(match, "p1 8S", "p1 draw")
    assert options(match) == ["9S"]
    assert refusal(match, "p1 pass") == "pass_not_allowed"
    assert refusal(match, "p1 draw") == "draw_not_allowed"


def test_a_cover_draw_goes_on_through_the_discard_whatever_an_empty_stock_means_else() -> None:
    match = position("p1: 8S KD | p2: 9C | stock: 9D | discard: 9H 9S JS", stock_out="pass")
    assert happened(match, "p1 8S", "p1 draw") == (
        DiscardRecycled(3, shuffled=False),
        CardsDrawn(0, 3, tuple(map(parse_card, ("9D", "9H", "9S"))), DrawCause.COVER),
    )


def test_a_cover_draw_ends_when_the_cards_give_out_and_the_eight_stays() -> None:
    match = position("p1: 8C KH | p2: 9C 8H 9H | stock: 9S JD")
    assert happened(match, "p1 8C", "p1 draw") == (
        CardsDrawn(0, 2, (parse_card("9S"), parse_card("JD")), DrawCause.COVER),
        TurnPassed(0, PassCause.COVER_GAVE_OUT),
    )
    after = play(match, "p1 8C", "p1 draw")
    assert options(after) == ["8H", "9C"]


def test_a_cover_found_in_the_turned_over_discard_must_be_laid() -> None:
    match = position("p1: 8C KH | p2: 9C 8H 9H | stock: 9S | discard: 8D")
    after = play(match, "p1 8C", "p1 draw")
    assert options(after) == ["8D"]
    assert after.round is not None
    assert after.round.piles.stock == ()


def test_with_nothing_to_draw_the_uncovered_eight_is_left_by_a_pass() -> None:
    match = play(position("p1: 8C KH | p2: 9C 8H 9H"), "p1 8C")
    assert options(match) == ["pass"]
    assert refusal(match, "p1 draw") == "draw_not_allowed"
    assert happened(match, "p1 pass") == (TurnPassed(0, PassCause.COVER_GAVE_OUT),)
    after = play(match, "p1 pass")
    assert after.round is not None
    assert not after.round.turn.must_cover
    assert options(after) == ["8H", "9C"]


def test_with_a_single_cover_draw_a_miss_leaves_the_eight() -> None:
    match = position("p1: 8S KD | p2: 9C 8H | stock: 9D 9S | discard: JS", cover_draw="one")
    assert happened(match, "p1 8S", "p1 draw") == (
        CardsDrawn(0, 1, (parse_card("9D"),), DrawCause.COVER),
        TurnPassed(0, PassCause.COVER_MISSED),
    )
    after = play(match, "p1 8S", "p1 draw")
    assert options(after) == ["8H"]
    assert after.round is not None
    assert after.round.turn.seat == 1


def test_with_a_single_cover_draw_a_hit_must_be_laid() -> None:
    match = position(
        "p1: 8S KD | p2: 9C 8H | stock: 9S 9D | discard: JS", cover_draw="one", draw="one_then_pass"
    )
    match = play(match, "p1 8S", "p1 draw")
    assert options(match) == ["9S"]
    assert match.round is not None
    assert match.round.turn.found == parse_card("9S")


def test_a_card_drawn_by_choice_does_not_hinder_a_cover_draw() -> None:
    text = "p1: 8S KD | p2: 9C | stock: 9D 9S | discard: JS"
    match = position(text, draw="one_then_play", voluntary_draw="always")
    assert options(play(match, "p1 draw", "p1 8S")) == ["draw"]


def test_an_eight_as_the_last_card_wins_nothing() -> None:
    match = play(position("p1: 8S | p2: 9C 9D | discard: JS"), "p1 8S")
    assert match.round is not None
    assert match.round.turn.must_cover
    assert options(match) == ["draw"]


def test_one_may_be_left_without_a_card_and_without_the_round() -> None:
    match = play(position("p1: 8S | p2: 9C 9S 10D | stock: "), "p1 8S", "p1 pass")
    assert match.round is not None
    assert match.round.piles.hands[0] == ()
    assert options(match) == ["9S"]
    after = play(match, "p2 9S")
    assert options(after) == ["draw"]
    assert options(play(after, "p1 draw")) == ["8S"]


def test_an_eight_as_the_last_card_ends_the_round_where_the_rules_say_so() -> None:
    match = play(position("p1: 8S | p2: 9C 9D | discard: JS", finish_on_cover="ends_round"), "p1 8S")
    assert match.last_round is not None
    assert match.last_round.winner == 0


def test_a_last_cover_wins() -> None:
    match = play(position("p1: 8S 7S | p2: 9C 9D | stock: 6S 6D 6C | discard: JS"), "p1 8S", "p1 7S")
    assert match.last_round is not None
    assert match.last_round.winner == 0
    assert match.last_round.points == ((0, 0), (1, 18))


def test_a_last_wild_may_cover_and_wins() -> None:
    match = play(position("p1: 8S QD | p2: 9C 9D | stock: 6S 6D 6C | discard: JS"), "p1 8S")
    assert options(match) == ["QD"]
    assert play(match, "p1 QD").last_round is not None


def test_leaving_with_an_uncovered_eight_frees_the_next() -> None:
    match = play(position("p1: 8S KD | p2: 9C 8H | p3: JD | stock: 9D | discard: JS"), "p1 8S", "p1 leave")
    assert match.round is not None
    assert (match.round.turn.must_cover, match.round.turn.seat) == (False, 1)
    assert options(match) == ["8H"]
