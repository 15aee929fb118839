"""Limits how often a table is reposted at the bottom of its chat, however often people ask for it.

Each repost takes two calls, which the chat's other messages then lack. Time is passed in.
"""

from __future__ import annotations

from bot.messages.rate_limit import Rate


class Renewals:
    """Each table has a token bucket; a repost that finds it empty is due when there is a token again."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full_at: dict[str, float] = {}
        self._due_at: dict[str, float] = {}

    def may_now(self, table_id: str, now: float) -> bool:
        """Return whether this table may be reposted now. If not, it is due later, once for all requests."""
        if table_id in self._due_at:
            return False
        self._full_at = {table: at for table, at in self._full_at.items() if at > now}
        full_at = self._full_at.get(table_id, now)
        ready_at = full_at - (self._rate.burst - 1) / self._rate.per_second
        self._full_at[table_id] = max(full_at, now) + 1 / self._rate.per_second
        if ready_at > now:
            self._due_at[table_id] = ready_at
        return ready_at <= now

    def take_due(self, now: float) -> list[str]:
        """Return the tables that are due; each is returned once."""
        due = [table_id for table_id, at in self._due_at.items() if at <= now]
        for table_id in due:
            del self._due_at[table_id]
        return due

    @property
    def next_at(self) -> float | None:
        """Return when the next one is due (unix seconds)."""
        return min(self._due_at.values(), default=None)
