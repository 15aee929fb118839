"""Rates players by their places in finished matches, with OpenSkill's Plackett-Luce model.

A rating is an estimate and its uncertainty (`mu`, `sigma`); every match changes both, more so while little is
known. Any number of players and shared places are supported. This module sees places only, not whose they are
or where they come from. The model: Joshy, "OpenSkill: A faster asymmetric multi-team, multiplayer rating
system"
(https://doi.org/10.21105/joss.05901); https://openskill.me.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

_MODEL: Final = PlackettLuce()

_START_POINTS: Final = 1000
_POINTS_EACH: Final = 40
"""Of the model's own points, so that a good evening is worth a number with two digits."""
_CAUTION: Final = 3
"""In standard deviations: a player's strength is above the shown one with more than 99 % probability."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a player's strength: mean and standard deviation. New players start in the middle."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def points(self) -> int:
        """The rating as shown: a strength that the player almost surely has; 1000 before any match."""
        rating = _MODEL.rating(self.mu, self.sigma)
        return round(rating.ordinal(z=_CAUTION, alpha=_POINTS_EACH, target=_START_POINTS))


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match of two or more, in the same order; equal places are shared."""
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Rating(rating.mu, rating.sigma) for (rating,) in after]
