"""Keeps the deadlines that are stored with the tables: one task that sleeps until the earliest of them.

What a deadline does is up to the tables (`transitions.expire_due` checks again under the lock).
The clock also keeps a heartbeat, so that after a stop every deadline can be moved on by the time in which
nobody could play. The same holds while the database takes no writes or no updates arrive: nobody can move
then, and the clock waits until that is over. It holds too when the machine has slept or its clock was set.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from bot.storage import Storage
from bot.storage.errors import PASSING, StorageError
from bot.tables import transitions
from bot.tables.service import Tables

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
RETRY_SECONDS = 5.0
COMPLAINT_SECONDS = 60.0
"""How often the log repeats that the database takes no writes."""
LISTENING_SECONDS = 0.5
"""How often to check whether updates arrive again."""
LATE_SECONDS = 5.0
"""Waking this late means that the process stood still, or that the machine's clock was set."""


def steady(
    wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic
) -> Callable[[], float]:
    """Unix seconds as the machine's clock has them now, and from now on whatever becomes of that clock.

    For what only measures how much time goes by. Deadlines that people are told follow the machine's clock.
    """
    beginning = wall() - passed()
    return lambda: beginning + passed()


class DeadlineClock:
    """The keeper of deadlines.

    `now` gives unix seconds; `retry`: seconds until a write that failed is tried again; `silence`: for how
    many seconds nobody has been heard, 0.0 while updates arrive.
    """

    def __init__(
        self,
        storage: Storage,
        tables: Tables,
        now: Callable[[], float] = time.time,
        retry: float = RETRY_SECONDS,
        silence: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._retry = retry
        self._silence = silence
        self._storage = storage
        self._tables = tables
        self._queries = tables.queries
        self._now = now
        self._changed = asyncio.Event()
        self._next_beat = 0.0
        self._wrote_at = now()
        """The last heartbeat of this process, or its beginning (unix seconds)."""
        self._is_stuck = False
        """Has the last write failed?"""
        self._is_adrift = False
        """Is it another time than it should be, counted from the last heartbeat?"""
        self._unheard_since: float | None = None
        """Since when nobody has been heard (unix seconds), while that is so."""
        self._complained_at: float | None = None
        self._owed: dict[str, float] = {}
        """Tables whose deadlines are still to be moved on, and by how many seconds."""
        tables.on_change(lambda _table_id: self._changed.set())

    async def make_up_for_downtime(self) -> float:
        """Move every deadline on by the time since the last heartbeat, and return that time in seconds.

        It is less than nothing where the machine's clock has been set back, and the deadlines with it.
        """
        last = await self._storage.heartbeat.last()
        now = self._now()
        down = 0.0 if last is None else now - last
        if down:
            await self._storage.tables.shift_deadlines(down)
        await self._storage.heartbeat.beat(now)
        self._wrote_at = now
        return down

    async def run(self) -> None:
        """Keep the deadlines until cancelled, through times in which nothing can be written.

        Raises StorageError for what no waiting mends: a damaged file, a closed database.
        """
        self._see_whether_it_is(self._wrote_at, self._wrote_at + HEARTBEAT_SECONDS)
        while True:
            self._changed.clear()
            try:
                wake_at = await self._keep()
            except PASSING as error:
                self._complain(error)
                await asyncio.sleep(self._retry)
            else:
                await self._sleep(wake_at)

    async def _sleep(self, wake_at: float) -> None:
        """Sleep until then (unix seconds), or until something changes."""
        began = self._now()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), max(0.0, wake_at - began))
        self._see_whether_it_is(self._wrote_at, max(began, wake_at))

    def _see_whether_it_is(self, earliest: float, latest: float) -> None:
        """Between these moments, or a little later (unix seconds)."""
        now = self._now()
        if not earliest <= now <= latest + LATE_SECONDS:
            self._is_adrift = True
            log.warning("the bot stood still, or the machine's clock was set: %+.0f s", now - self._wrote_at)

    async def _keep(self) -> float:
        """Do what is due, and tell when to look again (unix seconds)."""
        now = self._now()
        if self._hears_nobody(now):
            # Without a heartbeat, this time does not count after a restart either.
            return now + LISTENING_SECONDS
        if self._is_stuck or self._is_adrift or self._unheard_since is not None or now >= self._next_beat:
            await self._beat(now)
            self._queries.forget_idle()
        await self._pay_back()
        await self._expire_due(now)
        if self._is_stuck:
            self._is_stuck = False
            log.warning("the database takes writes again")
        upcoming = await self._storage.tables.next_deadline()
        return self._next_beat if upcoming is None else min(self._next_beat, upcoming.at)

    def _hears_nobody(self, now: float) -> bool:
        silence = self._silence()
        if silence and self._unheard_since is None:
            self._unheard_since = now - silence
            log.warning("nobody is heard for %.0f s: nobody's time runs", silence)
        return silence > 0

    async def _beat(self, now: float) -> None:
        await self._storage.heartbeat.beat(now)
        if self._is_stuck or self._is_adrift:
            lost = now - self._wrote_at
            for table_id in await self._storage.tables.unchanged_since(now - HEARTBEAT_SECONDS, now):
                self._owed[table_id] = self._owed.get(table_id, 0.0) + lost
        elif self._unheard_since is not None:
            log.warning("people are heard again, after %.0f s", now - self._unheard_since)
            for table_id, changed_at in (await self._storage.tables.changed_at()).items():
                lost = now - min(max(changed_at, self._unheard_since), now)
                self._owed[table_id] = self._owed.get(table_id, 0.0) + lost
        self._is_adrift, self._unheard_since = False, None
        self._wrote_at, self._next_beat = now, now + HEARTBEAT_SECONDS

    async def _pay_back(self) -> None:
        """Move the deadlines on by the time in which nobody could play."""
        for table_id, seconds in list(self._owed.items()):
            try:
                await self._tables.change(table_id, transitions.postpone, seconds)
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
                await self._tables.change(table_id, transitions.expire_due)
            except PASSING:
                raise
            except Exception:
                # One broken table must not stop the others' clocks; it is tried again after a while.
                log.exception("deadline failed", extra={"table": table_id})
                await self._storage.tables.put_off(table_id, now + RETRY_SECONDS)
