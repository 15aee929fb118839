"""The sandbox's clock, the source of limits, expiries and dates; drivers may advance it."""

import time
from collections.abc import Callable

LAST_DATE = (1 << 31) - 1
"""Telegram's dates are 32-bit numbers (core.telegram.org/schema: ``date:int``)."""


class Clock:
    """Wall time plus the advanced time. It never goes back."""

    def __init__(self, source: Callable[[], float] = time.time) -> None:
        self._source = source
        self._advanced = 0.0

    def now(self) -> float:
        """Seconds since the epoch, with fractions."""
        return self._source() + self._advanced

    def unix(self) -> int:
        """Seconds since the epoch, in whole numbers as in Telegram's dates."""
        return int(self.now())

    def advance(self, seconds: float) -> None:
        """Advance by ``seconds`` ≥ 0.

        Raises:
            ValueError: if asked to go back, or beyond the largest date.
        """
        if seconds < 0:
            raise ValueError("time does not go back")
        if self.now() + seconds > LAST_DATE:
            raise ValueError("dates end in 2038")
        self._advanced += seconds
