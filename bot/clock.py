"""Keeps the deadlines that are stored with the tables: one task that sleeps until the earliest of them.

What a deadline does is the tables' business (`Tables.expire` re-checks under the lock). The clock also keeps
a heartbeat, so that after a stop every deadline can be moved on by the time in which nobody could play.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from bot.storage import Storage
from bot.tables.service import Tables

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
RETRY_SECONDS = 5.0


class Clock:
    """The keeper of deadlines. `now` gives unix seconds."""

    def __init__(self, storage: Storage, tables: Tables, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._tables = tables
        self._now = now
        self._changed = asyncio.Event()
        tables.on_change(lambda _table_id: self._changed.set())

    async def make_up_for_downtime(self) -> float:
        """Move every deadline on by the time since the last heartbeat, and return that time in seconds."""
        last = await self._storage.heartbeat.last()
        now = self._now()
        down = 0.0 if last is None else max(0.0, now - last)
        if down > 0:
            await self._storage.tables.shift_deadlines(down)
        await self._storage.heartbeat.beat(now)
        return down

    async def run(self) -> None:
        """Keep the deadlines until cancelled."""
        next_beat = 0.0
        while True:
            self._changed.clear()
            now = self._now()
            if now >= next_beat:
                await self._storage.heartbeat.beat(now)
                next_beat = now + HEARTBEAT_SECONDS
            await self._expire_due(now)
            upcoming = await self._storage.tables.next_deadline()
            wake_at = next_beat if upcoming is None else min(next_beat, upcoming.at)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), max(0.0, wake_at - self._now()))

    async def _expire_due(self, now: float) -> None:
        for table_id in await self._storage.tables.due(now):
            try:
                await self._tables.expire(table_id)
            except Exception:
                # One broken table must not stop the others' clocks; it is tried again after a while.
                log.exception("deadline failed", extra={"table": table_id})
                await self._storage.tables.put_off(table_id, now + RETRY_SECONDS)
