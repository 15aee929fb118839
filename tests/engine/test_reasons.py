"""Reasons of refused turn moves, in their order of precedence."""

import pytest

from engine import (
    NOBODY,
    NOT_A_CARD,
    NOT_A_SUIT,
    Draw,
    Illegal,
    Leave,
    Match,
    Pass,
    Play,
    Reason,
    apply,
    parse_card,
)
from tests.builders import play, position, refusal

RUNNING = "p1: 9S QH KD | p2: 7D | p3 [102 out]: | p4 [3 left]: | stock: 6H | discard: JS"


def running() -> Match:
    return position(RUNNING)


def over() -> Match:
    return play(running(), "p2 leave")


def between() -> Match:
    return play(position("p1: 9S | p2: 7D | p3: 8D | p4 [102 out]: | stock: 6H | discard: JS"), "p1 9S")


@pytest.mark.parametrize("what", ["9S", "XX", "9S:X", "2S", "7D", "draw", "pass", ""])
def test_a_turn_move_is_refused_first_for_when_and_by_whom_it_is_made(what: str) -> None:
    for player in ("p1", "p2", "p3", "p9"):
        assert refusal(over(), f"{player} {what}") == "match_over"
        assert refusal(between(), f"{player} {what}") == "no_round"
    for player in ("p3", "p4", "p9", "", "p"):
        assert refusal(running(), f"{player} {what}") == "not_a_player"
    assert refusal(running(), f"p2 {what}") == "not_your_turn"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("p1 XX", "bad_move"),
        ("p1", "bad_move"),
        ("p1 ", "bad_move"),
        ("p1 9S 9S", "bad_move"),
        ("p1  9S", "bad_move"),
        ("p1 9s", "bad_move"),
        ("p1 DRAW", "bad_move"),
        ("p1 :S", "bad_move"),
        ("p1 QH:", "bad_move"),
        ("p1 QH:X", "bad_move"),
        ("p1 QH:s", "bad_move"),
        ("p1 QH:S:S", "bad_move"),
        ("p1 7D:X", "bad_move"),
        ("p1 2S", "card_not_in_hand"),
        ("p1 7D", "card_not_in_hand"),
        ("p1 QS:D", "card_not_in_hand"),
        ("p1 7S:D", "card_not_in_hand"),
        ("p1 KD", "card_does_not_match"),
        ("p1 KD:D", "card_does_not_match"),
        ("p1 9S:S", "suit_not_allowed"),
        ("p1 9S:D", "suit_not_allowed"),
        ("p1 draw", "draw_not_allowed"),
        ("p1 pass", "pass_not_allowed"),
    ],
)
def test_a_turn_move_is_refused_next_for_what_it_is(move: str, reason: str) -> None:
    assert refusal(running(), move) == reason


@pytest.mark.parametrize("text", [None, 7, 1.5, True, [], ["p1", "9S"], {}, {"seed": None}, {"Deal": None}])
@pytest.mark.parametrize("match", [running(), over(), between()], ids=["running", "over", "between"])
def test_what_is_neither_text_nor_a_deal_is_a_bad_move_at_any_time(match: Match, text: object) -> None:
    assert refusal(match, text) == "bad_move"


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Play(0, NOT_A_CARD), Reason.BAD_MOVE),
        (Play(0, 52), Reason.BAD_MOVE),
        (Play(0, parse_card("QH"), NOT_A_SUIT), Reason.BAD_MOVE),
        (Play(0, parse_card("QH"), 4), Reason.BAD_MOVE),
        (Play(NOBODY, parse_card("9S")), Reason.NOT_A_PLAYER),
        (Play(4, parse_card("9S")), Reason.NOT_A_PLAYER),
        (Draw(NOBODY), Reason.NOT_A_PLAYER),
        (Pass(17), Reason.NOT_A_PLAYER),
        (Leave(NOBODY), Reason.NOT_A_PLAYER),
        (Leave(4), Reason.NOT_A_PLAYER),
    ],
)
def test_marks_and_numbers_out_of_range_are_refused_in_their_place(
    move: Play | Draw | Pass | Leave, reason: Reason
) -> None:
    with pytest.raises(Illegal) as caught:
        apply(running(), move)
    assert caught.value.reason is reason


def test_nobody_can_leave_a_match_that_is_over() -> None:
    assert refusal(over(), "p1 leave") == "match_over"
    assert refusal(over(), "p9 leave") == "match_over"


def test_a_refusal_tells_its_reason_and_its_words() -> None:
    assert str(Illegal(Reason.NO_ROUND)) == "no_round"
    assert str(Illegal(Reason.BAD_DECK, "not a deck of 36")) == "bad_deck: not a deck of 36"
    assert Illegal(Reason.BAD_DECK).detail == ""


def test_moves_of_different_kinds_are_never_equal() -> None:
    kinds: list[object] = [Draw(1), Pass(1), Leave(1)]
    assert len({*kinds, Draw(1)}) == 3
    assert all(one is other or one != other for one in kinds for other in kinds)


def test_the_reasons_are_these() -> None:
    """They stand in the answers to documents, and are what the bot looks its words up by."""
    assert " ".join(Reason) == (
        "match_over no_round not_a_player not_your_turn bad_move card_not_in_hand card_does_not_match"
        " suit_not_allowed draw_not_allowed pass_not_allowed already_seated round_running not_enough_players"
        " too_many_players bad_deck bad_document bad_rules"
    )
