"""How good a player is, from the places of the matches he has played: OpenSkill's Plackett-Luce model.

A rating is a guess and how sure it is (`mu`, `sigma`); every match moves both, the more the less was known.
It takes any number of players, and places that are shared. Knows places only, not whose they are nor where
they come from. The model: Joshy, "OpenSkill: A faster asymmetric multi-team, multiplayer rating system"
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
"""In standard deviations: somebody is worth what he shows by more than 99 in 100."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A guess at somebody's strength: its mean, and its standard deviation. Who is new is in the middle."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def points(self) -> int:
        """What is shown: the strength that he has almost surely; 1000 before the first match."""
        rating = _MODEL.rating(self.mu, self.sigma)
        return round(rating.ordinal(z=_CAUTION, alpha=_POINTS_EACH, target=_START_POINTS))


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a match of two or more, in the same order; equal places are shared."""
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Rating(rating.mu, rating.sigma) for (rating,) in after]
