"""Keeps the deadlines that are stored with the tables: one task that sleeps until the earliest of them.

What a deadline does is the tables' business (`Tables.expire` re-checks under the lock). The clock also keeps
a heartbeat, so that after a stop every deadline can be moved on by the time in which nobody could play. The
same holds while the database takes no writes: nobody can move then, and the clock waits until that is over.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from bot.storage import Storage
from bot.storage.errors import PASSING, StorageError
from bot.tables.service import Tables

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
RETRY_SECONDS = 5.0
COMPLAINT_SECONDS = 60.0
"""How often it is said that the database takes no writes."""


class Clock:
    """The keeper of deadlines.

    `now` gives unix seconds; `retry`: seconds until a write that failed is tried again.
    """

    def __init__(
        self,
        storage: Storage,
        tables: Tables,
        now: Callable[[], float] = time.time,
        retry: float = RETRY_SECONDS,
    ) -> None:
        self._retry = retry
        self._storage = storage
        self._tables = tables
        self._now = now
        self._changed = asyncio.Event()
        self._next_beat = 0.0
        self._wrote_at = 0.0
        """The last heartbeat of this process (unix seconds)."""
        self._is_stuck = False
        """Has the last write failed?"""
        self._complained_at: float | None = None
        self._owed: dict[str, float] = {}
        """Tables whose deadlines are still to be moved on, and by how many seconds."""
        tables.on_change(lambda _table_id: self._changed.set())

    async def make_up_for_downtime(self) -> float:
        """Move every deadline on by the time since the last heartbeat, and return that time in seconds."""
        last = await self._storage.heartbeat.last()
        now = self._now()
        down = 0.0 if last is None else max(0.0, now - last)
        if down > 0:
            await self._storage.tables.shift_deadlines(down)
        await self._storage.heartbeat.beat(now)
        self._wrote_at = now
        return down

    async def run(self) -> None:
        """Keep the deadlines until cancelled, through times in which nothing can be written.

        Raises StorageError for what no waiting mends: a damaged file, a closed database.
        """
        while True:
            self._changed.clear()
            try:
                wake_at = await self._keep()
            except PASSING as error:
                self._complain(error)
                await asyncio.sleep(self._retry)
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), max(0.0, wake_at - self._now()))

    async def _keep(self) -> float:
        """Do what is due, and tell when to look again (unix seconds)."""
        now = self._now()
        if self._is_stuck or now >= self._next_beat:
            await self._beat(now)
            self._tables.forget_idle()
        await self._pay_back()
        await self._expire_due(now)
        if self._is_stuck:
            self._is_stuck = False
            log.warning("the database takes writes again")
        upcoming = await self._storage.tables.next_deadline()
        return self._next_beat if upcoming is None else min(self._next_beat, upcoming.at)

    async def _beat(self, now: float) -> None:
        await self._storage.heartbeat.beat(now)
        if self._is_stuck:
            lost = max(0.0, now - self._wrote_at)
            for table_id in await self._storage.tables.running_ids():
                self._owed[table_id] = self._owed.get(table_id, 0.0) + lost
        self._wrote_at, self._next_beat = now, now + HEARTBEAT_SECONDS

    async def _pay_back(self) -> None:
        """Move the deadlines on by the time in which nobody could play."""
        for table_id, seconds in list(self._owed.items()):
            try:
                await self._tables.postpone(table_id, seconds)
            except PASSING:
                raise
            except Exception:
                log.exception("a deadline was not moved on", extra={"table": table_id})
            del self._owed[table_id]

    def _complain(self, error: StorageError) -> None:
        """Say that nothing can be written: when it begins, and then once a minute."""
        self._is_stuck = True
        now = self._now()
        if self._complained_at is not None and now - self._complained_at < COMPLAINT_SECONDS:
            log.debug("still no writing: %s", error)
            return
        log.critical("nobody can play, since the database takes no writes: %s", error)
        self._complained_at = now

    async def _expire_due(self, now: float) -> None:
        for table_id in await self._storage.tables.due(now):
            try:
                await self._tables.expire(table_id)
            except PASSING:
                raise
            except Exception:
                # One broken table must not stop the others' clocks; it is tried again after a while.
                log.exception("deadline failed", extra={"table": table_id})
                await self._storage.tables.put_off(table_id, now + RETRY_SECONDS)
