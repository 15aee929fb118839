"""Tracks when updates were last known to arrive, on a monotonic clock."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

HANDLING_SECONDS = 1.0
"""The time allowed for handling updates that have arrived."""


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
        self._stamps = deque([(self._at, self._at)])
        """(time up to which all updates had arrived, time by which they are handled), oldest first."""
        self._wanted_at = math.inf

    def stamp(self, *, brought_updates: bool = True) -> None:
        """Note that all updates up to now have arrived; `brought_updates`: some of them just now."""
        self._at = now = self._now()
        handled_at = max(now + HANDLING_SECONDS if brought_updates else now, self._stamps[-1][1])
        self._stamps.append((now, handled_at))
        self._drop_old_stamps(now)

    def _drop_old_stamps(self, now: float) -> None:
        """Keep the newest stamp whose updates have been handled, and those after it."""
        while len(self._stamps) > 1 and self._stamps[1][1] <= now:
            self._stamps.popleft()

    @property
    def lag(self) -> float:
        """Seconds since the latest time up to which all updates have arrived and been handled."""
        now = self._now()
        self._drop_old_stamps(now)
        return now - self._stamps[0][0]

    def want(self, seconds: float) -> None:
        """Request a stamp in this many seconds or soon after, because a deadline is due then."""
        self._wanted_at = self._now() + seconds

    @property
    def wanted_in(self) -> float:
        """Seconds until the time requested by `want`; infinity once there was a stamp after it."""
        return math.inf if self._wanted_at <= self._at else self._wanted_at - self._now()

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
