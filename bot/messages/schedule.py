"""Which calls go out now: the most urgent that have room, the one that has waited longest first.

A pure piece between what is needed and what is allowed (`rate_limiter`): it makes no calls, and time is
passed in. In a chat there is one call at a time, so that what comes later is also shown later; but what is
history goes beside it, and keeps nobody waiting.

Answers and history always leave one more call to their chat, and a table takes that one before it is late
(`steps.GENEROUS_SECONDS`). So they can't make a table late, however many they are. Whichever has waited for
long may therefore go before it, and gets what a table that changes all the time leaves over.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, MutableSet
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.messages.rate_limit import Priority, RateLimiter

PATIENCE_SECONDS = {Priority.ANSWER: 4.0, Priority.HISTORY: 60.0}
"""What has waited for so long goes before the tables. It must leave another call to its chat."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingCall:
    """A call that somebody wants to make to a chat.

    `since` is when the need arose, `due_at` when it may be met at the earliest, and `unhurried_at` the same
    when calls are short; until `generous_until` it leaves another call to its chat free (all in unix
    seconds). What `takes_call` says is false has its turn like all others and needs no room in the budgets.
    """

    chat_id: int
    priority: Priority
    since: float
    due_at: float = 0.0
    unhurried_at: float = 0.0
    generous_until: float = 0.0
    takes_call: bool = True

    @property
    def takes_chat(self) -> bool:
        """Must it be alone in its chat?"""
        return self.priority < Priority.HISTORY


N = TypeVar("N", bound=PendingCall)


@dataclass(frozen=True, slots=True)
class Choice(Generic[N]):
    """What goes out now; and when to choose again if nothing happens before (unix seconds)."""

    start: list[N]
    again_at: float | None


def choose(
    pending: Iterable[N], rate_limiter: RateLimiter, busy_chats: MutableSet[int], now: float
) -> Choice[N]:
    """Choose among all that is needed, count it in the budgets, and take its chats as busy.

    The end of a call, which makes its chat idle again, is something that happens: the caller then chooses
    again.
    """
    is_crowded = rate_limiter.is_crowded(now)
    start: list[N] = []
    again_at = math.inf
    for call in sorted(pending, key=lambda call: (_rank(call, now), call.since)):
        if call.takes_chat and call.chat_id in busy_chats:
            continue
        at = call.unhurried_at if is_crowded else call.due_at
        if call.takes_call:
            at = max(at, rate_limiter.ready_at(call.chat_id, call.priority, call.generous_until))
        if at > now:
            again_at = min(again_at, at)
            continue
        if call.takes_call:
            rate_limiter.spend(call.chat_id, now)
        if call.takes_chat:
            busy_chats.add(call.chat_id)
        start.append(call)
    return Choice(start, None if again_at == math.inf else again_at)


def _rank(call: PendingCall, now: float) -> float:
    """The smallest goes first."""
    has_waited = now - call.since >= PATIENCE_SECONDS.get(call.priority, math.inf)
    return Priority.GROUP - 0.5 if has_waited else call.priority
