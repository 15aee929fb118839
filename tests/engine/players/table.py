"""Plays whole matches between computer players, with the history that each of them sees."""

from collections.abc import Iterator, Sequence
from random import Random

from engine import Deal, Event, Match, TurnMove, View, apply, new_match, parse_move, view_for
from engine.cards import sorted_deck
from engine.players import Level, choose
from tests.builders import position

FEW = 4
"""Simulations of a strong player who need not play well, only by the rules."""


def playing(
    match: Match, levels: Sequence[Level], chance: Random, simulations: int = FEW
) -> Iterator[tuple[View, TurnMove]]:
    """Play the match to its end at these levels, and yield each view with the move chosen for it.

    Raises `Illegal` if a player makes an illegal move.
    """
    history: list[tuple[Event, ...]] = []
    while match.winner is None:
        if match.round is None:
            match, events = apply(match, Deal(chance.randbytes(32)))
            history = [events]
            continue
        seat = match.round.turn.seat
        view = view_for(match, seat, history)
        move = choose(levels[seat], view, Random(chance.random()), simulations=simulations)
        yield view, move
        match, events = apply(match, move)
        history.append(events)


def watched(text: str, *moves: str, **settings: object) -> tuple[Match, list[tuple[Event, ...]]]:
    """A match dealt as in `text` (hands and stock, which make a whole deck) and moved on, and its history."""
    wanted = position(text, **settings)
    assert wanted.round is not None
    names = [seat.id for seat in wanted.seats]
    leader = wanted.round.turn.seat
    order = [(leader + 1 + place) % len(names) for place in range(len(names))]
    size = wanted.rules.hand_size
    dealt = [wanted.round.piles.hands[seat][place] for place in range(size) for seat in order]
    rest = [card for card in sorted_deck(36) if card not in {*dealt, *wanted.round.piles.stock}]
    match = new_match(wanted.rules, names, leader)
    match, events = apply(match, Deal(None, (*dealt, *wanted.round.piles.stock, *rest)))
    history = [events]
    for move in moves:
        match, events = apply(match, parse_move(match, move))
        history.append(events)
    return match, history
