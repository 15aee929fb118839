"""Tracks when updates were last known to arrive, on a monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable


class UpdatesLost(Exception):
    """No updates arrive, and this process cannot recover. It has been logged as CRITICAL."""


class Liveness:
    """The time at which updates were last known to arrive, initially the time of construction.

    After `expected` seconds without a stamp, players' deadlines are suspended (`silence`). After `longest`
    seconds the bot reports itself as unhealthy (`is_healthy`).
    """

    def __init__(self, expected: float, longest: float, now: Callable[[], float] = time.monotonic) -> None:
        self._expected = expected
        self._longest = longest
        self._now = now
        self._at = now()

    def stamp(self) -> None:
        """Note that updates arrive."""
        self._at = self._now()

    @property
    def age(self) -> float:
        """Seconds since updates were last known to arrive."""
        return self._now() - self._at

    @property
    def silence(self) -> float:
        """Seconds for which no updates have arrived, once that is longer than expected; otherwise 0.0."""
        return self.age if self.age > self._expected else 0.0

    @property
    def is_healthy(self) -> bool:
        """Whether updates were known to arrive within the last `longest` seconds."""
        return self.age <= self._longest
