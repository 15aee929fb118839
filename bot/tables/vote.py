"""A vote at the table: on asking somebody to leave, or on ending it for everybody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from bot.tables.player import Player

LEAST_AYES = 2
"""The least number of ayes, however few may vote: one person alone decides nothing."""


def ayes_needed(voters: int) -> int:
    """Return the number of ayes needed: more than half of these voters, and at least two."""
    return max(LEAST_AYES, voters // 2 + 1)


class Verdict(StrEnum):
    """The result of a vote."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote; `number` counts the table's votes from 1.

    `target` is the person to ask to leave (or if it `returns`, to let sit down again), None for ending the
    table; `caller` has asked for the vote, `ayes` and `noes` are the ids of who has voted how. It is open
    until `closes_at` (unix seconds) at the latest; then that is None and `verdict` is not. `needed`: the ayes
    it took at its last count; None while it is open, and if it was closed without a count.
    """

    number: int
    target: Player | None
    caller: Player
    ayes: tuple[int, ...]
    noes: tuple[int, ...]
    closes_at: float | None
    verdict: Verdict | None = None
    needed: int | None = None
    returns: bool = False

    def closed(self, verdict: Verdict, needed: int | None = None) -> Vote:
        """Return the same vote, closed."""
        return replace(self, closes_at=None, verdict=verdict, needed=needed)

    @property
    def is_open(self) -> bool:
        """True if the vote is open."""
        return self.verdict is None
