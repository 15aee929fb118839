"""Runs the deadlines stored with the tables: one task that sleeps until the earliest of them.

`transitions.expire_due` decides what a deadline does, and checks it again under the lock. The clock also
stores a heartbeat, so that after a restart all deadlines can be postponed by the time in which nobody could
play. The same is done after the database could not be written, after no updates arrived, and when the machine
has slept or its clock was set; meanwhile no deadline expires.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from bot.storage import Storage
from bot.storage.errors import PASSING, StorageError
from bot.tables import transitions
from bot.tables.service import Tables

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0
RETRY_SECONDS = 5.0
COMPLAINT_SECONDS = 60.0
"""The interval between log messages that the database cannot be written."""
LISTENING_SECONDS = 0.5
"""The interval between checks whether updates arrive again."""
WAITING_SECONDS = 0.2
"""The interval between checks whether the updates sent before a due deadline have arrived."""
LATE_SECONDS = 5.0
"""Waking up this late means that the process was suspended or the machine's clock was set."""


def steady(
    wall: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic
) -> Callable[[], float]:
    """Return a clock in unix seconds that is not affected when the machine's clock is set later.

    It is for measuring durations. Deadlines that people see follow the machine's clock.
    """
    beginning = wall() - passed()
    return lambda: beginning + passed()


class UpdateMonitor(Protocol):
    """The part of `bot.updates.liveness.Liveness` that the clock uses."""

    @property
    def silence(self) -> float:
        """Seconds without updates, once that is longer than expected; otherwise 0.0."""

    @property
    def lag(self) -> float:
        """Seconds since the time up to which all updates have arrived and been handled."""

    def want(self, seconds: float) -> None:
        """Request a stamp in this many seconds or soon after."""


class _AlwaysLive:
    silence = 0.0
    lag = 0.0

    def want(self, _seconds: float) -> None:
        """Do nothing."""


class DeadlineClock:
    """Runs the deadlines of all tables.

    `now` returns unix seconds; `retry` is the number of seconds before a failed write is tried again.
    """

    def __init__(
        self,
        storage: Storage,
        tables: Tables,
        now: Callable[[], float] = time.time,
        retry: float = RETRY_SECONDS,
        liveness: UpdateMonitor | None = None,
    ) -> None:
        self._retry = retry
        self._liveness = liveness or _AlwaysLive()
        self._storage = storage
        self._tables = tables
        self._queries = tables.queries
        self._now = now
        self._changed = asyncio.Event()
        self._next_beat = 0.0
        self._wrote_at = now()
        """The last heartbeat of this process, or its start (unix seconds)."""
        self._has_failed = False
        """Whether the last write has failed."""
        self._has_drifted = False
        """Whether the time differs from what is expected since the last heartbeat."""
        self._silent_since: float | None = None
        """The time at which updates stopped arriving (unix seconds); None while they arrive."""
        self._outage_logged_at: float | None = None
        self._owed: dict[str, float] = {}
        """Tables whose deadlines are still to be postponed, and by how many seconds."""
        tables.on_change(lambda _table_id: self._changed.set())

    async def make_up_for_downtime(self) -> float:
        """Postpone all deadlines by the time since the last heartbeat, and return it in seconds.

        It is negative if the machine's clock has been set back; then the deadlines are moved back as well.
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
        """Run the deadlines until cancelled, retrying while the database cannot be written.

        Raises StorageError for lasting failures: a damaged file, a closed database.
        """
        self._check_drift(self._wrote_at, self._wrote_at + HEARTBEAT_SECONDS)
        while True:
            self._changed.clear()
            try:
                wake_at = await self._run_due()
            except PASSING as error:
                self._log_outage(error)
                await asyncio.sleep(self._retry)
            else:
                await self._sleep(wake_at)

    async def _sleep(self, wake_at: float) -> None:
        """Sleep until `wake_at` (unix seconds) or until a table changes."""
        began = self._now()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), max(0.0, wake_at - began))
        self._check_drift(self._wrote_at, max(began, wake_at))

    def _check_drift(self, earliest: float, latest: float) -> None:
        """Note whether the time is not between these (unix seconds), give or take `LATE_SECONDS`."""
        now = self._now()
        if not earliest <= now <= latest + LATE_SECONDS:
            self._has_drifted = True
            log.warning("the bot stood still, or the machine's clock was set: %+.0f s", now - self._wrote_at)

    async def _run_due(self) -> float:
        """Do everything that is due, and return when to check again (unix seconds)."""
        now = self._now()
        if self._is_silent(now):
            # Write no heartbeat, so that after a restart this time does not count either.
            return now + LISTENING_SECONDS
        if self._has_failed or self._has_drifted or self._silent_since is not None or now >= self._next_beat:
            await self._beat(now)
            self._queries.forget_idle()
        await self._postpone_owed()
        await self._expire_due(now)
        if self._has_failed:
            self._has_failed = False
            log.warning("the database takes writes again")
        upcoming = await self._storage.tables.next_deadline()
        if upcoming is None:
            return self._next_beat
        self._liveness.want(upcoming.at - now)
        if upcoming.at <= now:  # it has not been handled, since updates may be missing
            return now + WAITING_SECONDS
        return min(self._next_beat, upcoming.at)

    def _is_silent(self, now: float) -> bool:
        silence = self._liveness.silence
        if silence and self._silent_since is None:
            self._silent_since = now - silence
            log.warning("nobody is heard for %.0f s: nobody's time runs", silence)
        return silence > 0

    async def _beat(self, now: float) -> None:
        await self._storage.heartbeat.beat(now)
        if self._has_failed or self._has_drifted:
            lost = now - self._wrote_at
            for table_id in await self._storage.tables.unchanged_since(now - HEARTBEAT_SECONDS, now):
                self._owed[table_id] = self._owed.get(table_id, 0.0) + lost
        elif self._silent_since is not None:
            log.warning("people are heard again, after %.0f s", now - self._silent_since)
            for table_id, changed_at in (await self._storage.tables.changed_at()).items():
                lost = now - min(max(changed_at, self._silent_since), now)
                self._owed[table_id] = self._owed.get(table_id, 0.0) + lost
        self._has_drifted, self._silent_since = False, None
        self._wrote_at, self._next_beat = now, now + HEARTBEAT_SECONDS

    async def _postpone_owed(self) -> None:
        """Postpone deadlines by the time in which nobody could play."""
        for table_id, seconds in list(self._owed.items()):
            try:
                await self._tables.change(table_id, transitions.postpone, seconds)
            except PASSING:
                raise
            except Exception:
                log.exception("a deadline was not moved on", extra={"table": table_id})
            del self._owed[table_id]

    def _log_outage(self, error: StorageError) -> None:
        """Log that the database cannot be written: at first and then once a minute."""
        self._has_failed = True
        now = self._now()
        if self._outage_logged_at is not None and now - self._outage_logged_at < COMPLAINT_SECONDS:
            log.debug("still no writing: %s", error)
            return
        log.critical("nobody can play, since the database takes no writes: %s", error)
        self._outage_logged_at = now

    async def _expire_due(self, now: float) -> None:
        heard_until = now - self._liveness.lag
        for table_id in await self._storage.tables.due(now):
            try:
                await self._tables.change(table_id, transitions.expire_due, heard_until)
            except PASSING:
                raise
            except Exception:
                # One broken table must not stop the others' deadlines; it is retried later.
                log.exception("deadline failed", extra={"table": table_id})
                await self._storage.tables.put_off(table_id, now + RETRY_SECONDS)
