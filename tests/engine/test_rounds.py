"""Ends of rounds and matches: won, blocked, scored, next leader, out, match winner."""

from typing import Any

import pytest

from engine import Match, MatchEnded, Phase, RoundEnded, SeatOut, apply, legal, parse_card, rank_of
from engine.cards import QUEEN
from engine.game import MOST_MOVES, WILDS_EACH
from engine.moves import Draw, Pass, Play
from tests.builders import happened, play, position, replace_fields


def totals(match: Match) -> list[int]:
    return [seat.total for seat in match.seats]


def points(match: Match) -> list[int]:
    assert match.last_round is not None
    return [scored for _, scored in match.last_round.points]


def winner_of_round(match: Match) -> int | None:
    assert match.last_round is not None
    return match.last_round.winner


def won(text: str, **settings: Any) -> Match:
    """The match after p1 of the position has won by laying their only card."""
    match = position(text, **settings)
    assert match.round is not None
    return apply(match, legal(match, match.round.turn.seat)[0]).match


# ------------------------------------------------------------------------------------ blocked by passes


def test_passes_in_a_row_by_everyone_block_the_round() -> None:
    match = position("p1: 9H | p2: 7D | p3: 10H | discard: JS")
    match = play(match, "p1 pass", "p2 pass")
    assert match.phase is Phase.PLAYING
    match = play(match, "p3 pass")
    assert winner_of_round(match) is None
    assert points(match) == [9, 0, 10]
    assert match.leader == 1


def test_a_card_laid_between_starts_the_row_anew() -> None:
    match = position("p1: 9H | p2: 7D | p3: JH 10H | discard: JS")
    match = play(match, "p1 pass", "p2 pass", "p3 JH", "p1 9H")
    assert winner_of_round(match) == 0
    match = position("p1: 9D 9C | p2: 7D 7C | p3: JH 10S | discard: JS | stock: ")
    match = play(match, "p1 pass", "p2 pass", "p3 JH", "p1 draw")
    assert match.phase is Phase.PLAYING


def test_a_draw_between_starts_the_row_anew() -> None:
    match = position("p1: 9H | p2: 7D | p3: 10H | stock: 8C | discard: JS")
    match = play(match, "p1 draw", "p2 pass", "p3 pass")
    assert match.phase is Phase.PLAYING
    assert play(match, "p1 pass").phase is Phase.BETWEEN


def test_somebodys_leaving_starts_the_row_anew() -> None:
    match = position("p1: 9H | p2: 7D | p3: 10H | p4: | discard: JS")
    match = play(match, "p1 pass", "p2 pass", "p3 pass", "p1 leave")
    assert match.phase is Phase.PLAYING
    match = play(match, "p4 draw")
    assert match.phase is Phase.PLAYING


def test_leaving_with_an_empty_hand_starts_the_row_anew_too() -> None:
    match = position("p1: 9H | p2: 7D | p3: 10H | p4: | discard: JS")
    match = play(match, "p1 pass", "p2 pass", "p3 pass", "p4 leave")
    assert match.phase is Phase.PLAYING
    match = play(match, "p1 pass", "p2 pass")
    assert match.phase is Phase.PLAYING
    assert play(match, "p3 pass").phase is Phase.BETWEEN


def test_passing_after_a_draw_does_not_count_towards_a_block() -> None:
    match = position("p1: 9H | p2: 7D | stock: 8S | discard: JS", draw="one_then_play")
    match = play(match, "p1 draw", "p1 pass", "p2 pass")
    assert match.phase is Phase.PLAYING


def test_passing_an_uncovered_card_does_not_count_towards_a_block() -> None:
    match = position("p1: 8C KH | p2: 9H | turn: p1")
    match = play(match, "p1 8C", "p1 pass", "p2 pass")
    assert match.phase is Phase.PLAYING
    assert play(match, "p1 pass").phase is Phase.BETWEEN


def test_passing_a_skip_does_not_count_towards_a_block() -> None:
    match = position("p1: AS 9H | p2: AD 7D", transfer=["A"])
    match = play(match, "p1 AS", "p2 pass")
    assert match.round is not None
    assert match.round.counters.passes == 0
    assert play(match, "p1 pass").phase is Phase.PLAYING


