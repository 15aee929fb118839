"""What a transition needs from outside: the time, randomness, and how long things take."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_PAUSE = 2.5
"""A computer's longest pause before a move, as a multiple of its shortest."""


@dataclass(frozen=True, slots=True)
class Timings:
    """How long things take at every table, in seconds; the time for a turn is each table's own."""

    forced: float = 1.0
    """Before a forced move."""
    autopilot: float = 3.0
    """Before a move that is made for somebody who is away."""
    computer: float = 1.0
    """Before a computer moves, at least; at most `LONGEST_PAUSE` times as long."""
    thinking: float = 8.0
    """After which a computer player that has not moved is moved for. It thinks for half a second at most."""
    reminded_from: float = 120.0
    """With so long for a turn, or longer, its player is called again half-way."""
    nudge: float = 60.0
    """Where no clock runs: before the player to move may be hurried on, and again after each time."""
    talk: float = 10.0
    """Between two things that one person says."""
    vote: float = 120.0
    """For a vote."""
    next_deal: float = 20.0
    """To look at a result."""
    cut: float = 20.0
    """To cut the deck."""
    host: float = 180.0
    """Without a sign of a lobby's host, after which anybody at the table may deal."""
    lobby: float = 3600.0
    """Without anybody sitting down or getting up."""


@dataclass(frozen=True, slots=True)
class TransitionContext:
    """`now` in unix seconds; `seed`: 32 bytes of chance, for the shuffle after the one already sealed.

    `by_hand`: user ids of the people who make even forced moves themselves.
    """

    now: float
    seed: bytes
    timings: Timings
    by_hand: frozenset[int] = frozenset()
