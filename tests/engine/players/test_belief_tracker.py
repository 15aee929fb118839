"""Inference from events: every determinization looks to the player like the real match."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CardsDrawn,
    Deal,
    DrawCause,
    Event,
    Leave,
    Match,
    Play,
    Rules,
    View,
    apply,
    new_match,
    parse_card,
    view_for,
)
from engine.cards import suit_of
from engine.players import Level
from engine.players.belief_tracker import BeliefTracker
from engine.players.determinization import Determinizer
from tests.builders import play, position
from tests.engine.players.table import playing, watched
from tests.engine.strategies import matches_before_a_deal


def without_seed(view: View) -> View:
    """The view but for what concerns the seed, which nobody can guess."""
    assert view.round is not None
    return replace(view, round=replace(view.round, commitment=None, cut=0))


def look_alike(view: View, seed: int) -> bool:
    """Return whether a determinization looks like this view."""
    world = Determinizer(view, Random(seed)).draw()
    return without_seed(view_for(world, view.seat, view.history)) == without_seed(view)


@given(match=matches_before_a_deal(), seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None, derandomize=True)
def test_every_world_looks_like_the_real_one(match: Match, seed: int) -> None:
    seen = playing(match, [Level.EASY] * 10, Random(seed))
    for number, (view, _) in enumerate(islice(seen, 0, 200, 11)):
        assert look_alike(view, number)
        assert not BeliefTracker(view, Random(number)).lost


@pytest.mark.parametrize("deck", [36, 72])
def test_nobody_is_led_astray_by_piles_that_are_shuffled_anew(deck: int) -> None:
    rules = Rules.from_document({"preset": "one_card", "voluntary_draw": "always", "deck": deck})
    seen = playing(new_match(rules, ("p1", "p2", "p3")), [Level.EASY] * 3, Random(1))
    assert all(not BeliefTracker(view, Random(0)).lost for view, _ in islice(seen, 0, 300, 5))


def guesses(
    match: Match, history: list[tuple[Event, ...]], seat: int, times: int = 60
) -> list[tuple[int, ...]]:
    """Return the mover's guesses of the hand of `seat`."""
    assert match.round is not None
    worlds = Determinizer(view_for(match, match.round.turn.seat, history), Random(0))
    found = []
    for _ in range(times):
        running = worlds.draw().round
        assert running is not None
        found.append(running.piles.hands[seat])
    return found


THREE = "p1: 9S 10S JS KD | p2: 6H 7H KH JH | p3: 10C JC 9C 9H"


def test_a_player_who_drew_is_taken_to_lack_what_would_have_fitted() -> None:
    match, history = watched(f"{THREE} | stock: 9D KC KS", "p1 9S", "p2 draw", "p2 9D")
    assert match.round is not None
    fits = match.rules.lookup.fits[parse_card("9S")]
    assert all(not fits.intersection(hand) for hand in guesses(match, history, 1))


def test_a_player_who_ordered_a_suit_is_taken_to_hold_it() -> None:
    text = "p1: QS 10S JS KD | p2: 6H 7H KH JH | p3: 10C JC 9C 9H | stock: 9D KC KS"
    ordered, history = watched(text, "p1 QS:D", "p2 draw")
    other, told = watched(text, "p1 QS:C", "p2 draw")
    diamonds = sum(suit_of(card) == 2 for hand in guesses(ordered, history, 0, 400) for card in hand)
    assert diamonds > 1.3 * sum(suit_of(card) == 2 for hand in guesses(other, told, 0, 400) for card in hand)


def test_a_player_who_was_not_asked_to_answer_an_attack_cannot() -> None:
    text = "p1: 9S 7S JS KD | p2: 6H 10H KH JH | p3: 10C JC 7C 9H | stock: 9D KC KS"
    match, history = watched(text, "p1 7S", transfer=["7"])
    sevens = {parse_card(code) for code in ("7H", "7D", "7C")}
    assert all(not sevens.intersection(hand[:4]) for hand in guesses(match, history, 1))


def test_a_player_who_was_asked_to_answer_likely_still_can() -> None:
    text = "p1: 9S 7S JS KD | p2: 6H 7H KH JH | p3: 10C JC 9C 9H | stock: 9D KC KS"
    match, history = watched(text, "p1 7S", "p2 draw", transfer=["7"])
    sevens = {parse_card(code) for code in ("7H", "7D", "7C")}
    assert sum(bool(sevens.intersection(hand)) for hand in guesses(match, history, 1)) > 40


def test_passes_and_wilds_in_a_row_are_counted() -> None:
    few = {"Q": "none", "8": "none"}
    rules = Rules.from_document({"draw": "one_then_pass", "voluntary_draw": "always", "effects": few})
    match, events = apply(new_match(rules, ("p1", "p2"), 0), Deal(bytes(32)))
    history, passes = [events], 0
    while match.round is not None and len(history) < 200:
        seat = match.round.turn.seat
        view = view_for(match, seat, history)
        watcher = BeliefTracker(view, Random(0))
        assert (watcher.passes, watcher.wilds) == (match.round.counters.passes, match.round.counters.wilds)
        passes += watcher.passes
        move = next((move for move in view.legal if not isinstance(move, Play)), view.legal[0])
        match, events = apply(match, move)
        history.append(events)
    assert passes


def test_the_hand_of_a_player_who_left_lies_under_the_stock() -> None:
    match, history = watched(f"{THREE} | stock: 9D KC KS", "p1 9S")
    match, events = apply(match, Leave(2))
    history.append(events)
    view = view_for(match, 1, history)
    watcher = BeliefTracker(view, Random(0))
    assert not watcher.lost
    assert view.round is not None
    assert len(watcher.slots.stock) == view.round.stock
    assert look_alike(view, 0)


@pytest.mark.parametrize(
    "text",
    [
        "p1: 9S JH | p2: 7D KD | p3: 9C | stock: 6H | discard: 8S",
        "p1: 9S 9S | p2: 7D KD 6D 8D | stock: 6H 6H | discard: 8S 8S",
        "p1: 9S | p2: "
        + "6S 7S 10S JS QS KS AS 6H 7H 8H 9H 10H JH QH KH AH 6D 7D 8D 9D " * 2
        + "| discard: 8S",
    ],
)
def test_of_a_position_without_history_nothing_is_known_but_what_lies_open(text: str) -> None:
    view = view_for(position(text), 0)
    assert BeliefTracker(view, Random(0)).lost
    assert look_alike(view, 0)


def test_a_history_that_does_not_lead_to_the_view_is_not_believed() -> None:
    match, history = watched(f"{THREE} | stock: 9D KC KS", "p1 9S")
    mine = CardsDrawn(1, 1, (parse_card("AC"),), DrawCause.TURN)
    more_than_there_are = CardsDrawn(0, 40, None, DrawCause.TURN)
    for told in (
        history[:1],
        history[1:],
        [*history, history[1]],
        [*history, (mine,)],
        [*history, (more_than_there_are,)],
    ):
        view = view_for(match, 1, told)
        assert BeliefTracker(view, Random(0)).lost
        assert look_alike(view, 0)
    assert not BeliefTracker(view_for(match, 1, history), Random(0)).lost
    assert play(match, "p2 draw").round is not None