def test_equal_lowest_hands_all_score_nothing_and_the_first_in_turn_order_leads() -> None:
    match = position("turn: p3 | p1: 9H | p2: 7D | p3: 7H | p4: 10H | discard: JS")
    match = play(match, "p3 pass", "p4 pass", "p1 pass", "p2 pass")
    assert points(match) == [9, 0, 0, 10]
    assert match.leader == 2


def test_turn_order_is_that_of_the_round() -> None:
    match = position("turn: p4 | p1: 9H | p2: 7D | p3: 7H | p4: 10H | discard: JS | direction: -1")
    match = play(match, "p4 pass", "p3 pass", "p2 pass", "p1 pass")
    assert match.leader == 2


def test_the_lowest_hand_is_counted_as_hands_are() -> None:
    match = position(
        "p1: QH | p2: 10D 6H | discard: JS | ordered: C", lone_queen="20_40", effects={"Q": "none"}
    )
    match = play(match, "p1 pass", "p2 pass")
    assert points(match) == [20, 0]


def test_a_blocked_round_is_told_as_one() -> None:
    events = happened(position("p1: 9H | p2: 7D | discard: JS"), "p1 pass", "p2 pass")
    assert isinstance(events[-1], RoundEnded)
    assert events[-1].blocked
    events = happened(position("p1: 9S | p2: 7D | discard: JS"), "p1 9S")
    assert isinstance(events[-1], RoundEnded)
    assert not events[-1].blocked


# ------------------------------------------------------------------------------------ blocked by wilds

FOUR_QUEENS = "QS QH QD QC"


def queens(match: Match, count: int) -> Match:
    """The match after this many queens were laid, each player laying the first in hand."""
    for _ in range(count):
        assert match.round is not None
        seat = match.round.turn.seat
        queen = next(card for card in match.round.piles.hands[seat] if rank_of(card) == QUEEN)
        match = apply(match, Play(seat, queen)).match
    return match


def test_wilds_going_round_block_the_round() -> None:
    match = position(f"p1: {FOUR_QUEENS} KD | p2: {FOUR_QUEENS} 6H | stock: 9H 9C | discard: JS", deck=72)
    match = queens(match, 2 * WILDS_EACH - 1)
    assert match.phase is Phase.PLAYING
    match = queens(match, 1)
    assert points(match) == [0, 6]
    assert winner_of_round(match) is None


def test_who_leads_after_wilds_going_round_is_looked_for_from_the_next_to_move() -> None:
    match = position(f"p1: {FOUR_QUEENS} KD | p2: {FOUR_QUEENS} KH | stock: 9H 9C | discard: JS", deck=72)
    assert queens(match, 8).leader == 0
    match = position(
        f"turn: p2 | p1: {FOUR_QUEENS} KD | p2: {FOUR_QUEENS} KH | stock: 9H 9C | discard: JS", deck=72
    )
    assert queens(match, 8).leader == 1


def test_the_last_wild_of_the_row_may_win_the_round() -> None:
    match = position(f"p1: {FOUR_QUEENS} KD | p2: {FOUR_QUEENS} | stock: 9H 9C | discard: JS", deck=72)
    match = queens(match, 8)
    assert winner_of_round(match) == 1


def test_another_card_starts_the_row_of_wilds_anew() -> None:
    text = f"p1: {FOUR_QUEENS} 6C KD | p2: {FOUR_QUEENS} 9H 9D | p3: QS KC KH | stock: 9C | discard: JS"
    match = play(position(text, deck=72), "p1 QS", "p2 QS", "p3 QS:C", "p1 6C")
    assert match.round is not None
    assert match.round.counters.wilds == 0


def test_draws_do_not_break_a_row_of_wilds() -> None:
    text = f"p1: {FOUR_QUEENS} KD KC | p2: QS QH QD 6H | stock: QC 9H 9C | discard: JS"
    match = position(text, deck=72)
    match = play(queens(match, 6), "p1 QC:S", "p2 draw")
    assert match.phase is Phase.PLAYING
    assert play(match, "p2 QC").phase is Phase.BETWEEN


def test_a_row_of_wilds_long_enough_after_somebodys_leaving_counts_at_the_next_turn_move() -> None:
    text = f"p1: {FOUR_QUEENS} KD KC | p2: {FOUR_QUEENS} 6H | p3: QS QH 9S | stock: 9H 9C | discard: JS"
    match = queens(position(text, deck=72), 8)
    assert match.phase is Phase.PLAYING
    match = play(match, "p1 leave")
    assert match.phase is Phase.PLAYING
    assert match.round is not None
    match = apply(match, Draw(2)).match
    assert match.phase is Phase.BETWEEN


