"""The strong player finds moves that take looking ahead, and stops when told to."""

from random import Random

import pytest

from engine import Match, Rules, Status, new_match, turn_move_text, view_for
from engine.players import Level, choose
from engine.players.search import search
from engine.players.win_probability import win_probability
from engine.state import Seat
from tests.builders import before_the_deal, play, position

FORK = "p1: 7S 9S JH 6D | p2: KD 10C KH | p3: 10H 6S 9D | stock: 6H 8D 8C AC AD KC | discard: JS"


def test_a_strong_player_stops_when_told_to() -> None:
    view = view_for(position(FORK), 0)
    asked = 0

    def keep_going() -> bool:
        nonlocal asked
        asked += 1
        return asked < 6

    assert choose(Level.STRONG, view, Random(0), keep_going) in view.legal
    assert asked == 6
    assert choose(Level.STRONG, view, Random(0), lambda: False) == choose(Level.NORMAL, view, Random(0))


def test_a_strong_player_does_not_search_for_the_only_move() -> None:
    view = view_for(position("p1: 9S | p2: 7D KD | stock: 6H | discard: 10H"), 0)

    def never() -> bool:
        raise AssertionError("asked")

    assert turn_move_text(choose(Level.STRONG, view, Random(0), never)) == "draw"


def test_a_strong_player_finishes_when_possible() -> None:
    view = view_for(position("p1: 8S 9S KH | p2: 7D KD | stock: 6H 6C 9C | discard: 10S"), 0)
    assert turn_move_text(choose(Level.STRONG, view, Random(0), simulations=60)) in ("8S", "9S")
    run = view_for(position("p1: AS 9S | p2: 7S KS | stock: 6H 6C 9C | discard: 10S"), 0)
    assert turn_move_text(choose(Level.STRONG, run, Random(0), simulations=60)) == "AS"


def test_the_chance_to_win_is_shared_by_those_still_in() -> None:
    match = new_match(Rules(), ("p1", "p2", "p3", "p4"))
    seats = (
        Seat("p1", 10, Status.IN),
        Seat("p2", 60, Status.IN),
        Seat("p3", 110, Status.OUT),
        match.seats[3],
    )
    match = match._replace(seats=seats, leader=0)
    chances = [win_probability(match, seat) for seat in range(4)]
    assert sum(chances) == pytest.approx(1.0)
    assert chances[3] > chances[1] > chances[2] == 0.0
    assert chances[0] > win_probability(match._replace(leader=1), 0)


def test_where_the_first_to_go_out_ends_the_match_the_lowest_total_counts() -> None:
    match = before_the_deal("p1", "p2", "p3", game_end="first_bust")
    totals = (10, 30, 95)
    seats = tuple(Seat(f"p{number}", total, Status.IN) for number, total in enumerate(totals, start=1))
    chances = [win_probability(match._replace(seats=seats), seat) for seat in range(3)]
    assert sum(chances) == pytest.approx(1.0)
    assert chances[0] > chances[1] > chances[2] > 0


def test_a_running_round_counts_as_won_by_who_holds_few_cards() -> None:
    match = position("p1: 9S | p2: 7D KD JD | p3 [101]: KH | stock: 6H | discard: 8S", game_end="first_bust")
    chances = [win_probability(match, seat) for seat in range(3)]
    assert sum(chances) == pytest.approx(1.0)
    assert chances[0] > chances[1] > 0


def test_a_match_that_is_over_is_won_or_not() -> None:
    match = play(before_the_deal("p1", "p2"), "p2 leave")
    assert [win_probability(match, seat) for seat in (0, 1)] == [1.0, 0.0]


def test_worlds_may_come_from_elsewhere() -> None:
    """A player who knows the others' hands orders a suit that the next player cannot lay."""
    match = position("p1: QS 6C 9C | p2: 10D | stock: KH KD JH JD 10H | discard: JS")

    class TheRealOne:
        def draw(self) -> Match:
            return match

    view = view_for(match, 0)
    move = search(view, Random(0), lambda: True, 200, TheRealOne())
    assert turn_move_text(move) in ("QS:C", "QS:S", "QS:H")
