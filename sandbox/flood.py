"""Flood limits: 20 messages a minute in a group, about one a second in a private chat, 30 a second in all.

The numbers are those of core.telegram.org/bots/faq («My bot is hitting limits»). Edits and deletions share
them.
"""

import math
from collections import defaultdict, deque

from sandbox.clock import Clock
from sandbox.errors import too_many_requests
from sandbox.model import Chat

GROUP_CALLS, GROUP_WINDOW = 20, 60.0
PRIVATE_RATE, PRIVATE_BURST = 1.0, 5
TOTAL_RATE, TOTAL_BURST = 30.0, 30


class TokenBucket:
    """``rate`` calls a second, and at most ``burst`` at once after a rest."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._at = now

    def wait(self, now: float) -> float:
        """Seconds until a call is allowed; 0 if it is."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return 0.0 if self._tokens >= 1 else (1 - self._tokens) / self._rate

    def take(self) -> None:
        """Count one call that :meth:`wait` has allowed."""
        self._tokens -= 1


class FloodLimits:
    """Counts what the bot sends, and refuses what is too much. A refused call counts for nothing."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self._enabled = enabled
        self.reset()

    def reset(self) -> None:
        """As if nothing had been sent for long."""
        now = self._clock.now()
        self._total = TokenBucket(TOTAL_RATE, TOTAL_BURST, now)
        self._private: dict[int, TokenBucket] = {}
        self._groups: defaultdict[int, deque[float]] = defaultdict(deque)

    def spend(self, chat: Chat) -> None:
        """Count one sending, edit or deletion in a chat.

        Raises:
            ApiError: 429 with the whole seconds to wait.
        """
        if not self._enabled:
            return
        now = self._clock.now()
        wait = max(self._total.wait(now), self._wait_in(chat, now))
        if wait > 0:
            raise too_many_requests(max(1, math.ceil(wait)))
        self._total.take()
        if chat.type == "private":
            self._private[chat.id].take()
        else:
            self._groups[chat.id].append(now)

    def _wait_in(self, chat: Chat, now: float) -> float:
        if chat.type == "private":
            bucket = self._private.setdefault(chat.id, TokenBucket(PRIVATE_RATE, PRIVATE_BURST, now))
            return bucket.wait(now)
        sent = self._groups[chat.id]
        while sent and sent[0] <= now - GROUP_WINDOW:
            sent.popleft()
        return 0.0 if len(sent) < GROUP_CALLS else sent[0] + GROUP_WINDOW - now
