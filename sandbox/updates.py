"""The queue of updates for the bot, and long polling.

An update stays until a later offset confirms it, so an unconfirmed one is delivered again.
"""

import asyncio
import itertools
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from sandbox.clock import Clock
from sandbox.errors import conflict
from sandbox.model import Json

FIRST_UPDATE_ID = 700_000_001
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
"""Kinds that must be requested by name (Bot API: getUpdates, allowed_updates)."""


@dataclass(slots=True)
class Pending:
    """An update and the time from which it may be delivered, in seconds since the epoch."""

    update: Json
    due: float


class UpdateQueue:
    """Updates in order, with one long poll at a time and a listener for new updates."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pending: deque[Pending] = deque()
        self.next_id = FIRST_UPDATE_ID
        self._poll: asyncio.Future[None] | None = None
        self._chance = random.Random(101)  # noqa: S311 - repeatable faults, not secrets
        self.allowed: frozenset[str] | None = None
        self.duplicated = 0.0
        """Probability that an update is delivered twice."""
        self.delay = 0.0
        """Seconds before an update can be delivered."""
        self.listener: Callable[[], None] | None = None
        """Called when there is something new, for a webhook."""

    def __len__(self) -> int:
        return len(self._pending)

    @property
    def pending(self) -> list[Json]:
        """All unconfirmed updates, oldest first."""
        return [item.update for item in self._pending]

    def restore(self, updates: list[Json]) -> None:
        """Restore updates that were pending before a restart, oldest first."""
        self._pending = deque(Pending(update, 0.0) for update in updates)

    def reset(self) -> None:
        """Forget all pending updates; ids continue."""
        self._pending.clear()

    def put(self, kind: str, payload: Json) -> None:
        """Queue an update, unless its kind is not wanted."""
        wanted = kind not in NOT_BY_DEFAULT if self.allowed is None else kind in self.allowed
        if wanted:
            update = {"update_id": self.next_id, kind: payload}
            self.next_id += 1
            self._pending.append(Pending(update, self._clock.now() + self.delay))
            self.wake()

    def due(self, limit: int) -> list[Json]:
        """Return the oldest updates that may be delivered now; they stay in the queue."""
        now = self._clock.now()
        due = itertools.takewhile(lambda item: item.due <= now, itertools.islice(self._pending, limit))
        return [item.update for item in due]

    def confirm(self, offset: int) -> None:
        """Forget updates older than ``offset``; a negative one keeps that many of the newest."""
        if offset < 0:
            while len(self._pending) > -offset:
                self._pending.popleft()
        while self._pending and self._pending[0].update["update_id"] < offset:
            self._pending.popleft()

    def set_allowed(self, kinds: list[str] | None) -> None:
        """Set the wanted kinds; an empty list means the default, None no change."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or None

    async def poll(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """Wait up to ``seconds`` for updates from ``offset`` on.

        Raises:
            ApiError: 409 if another poll or a webhook takes over meanwhile.
        """
        self.interrupt(
            "terminated by other getUpdates request; make sure that only one bot instance is running"
        )
        self.confirm(offset)
        deadline = asyncio.get_running_loop().time() + seconds
        while not (updates := self.due(limit)):
            remaining = deadline - asyncio.get_running_loop().time()
            if remaining <= 0:
                return []
            await self._wait(min(remaining, self.seconds_until_due() or remaining))
        return [update for item in updates for update in [item] * (2 if self.comes_twice() else 1)]

    def seconds_until_due(self) -> float | None:
        """Return the seconds until the oldest update may be delivered, None if there is none."""
        return max(0.001, self._pending[0].due - self._clock.now()) if self._pending else None

    def comes_twice(self) -> bool:
        """Decide at random whether the next update is delivered twice."""
        return self._chance.random() < self.duplicated

    @property
    def is_polled(self) -> bool:
        """True if a poll is waiting."""
        return self._poll is not None and not self._poll.done()

    def interrupt(self, words: str) -> None:
        """End a waiting poll with a 409."""
        if self._poll is not None and self.is_polled:
            self._poll.set_exception(conflict(words))

    async def _wait(self, seconds: float) -> None:
        self._poll = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait_for(self._poll, seconds)
        except TimeoutError:
            return

    def wake(self) -> None:
        """Have the poll or the webhook check again, after a new update or a change of the clock."""
        if self._poll is not None and self.is_polled:
            self._poll.set_result(None)
        if self.listener is not None:
            self.listener()
