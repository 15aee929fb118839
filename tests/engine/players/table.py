"""Computer players at a table of their own: whole matches, with the history that each of them sees."""

from collections.abc import Iterator, Sequence
from random import Random

from engine import Deal, Event, Match, TurnMove, View, apply, view_for
from engine.players import Level, choose

FEW = 2
"""Simulations of a strong player who need not play well, only by the rules."""


def playing(
    match: Match, levels: Sequence[Level], chance: Random, simulations: int = FEW
) -> Iterator[tuple[View, TurnMove]]:
    """Play to the match's end, seat by seat at these levels: what each saw when he was to move, and his move.

    Raises `Illegal` if a player does what he may not.
    """
    history: list[tuple[Event, ...]] = []
    while match.winner is None:
        if match.round is None:
            match, events = apply(match, Deal(chance.randbytes(32)))
            history = [events]
            continue
        seat = match.round.turn
        view = view_for(match, seat, history)
        move = choose(levels[seat], view, Random(chance.random()), simulations=simulations)
        yield view, move
        match, events = apply(match, move)
        history.append(events)
