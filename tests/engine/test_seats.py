"""Joining and leaving, at every moment."""

import pytest

from engine import Illegal, Match, MatchEnded, Phase, SeatJoined, SeatLeft, parse_card
from tests.builders import SEED, before_the_deal, happened, options, play, position, refusal

BETWEEN = "p1 [10]: 9S | p2 [30]: 7D 6D | p3 [20]: AD | stock: 6H | discard: JS"


def between(text: str = BETWEEN) -> Match:
    """After p1 of the position has won with the 9♠: 10, 43 and 31 points."""
    return play(position(text), "p1 9S")


def seat_states(match: Match) -> list[str]:
    return [f"{seat.id} {seat.total} {seat.status}" for seat in match.seats]


# -------------------------------------------------------------------------------------------- leaving


def test_the_hand_goes_under_the_stock_its_first_card_uppermost() -> None:
    match = play(position("p1: 9D | p2: 7D AH 6D | p3: 8C | stock: 6H 6C | discard: JS"), "p2 leave")
    assert match.round is not None
    assert match.round.piles.stock == tuple(map(parse_card, ("6H", "6C", "7D", "AH", "6D")))
    assert match.round.piles.hands == ((parse_card("9D"),), (), (parse_card("8C"),))
    assert seat_states(match) == ["p1 0 in", "p2 0 left", "p3 0 in"]


def test_the_cards_of_a_player_who_leaves_can_be_drawn_where_there_was_nothing() -> None:
    match = position("p1: 9D | p2: 7D | p3: 8S | discard: JC")
    assert options(match) == ["pass"]
    match = play(match, "p3 leave")
    assert options(match) == ["draw"]


def test_leaving_out_of_turn_changes_nothing_for_the_one_to_move() -> None:
    match = position("p1: KD | p2: 7D | p3: 8C | stock: 9S AS | discard: JS", draw="one_then_play")
    match = play(match, "p1 draw", "p3 leave")
    assert options(match) == ["9S", "pass"]
    assert match.round is not None
    assert (match.round.turn.seat, match.round.counters.moves) == (0, 1)


def test_leaving_on_turn_moves_the_turn_on_and_forgets_what_was_drawn() -> None:
    match = position("p1: KD | p2: 9H 7D | p3: 8C | stock: 9S AS | discard: JS", draw="one_then_play")
    match = play(match, "p1 draw", "p1 leave")
    assert match.round is not None
    assert (match.round.turn.seat, match.round.turn.found) == (1, None)
    assert options(match) == ["draw"]


def test_leaving_on_turn_moves_the_turn_on_in_the_rounds_direction() -> None:
    text = "turn: p2 | p1: KD | p2: 7D | p3: 8C | stock: 9S | discard: JS | direction: -1"
    match = play(position(text), "p2 leave")
    assert match.round is not None
    assert match.round.turn.seat == 0
    assert match.round.ring.after[0] == 2


def test_an_order_outlasts_the_player_who_gave_it() -> None:
    match = position("p1: QH KD | p2: 9H 7C | p3: 8C | stock: 9S | discard: JS")
    assert options(play(match, "p1 QH:C", "p1 leave")) == ["7C"]


def test_after_leaving_two_play_as_two() -> None:
    match = position("p1: AS KD | p2: 9H | p3: 8C | stock: 9S | discard: JS")
    match = play(match, "p3 leave", "p1 AS")
    assert match.round is not None
    assert match.round.turn.seat == 0


def test_a_player_who_left_takes_no_part_in_the_scoring() -> None:
    match = play(position(BETWEEN), "p3 leave", "p1 9S")
    assert match.last_round is not None
    assert match.last_round.points == ((0, 0), (1, 13))
    assert match.last_round.totals == ((0, 10), (1, 43))
    assert [seat for seat, _ in match.last_round.hands] == [0, 1]
    assert seat_states(match) == ["p1 10 in", "p2 43 in", "p3 20 left"]


def test_the_last_one_left_wins_and_a_running_round_is_not_scored() -> None:
    match = position("turn: p2 | p1: 9S | p2: 7D | p3 [102 out]: | stock: 6H | discard: JS | leader: p1")
    assert happened(match, "p1 leave") == (SeatLeft(0), MatchEnded(1))
    match = play(match, "p1 leave")
    assert (match.phase, match.winner, match.last_round, match.leader) == (Phase.FINISHED, 1, None, 0)
    assert (match.round, match.number) == (None, 1)
    assert seat_states(match) == ["p1 0 left", "p2 0 in", "p3 102 out"]


