"""Whether updates arrive: when that was last known, by a clock that nobody sets."""

from __future__ import annotations

import time
from collections.abc import Callable


class UpdatesLost(Exception):
    """No updates arrive, and nothing that this process can do mends that. It has been logged as CRITICAL."""


class Liveness:
    """The moment at which updates were last known to arrive, at first that at which it is made.

    After `expected` seconds without another such moment something is wrong: nobody's time runs. After
    `longest` whoever asks for the bot's health is told.
    """

    def __init__(self, expected: float, longest: float, now: Callable[[], float] = time.monotonic) -> None:
        self._expected = expected
        self._longest = longest
        self._now = now
        self._at = now()

    def stamp(self) -> None:
        """Updates arrive."""
        self._at = self._now()

    @property
    def age(self) -> float:
        """Seconds since updates were last known to arrive."""
        return self._now() - self._at

    @property
    def silence(self) -> float:
        """For how many seconds nobody can have been heard; 0.0 while nothing is wrong."""
        return self.age if self.age > self._expected else 0.0

    @property
    def is_healthy(self) -> bool:
        """Whether updates were known to arrive not too long ago."""
        return self.age <= self._longest
