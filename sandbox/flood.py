"""Flood limits: 20 messages a minute in a group, about one a second in a private chat, 30 a second in total.

The numbers come from core.telegram.org/bots/faq («My bot is hitting limits»). Edits and deletions count too.
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
    """Allows ``rate`` calls a second, and a burst of at most ``burst`` after a pause."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._at = now

    def wait(self, now: float) -> float:
        """Return the seconds until a call is allowed; 0 if it is allowed now."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        return 0.0 if self._tokens >= 1 else (1 - self._tokens) / self._rate

    def take(self) -> None:
        """Count a call that :meth:`wait` has allowed."""
        self._tokens -= 1


class FloodLimits:
    """Counts the bot's calls and refuses those above the limits. A refused call does not count."""

    def __init__(self, clock: Clock, *, enabled: bool) -> None:
        self._clock = clock
        self._enabled = enabled
        self.reset()

    def reset(self) -> None:
        """Refill all buckets."""
        now = self._clock.now()
        self._total = TokenBucket(TOTAL_RATE, TOTAL_BURST, now)
        self._private: dict[int, TokenBucket] = {}
        self._groups: defaultdict[int, deque[float]] = defaultdict(deque)

    def spend(self, chat: Chat) -> None:
        """Count one send, edit or deletion in a chat.

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
