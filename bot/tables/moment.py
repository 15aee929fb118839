"""What a transition needs from outside: the time, chance, and how long things take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things take at every table, in seconds; the time for a turn is each table's own."""

    forced: float = 1.0
    """Before a move that makes itself."""
    autopilot: float = 3.0
    """Before a move that is made for somebody who is away."""
    reminded_from: float = 120.0
    """With so long for a turn, or longer, its player is called again half-way."""
    hurry: float = 60.0
    """Where no clock runs: before the player to move may be hurried on, and again after each time."""
    talk: float = 10.0
    """Between two things that one person says."""
    vote: float = 120.0
    """For a vote."""
    next_deal: float = 20.0
    """To look at a result."""
    cut: float = 20.0
    """To cut the deck."""
    lobby: float = 3600.0
    """Without anybody sitting down or getting up."""


@dataclass(frozen=True, slots=True)
class Moment:
    """`now` in unix seconds; `seed`: 32 bytes of chance, for the shuffle after the one already sealed.

    `by_hand`: who makes even those moves himself that leave nothing to decide, by user id.
    """

    now: float
    seed: bytes
    pace: Pace
    by_hand: frozenset[int] = frozenset()
