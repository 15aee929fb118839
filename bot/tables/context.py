"""The inputs of a transition from outside: time, randomness, and durations."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_PAUSE = 2.5
"""A computer's longest pause before a move, as a multiple of its shortest."""


@dataclass(frozen=True, slots=True)
class Timings:
    """Durations that hold at every table, in seconds; the time per turn is each table's own."""

    forced: float = 1.0
    """Before a forced move."""
    autopilot: float = 3.0
    """Before a move for a player who is away."""
    computer: float = 1.0
    """Shortest pause of a computer player; the longest is `LONGEST_PAUSE` times that."""
    thinking: float = 8.0
    """Limit after which the clock moves for a computer player. It thinks for half a second at most."""
    reminded_from: float = 120.0
    """With this time per turn or more, its player is reminded half-way."""
    nudge: float = 60.0
    """Without a clock: before the player to move may be nudged, and between two nudges."""
    talk: float = 10.0
    """Between two messages of one person to the table."""
    vote: float = 120.0
    """For a vote."""
    next_deal: float = 20.0
    """For looking at a result."""
    cut: float = 20.0
    """For cutting the deck."""
    host: float = 180.0
    """Without activity of a lobby's host, until anybody at the table may deal."""
    lobby: float = 3600.0
    """Without anybody sitting down or getting up, until a lobby closes."""


@dataclass(frozen=True, slots=True)
class TransitionContext:
    """`now` in unix seconds; `seed`: 32 random bytes, for the shuffle after the one already sealed.

    `by_hand`: user ids of the people who make even forced moves themselves.
    """

    now: float
    seed: bytes
    timings: Timings
    by_hand: frozenset[int] = frozenset()