def test_the_last_one_left_between_rounds_wins_and_the_leader_is_the_last_rounds() -> None:
    match = position("p1: 9S | p2: 7D | stock: 6H | discard: JS | leader: p2")
    match = play(match, "p1 9S")
    assert match.leader == 0
    match = play(match, "p2 leave")
    assert (match.winner, match.leader) == (0, 1)


def test_the_last_one_left_before_any_deal_wins_and_nobody_has_led() -> None:
    match = play(before_the_deal("p1", "p2"), "p1 leave")
    assert (match.winner, match.leader, match.number) == (1, None, 0)


@pytest.mark.parametrize(("leader", "following"), [("p1", 1), ("p2", 2), ("p3", 0)])
def test_between_rounds_the_lead_passes_clockwise(leader: str, following: int) -> None:
    match = between()._replace(leader=int(leader[1]) - 1)
    assert play(match, f"{leader} leave").leader == following


def test_between_rounds_the_lead_stays_when_somebody_else_leaves() -> None:
    assert play(between(), "p2 leave").leader == 0
    assert happened(between(), "p2 leave") == (SeatLeft(1),)


def test_before_the_first_deal_leaving_sets_no_leader() -> None:
    match = play(before_the_deal("p1", "p2", "p3"), "p1 leave")
    assert match.leader is None
    dealt = play(match, {"deal": None, "seed": SEED})
    assert dealt.round is not None
    assert dealt.round.piles.hands[0] == ()


def test_in_a_round_the_lead_stays_where_it_was() -> None:
    match = position("p1: 9D | p2: 7D KS | p3: 8C | stock: 6H")
    match = play(match, "p1 leave")
    assert match.leader == 0
    assert options(match) == ["7D", "KS"]


def test_a_player_who_is_not_in_cannot_leave() -> None:
    match = position("p1: 9D | p2: 7D | p3 [102 out]: | p4 [3 left]: | stock: 6H | discard: JS")
    for player in ("p3", "p4", "p9"):
        assert refusal(match, f"{player} leave") == "not_a_player"


# -------------------------------------------------------------------------------------------- joining


def test_a_newcomer_sits_down_last_with_the_highest_total_of_those_still_in() -> None:
    match = between("p1 [10]: 9S | p2 [30]: 7D | p3 [104 out]: | p4 [90 left]: | stock: 6H | discard: JS")
    assert happened(match, "p5 join") == (SeatJoined(4, 37),)
    match = play(match, "p5 join")
    assert seat_states(match)[-1] == "p5 37 in"
    assert match.leader == 0


@pytest.mark.parametrize(("own", "total"), [(5, 37), (90, 90), (37, 37)])
def test_a_player_who_left_comes_back_to_the_same_seat_with_the_higher_total(own: int, total: int) -> None:
    match = between(f"p1 [10]: 9S | p2 [30]: 7D | p3 [{own} left]: | stock: 6H | discard: JS")
    assert happened(match, "p3 join") == (SeatJoined(2, total),)
    assert seat_states(play(match, "p3 join"))[2] == f"p3 {total} in"


def test_one_may_join_before_the_first_deal() -> None:
    match = play(before_the_deal("p1", "p2"), "p3 join", "p1 leave", "p1 join")
    assert seat_states(match) == ["p1 0 in", "p2 0 in", "p3 0 in"]


def test_a_newcomer_plays_the_next_round() -> None:
    match = play(between(), "p4 join", {"deal": None, "seed": SEED})
    assert match.round is not None
    assert [len(hand) for hand in match.round.piles.hands] == [4, 4, 4, 4]


def test_reasons_against_joining_come_in_order() -> None:
    running = position("p1: 9S | p2: 7D | p3 [3 left]: | p4 [102 out]: | stock: 6H | discard: JS")
    over = play(running, "p2 leave")
    for player in ("p1", "p2", "p9"):
        assert refusal(over, f"{player} join") == "match_over"
    for player in ("p1", "p2", "p4"):
        assert refusal(running, f"{player} join") == "already_seated"
    for player in ("p3", "p9"):
        assert refusal(running, f"{player} join") == "round_running"
    full = before_the_deal("p1", "p2", "p3", hand_size=8)
    assert refusal(full, "p1 join") == "already_seated"
    with pytest.raises(Illegal, match="too_many_players: 3 at most"):
        play(full, "p4 join")
    assert refusal(between("p1: 9S | p2: 7D | p3 [102 out]: | stock: 6H | discard: JS"), "p3 join") == (
        "already_seated"
    )


def test_the_limit_on_seats_counts_those_still_in() -> None:
    match = play(before_the_deal("p1", "p2", "p3", hand_size=8), "p2 leave", "p4 join")
    assert seat_states(match) == ["p1 0 in", "p2 0 left", "p3 0 in", "p4 0 in"]
    assert refusal(match, "p2 join") == "too_many_players"
