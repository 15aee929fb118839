"""Which calls go out now: the most urgent that have room, the one that has waited longest first.

A pure piece between what is needed and what is allowed (`budget`): it makes no calls, and time is passed in.
In a chat there is one call at a time, so that what comes later is also shown later; but what is history goes
beside it, and keeps nobody waiting.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, MutableSet
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.presenter.budget import Budget, Priority


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
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


N = TypeVar("N", bound=Need)


@dataclass(frozen=True, slots=True)
class Choice(Generic[N]):
    """What goes out now; and when to choose again if nothing happens before (unix seconds)."""

    start: list[N]
    again_at: float | None


def choose(needs: Iterable[N], budget: Budget, busy_chats: MutableSet[int], now: float) -> Choice[N]:
    """Choose among all that is needed, count it in the budgets, and take its chats as busy.

    The end of a call, which makes its chat idle again, is something that happens: the caller then chooses
    again.
    """
    is_crowded = budget.is_crowded(now)
    start: list[N] = []
    again_at = math.inf
    for need in sorted(needs, key=lambda need: (need.priority, need.since)):
        if need.takes_chat and need.chat_id in busy_chats:
            continue
        at = need.unhurried_at if is_crowded else need.due_at
        if need.takes_call:
            at = max(at, budget.ready_at(need.chat_id, need.priority, need.generous_until))
        if at > now:
            again_at = min(again_at, at)
            continue
        if need.takes_call:
            budget.spend(need.chat_id, now)
        if need.takes_chat:
            busy_chats.add(need.chat_id)
        start.append(need)
    return Choice(start, None if again_at == math.inf else again_at)
