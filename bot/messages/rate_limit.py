"""The rate limiter: when the next call to Telegram may be made, for each chat and in total.

Telegram allows about 20 messages a minute to a group, about one a second to a person, and 30 a second in
total; edits count too (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). It
never queues anything: it says from when on there is room, and the reconciler then shows the current state.
Less urgent calls leave some room for more urgent ones and so never delay them. Time is passed in, so this
module is arithmetic; it knows nothing of tables and screens.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum


class Priority(IntEnum):
    """Priorities when calls are scarce. Each leaves as many calls of the total free as its number."""

    MOVER = 0
    """The hand of the player to move."""
    GROUP = 1
    """A table or a result."""
    ANSWER = 2
    """An answer to somebody, and the removal of what it replaces."""
    WATCHER = 3
    """The hand of a player who waits."""
    HISTORY = 4
    """Old messages to remove, results to close."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: `burst` calls at once, refilled at `per_second`.

    In any window of T seconds at most `burst + per_second · T` calls go out, which is what has to stay below
    Telegram's number for that window.
    """

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Limits:
    """The rates to respect."""

    group: Rate = Rate(burst=3, per_second=17 / 60)
    """20 in any minute, and never more than 3.53 s to wait for one."""
    private: Rate = Rate(burst=3, per_second=1.0)
    overall: Rate = Rate(burst=5, per_second=25.0)
    """30 in any second."""
    renewals: Rate = Rate(burst=2, per_second=1 / 60)
    """How often a table is reposted at the bottom of its chat: each time takes two calls."""


UNLIMITED = Limits(
    group=Rate(burst=1_000_000, per_second=1e6),
    private=Rate(burst=1_000_000, per_second=1e6),
    overall=Rate(burst=1_000_000, per_second=1e6),
    renewals=Rate(burst=1_000_000, per_second=1e6),
)
"""For a Bot API server without limits, such as the sandbox with `--flood off`."""

LOAD_SECONDS = 10.0
"""The window over which the load is measured."""
CROWDED, ROOMY = 0.5, 0.25
"""Shares of the overall rate: above the first it is crowded, until the load is below the second.

The gap keeps the savings that begin at the first from ending their own cause.
"""


@dataclass(slots=True)
class _Bucket:
    """A token bucket kept as the moment at which it would be full again (seconds)."""

    rate: Rate
    full_at: float

    def ready_at(self, spare: int) -> float:
        """Return from when on one more call fits and leaves `spare` further ones."""
        return self.full_at - (self.rate.burst - 1 - spare) / self.rate.per_second

    def spend(self, now: float) -> None:
        self.full_at = max(self.full_at, now) + 1 / self.rate.per_second


@dataclass(slots=True)
class RateLimiter:
    """The token buckets of one bot. Groups have negative ids.

    Calls made before `silent_since` (unix seconds) are unknown: an earlier process may have sent as much as
    allowed, so every bucket counts as empty at that moment.
    """

    limits: Limits = field(default_factory=Limits)
    silent_since: float = 0.0
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _held: dict[int, float] = field(default_factory=dict)
    _overall: _Bucket = field(init=False)
    _spent: deque[float] = field(default_factory=deque)
    _is_crowded: bool = False
    _tidy_at: int = 64

    def __post_init__(self) -> None:
        self._overall = self._used_up(self.limits.overall)

    def ready_at(self, chat_id: int, priority: Priority, generous_until: float) -> float:
        """Return from when on (unix seconds) a call of this priority may go to this chat; the past means at
        once.

        Until `generous_until` it may only if another one then still fits there.
        """
        bucket = self._chats.get(chat_id) or self._untouched(chat_id)
        in_chat = min(bucket.ready_at(1), max(bucket.ready_at(0), generous_until))
        return max(self._overall.ready_at(priority), in_chat, self._held.get(chat_id, 0.0))

    def spend(self, chat_id: int, now: float) -> None:
        """Count a call that is made now."""
        bucket = self._chats.get(chat_id)
        if bucket is None:
            self._forget_idle(now)
            bucket = self._chats[chat_id] = self._untouched(chat_id)
        bucket.spend(now)
        self._overall.spend(now)
        self._spent.append(now)

    def hold(self, chat_id: int, until: float) -> None:
        """Block this chat until then, as Telegram asked (`retry_after`). Other chats go on."""
        self._held[chat_id] = max(until, self._held.get(chat_id, 0.0))

    def is_crowded(self, now: float) -> bool:
        """Return whether so much of the overall rate is in use that less urgent calls should wait."""
        while self._spent and self._spent[0] <= now - LOAD_SECONDS:
            self._spent.popleft()
        load = len(self._spent) / (LOAD_SECONDS * self.limits.overall.per_second)
        self._is_crowded = load > (ROOMY if self._is_crowded else CROWDED)
        return self._is_crowded

    def _untouched(self, chat_id: int) -> _Bucket:
        return self._used_up(self.limits.group if chat_id < 0 else self.limits.private)

    def _used_up(self, rate: Rate) -> _Bucket:
        return _Bucket(rate, self.silent_since + rate.burst / rate.per_second)

    def _forget_idle(self, now: float) -> None:
        """Drop the objects of quiet chats: a full bucket is the same as none."""
        if len(self._chats) < self._tidy_at:
            return
        self._chats = {chat: bucket for chat, bucket in self._chats.items() if bucket.full_at > now}
        self._held = {chat: until for chat, until in self._held.items() if until > now}
        self._tidy_at = max(64, 2 * len(self._chats))