# ------------------------------------------------------------------------------------- blocked by moves


def endless(**settings: Any) -> Match:
    """A position in which two players can draw and pass for ever: nobody ever fits."""
    low = "2S 2H 3S 3H 4S 4H 5S 5H 6S 6H 7S 7H 8S 8H"
    return position(f"p1: 9H | p2: 9S | stock: {' '.join([low] * 40)} | discard: JC", **settings)


def test_a_round_is_blocked_after_so_many_turn_moves() -> None:
    match = endless(draw="one_then_pass")
    for made in range(MOST_MOVES):
        assert match.round is not None
        assert match.round.counters.moves == made
        match = apply(match, Draw(match.round.turn.seat)).match
    assert winner_of_round(match) is None
    assert match.phase is not Phase.PLAYING


def test_a_draw_that_finds_a_card_may_be_the_last_move() -> None:
    match = endless(draw="one_then_pass")
    for _ in range(MOST_MOVES - 1):
        assert match.round is not None
        match = apply(match, Draw(match.round.turn.seat)).match
    assert match.round is not None
    found = replace_fields(match.round, stock=(parse_card("JD"), *match.round.piles.stock))
    match = match._replace(round=found, rules=position("p1: | p2: ", draw="one_then_play").rules)
    ended = apply(match, Draw(found.turn.seat)).match
    assert ended.phase is not Phase.PLAYING


def test_a_card_that_wins_with_the_last_move_wins() -> None:
    match = position("p1: 9S | p2: 9H | stock: 6D | discard: JS")
    assert match.round is not None
    late = match._replace(round=replace_fields(match.round, moves=MOST_MOVES - 1))
    assert winner_of_round(apply(late, Play(0, parse_card("9S"))).match) == 0


@pytest.mark.parametrize(
    "text", ["p1: 9S 6H | p2: 9H | stock: 6D | discard: JS", "p1: 9D | p2: 9H | discard: JS"]
)
def test_laying_and_passing_count_as_moves_too(text: str) -> None:
    match = position(text)
    assert match.round is not None
    late = match._replace(round=replace_fields(match.round, moves=MOST_MOVES - 1))
    move = Play(0, parse_card("9S")) if "9S" in text else Pass(0)
    assert winner_of_round(apply(late, move).match) is None


@pytest.mark.parametrize("card", ["AS", "7S", "KS"])
def test_an_attack_may_be_the_last_move_and_what_it_owes_is_taken(card: str) -> None:
    match = position(f"p1: {card} 6H | p2: 9H | p3: 9D | stock: 6D 6C 8D 8C 7D 7C | discard: JS")
    assert match.round is not None
    late = match._replace(round=replace_fields(match.round, moves=MOST_MOVES - 1))
    ended = apply(late, Play(0, parse_card(card))).match
    assert ended.last_round is not None
    assert winner_of_round(ended) is None
    taken = {"AS": 0, "7S": 2, "KS": 4}[card]
    assert [len(hand) for _, hand in ended.last_round.hands] == [1, 1 + taken, 1]
    assert play(match, f"p1 {card}").phase is Phase.PLAYING


def test_a_block_with_a_cover_owed_looks_from_its_player() -> None:
    match = position("turn: p2 | p1: 9H | p2: 8S 9S | p3: 9C | stock: 6D | discard: JS")
    assert match.round is not None
    late = match._replace(round=replace_fields(match.round, moves=MOST_MOVES - 1))
    ended = apply(late, Play(1, parse_card("8S"))).match
    assert points(ended) == [0, 0, 0]
    assert ended.leader == 1


# ------------------------------------------------------------------------------------------- who leads


def next_leader(text: str, **settings: Any) -> int | None:
    return won(text, **settings).leader


def test_the_winner_leads_next() -> None:
    assert next_leader("turn: p2 | p1: 7D | p2: 9S | leader: p1 | stock: 6H | discard: JS") == 1


@pytest.mark.parametrize(
    ("leader", "following"),
    [("p1", 1), ("p2", 3), ("p3", 3), ("p4", 0)],
)
def test_the_lead_rotates_past_seats_that_are_not_in(leader: str, following: int) -> None:
    text = f"p1: 9S | p2: 7D | p3 [102 out]: | p4: 10D | stock: 6H | discard: JS | leader: {leader}"
    assert next_leader(text, next_leader="rotate") == following


