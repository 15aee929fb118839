"""How long things take at a table, in seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """`turn`: to make a move; `forced`: before a move that makes itself; `next_deal`: to look at a result."""

    turn: int = 60
    forced: float = 1.0
    next_deal: float = 20.0
    lobby: float = 3600.0
    """Without anybody sitting down or getting up."""
