"""When the next call to Telegram may go out: budgets for each chat and for all of them together.

Telegram allows about 20 messages a minute to a group, about one a second to a person, and 30 a second in all;
edits share these (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). A budget
never queues anything: it says when there is room, and the presenter then renders what is true at that moment.
Time is passed in, so this module is a pure piece of arithmetic; it knows nothing of tables and screens.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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
    """The rates to keep to."""

    group: Rate = Rate(burst=4, per_second=16 / 60)
    """20 in any minute."""
    private: Rate = Rate(burst=3, per_second=1.0)
    overall: Rate = Rate(burst=5, per_second=25.0)
    """30 in any second."""


UNLIMITED = Limits(
    group=Rate(burst=1000, per_second=1000.0),
    private=Rate(burst=1000, per_second=1000.0),
    overall=Rate(burst=1000, per_second=1000.0),
)
"""For a Bot API server that has no limits, such as the sandbox with `--flood off`."""


@dataclass(slots=True)
class _Bucket:
    """A token bucket kept as the moment at which it would be full again (seconds)."""

    rate: Rate
    full_at: float = 0.0

    def ready_at(self) -> float:
        """From when on one call more fits."""
        return self.full_at - (self.rate.burst - 1) / self.rate.per_second

    def spend(self, now: float) -> None:
        self.full_at = max(self.full_at, now) + 1 / self.rate.per_second


@dataclass(slots=True)
class Budget:
    """The budgets of one bot. Chats are told apart by Telegram's sign: groups have negative ids."""

    limits: Limits = field(default_factory=Limits)
    _chats: dict[int, _Bucket] = field(default_factory=dict)
    _held: dict[int, float] = field(default_factory=dict)
    _overall: _Bucket = field(init=False)

    def __post_init__(self) -> None:
        self._overall = _Bucket(self.limits.overall)

    def chat_ready_at(self, chat_id: int) -> float:
        """From when on (unix seconds) this chat has room for a call; in the past if it has room now."""
        bucket = self._chats.get(chat_id)
        ready = bucket.ready_at() if bucket is not None else 0.0
        return max(ready, self._held.get(chat_id, 0.0))

    def overall_ready_at(self) -> float:
        """From when on there is room for a call to any chat."""
        return self._overall.ready_at()

    def spend(self, chat_id: int, now: float) -> None:
        """Count a call that goes out now."""
        bucket = self._chats.get(chat_id)
        if bucket is None:
            self._forget_idle(now)
            bucket = self._chats[chat_id] = _Bucket(self.limits.group if chat_id < 0 else self.limits.private)
        bucket.spend(now)
        self._overall.spend(now)

    def hold(self, chat_id: int, until: float) -> None:
        """Telegram asked for silence in this chat until then (`retry_after`). Other chats go on."""
        self._held[chat_id] = max(until, self._held.get(chat_id, 0.0))

    def _forget_idle(self, now: float) -> None:
        """Keep no object for a chat that is quiet: a full bucket says the same as none."""
        if len(self._chats) < 1024:
            return
        self._chats = {chat: bucket for chat, bucket in self._chats.items() if bucket.full_at > now}
        self._held = {chat: until for chat, until in self._held.items() if until > now}