def test_the_lead_rotates_past_a_player_who_goes_out() -> None:
    text = "p1: 9S | p2 [100]: 7D | p3: 6D | stock: 6H | discard: JS"
    assert next_leader(text, next_leader="rotate") == 2


def test_the_lead_rotates_after_a_player_has_left() -> None:
    match = position("p1: 9D | p2: 9S | p3: 6D | stock: 6H | discard: JS", next_leader="rotate")
    match = play(match, "p1 leave", "p2 9S")
    assert match.leader == 1


def test_the_lead_rotates_clockwise_whatever_the_direction() -> None:
    text = "p1: 9S | p2: 7D | p3: 6D | stock: 6H | discard: JS | direction: -1"
    assert next_leader(text, next_leader="rotate") == 1


def test_who_scored_most_leads_next_the_first_of_equals() -> None:
    text = "p1: 9S | p2: 7D | p3: AD | p4: AH | stock: 6H | discard: JS"
    assert next_leader(text, next_leader="loser") == 2


def test_if_who_scored_most_is_out_the_next_still_in_leads() -> None:
    text = "p1: 9S | p2: 7D | p3 [95]: AD | p4 [102 out]: | stock: 6H | discard: JS"
    assert next_leader(text, next_leader="loser") == 0


def test_after_a_blocked_round_the_lead_rotates_or_goes_to_the_loser_all_the_same() -> None:
    text = "p1: 9H | p2: 7D | p3: 10H | discard: JS"
    passes = ("p1 pass", "p2 pass", "p3 pass")
    assert play(position(text, next_leader="rotate"), *passes).leader == 1
    assert play(position(text, next_leader="loser"), *passes).leader == 2


# --------------------------------------------------------------------------------------- who is out


def test_a_total_above_the_limit_is_out_and_one_at_the_limit_is_not() -> None:
    match = won("p1: 9S | p2 [94]: 7D | p3 [94]: 8D | p4: 6D | stock: 6H | discard: JS")
    assert [str(seat.status) for seat in match.seats] == ["in", "in", "out", "in"]
    assert totals(match) == [0, 101, 102, 6]


def test_going_out_is_told_with_the_total() -> None:
    text = "p1: 9S | p2 [94]: 7D | p3 [94]: 8D | p4: 6D | stock: 6H | discard: JS"
    events = happened(position(text), "p1 9S")
    assert SeatOut(2, 102) in events
    assert not any(isinstance(event, MatchEnded) for event in events)


def test_the_last_one_in_wins_the_match() -> None:
    text = "p1 [50]: 9S | p2 [100]: 7D | p3 [100 out]: | stock: 6H | discard: JS"
    match = won(text)
    assert (match.phase, match.winner, match.leader) == (Phase.FINISHED, 0, 0)
    assert happened(position(text), "p1 9S")[-1] == MatchEnded(0)


def test_in_a_match_that_is_over_the_leader_is_the_last_rounds() -> None:
    match = won("turn: p2 | p1 [100]: 7D | p2: 9S | leader: p1 | stock: 6H | discard: JS")
    assert (match.winner, match.leader) == (1, 0)


def test_a_first_bust_ends_the_match_for_the_lowest_total_still_in() -> None:
    text = "p1 [50]: 9S | p2 [40]: 6D | p3 [95]: 7D | p4 [20 left]: | stock: 6H | discard: JS"
    match = won(text, game_end="first_bust")
    assert match.winner == 1
    assert won(text).winner is None


def test_the_first_of_equals_wins_at_a_first_bust() -> None:
    text = "p1 [46]: 9S | p2 [40]: 6D | p3 [95]: 7D | stock: 6H | discard: JS"
    assert won(text, game_end="first_bust").winner == 0


def test_without_a_bust_the_match_goes_on() -> None:
    text = "p1 [46]: 9S | p2 [40]: 6D | p3 [103 out]: | p4: 6C | stock: 6H | discard: JS"
    assert won(text, game_end="first_bust").winner is None


def test_several_may_go_out_at_once() -> None:
    match = won("p1 [101]: 9S | p2 [100]: 6D | p3 [100]: 7D | stock: 6H | discard: JS")
    assert [str(seat.status) for seat in match.seats] == ["in", "out", "out"]
    assert match.winner == 0
