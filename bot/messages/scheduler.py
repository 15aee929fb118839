"""The scheduler: chooses the next calls to Telegram, and runs the one task that starts them.

`choose` is pure: of all pending calls it takes the most urgent for which the rate limiter has room, and among
equals the one that has waited longest. A chat has one call at a time, so that what comes later is also shown
later; calls of `Priority.HISTORY` go beside it and keep nobody waiting.

Answers and history always leave one more call to their chat, and a table takes that one before it is late
(`reconcile.GENEROUS_SECONDS`). So they can't make a table late, however many they are. Whichever has waited
long may therefore go before it, and an answer to somebody who seldom asks at once; they get what a table that
changes all the time leaves over.

`Scheduler` is shared by the sources of calls, the reconciler and the outbox.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Iterable, MutableSet
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from bot.messages.rate_limit import Priority, RateLimiter

LAST_CALLS_SECONDS = 5.0
"""How long the end waits for calls that are under way."""
PATIENCE_SECONDS = {Priority.ANSWER: 4.0, Priority.HISTORY: 60.0}
"""What has waited for so long goes before the tables. It must leave another call to its chat."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingCall:
    """A call to a chat that waits for its turn.

    `since` is when the need arose, `due_at` the earliest time to make the call, and `unhurried_at` the same
    when calls are scarce; until `generous_until` it leaves room for another call to its chat. A person has
    asked for it who last asked for something there at `asked_before` (0: nobody, or never). All these are
    unix seconds. With `goes_first` it goes before a table. Where `takes_call` is false no request is made,
    and the rate limiter is not asked.
    """

    chat_id: int
    priority: Priority
    since: float
    due_at: float = 0.0
    unhurried_at: float = 0.0
    generous_until: float = 0.0
    asked_before: float = 0.0
    goes_first: bool = False
    takes_call: bool = True

    @property
    def takes_chat(self) -> bool:
        """True if it must be alone in its chat."""
        return self.priority < Priority.HISTORY


N = TypeVar("N", bound=PendingCall)


@dataclass(frozen=True, slots=True)
class Selection(Generic[N]):
    """The calls to start now, and when to choose again if nothing happens before (unix seconds)."""

    start: list[N]
    again_at: float | None


def choose(
    pending: Iterable[N], rate_limiter: RateLimiter, busy_chats: MutableSet[int], now: float
) -> Selection[N]:
    """Choose the calls to start, count them in the rate limiter, and mark their chats as busy.

    When a call ends its chat is idle again, and the caller has to choose once more.
    """
    is_crowded = rate_limiter.is_crowded(now)
    start: list[N] = []
    again_at = math.inf
    for call in sorted(pending, key=lambda call: (_rank(call, now), call.asked_before, call.since)):
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
    return Selection(start, None if again_at == math.inf else again_at)


def _rank(call: PendingCall, now: float) -> float:
    """The smallest goes first."""
    if call.goes_first:
        return Priority.GROUP - 0.75
    if now - call.since >= PATIENCE_SECONDS.get(call.priority, math.inf):
        return Priority.GROUP - (0.5 if call.priority is Priority.HISTORY else 0.25)
    return call.priority


class CallSource(Protocol):
    """Something that has calls to make."""

    async def prepare(self) -> float | None:
        """Find out which calls there are; returns when to do so again (unix seconds; None: no such time)."""

    def pending(self, now: float, /) -> Iterable[PendingCall]:
        """The calls that wait for their turn."""

    def start(self, call: Any, now: float, /) -> None:
        """Make one of the pending calls. `Scheduler.finished` has to be called at its end."""

    def stop(self) -> None:
        """Give up what has not been started; no call will be."""


class Scheduler:
    """Starts the calls of all sources, in one task (`run`). `now` gives unix seconds."""

    def __init__(self, rate_limiter: RateLimiter, now: Callable[[], float]) -> None:
        self.rate_limiter = rate_limiter
        self._now = now
        self._sources: list[CallSource] = []
        self._busy_chats: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    def add(self, source: CallSource) -> None:
        """Start the calls of this source too."""
        self._sources.append(source)

    def wake(self) -> None:
        """Look at the sources again: something has changed."""
        self._wake.set()

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something beside the loop; `run` waits for it in the end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def finished(self, call: PendingCall) -> None:
        """A started call is over: its chat is idle again."""
        if call.takes_chat:
            self._busy_chats.discard(call.chat_id)
        self._wake.set()

    async def run(self) -> None:
        """Start calls until cancelled; those under way are then waited for."""
        try:
            while True:
                self._wake.clear()
                moments = [await source.prepare() for source in self._sources]
                moments.append(self._start_calls())
                await self._wait_until(min((at for at in moments if at is not None), default=None))
        finally:
            for source in self._sources:
                source.stop()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=LAST_CALLS_SECONDS)

    def _start_calls(self) -> float | None:
        """Start every call that has its turn. Returns when to look again; None: when something happens."""
        now = self._now()
        source_of = {call: source for source in self._sources for call in source.pending(now)}
        choice = choose(source_of, self.rate_limiter, self._busy_chats, now)
        for call in choice.start:
            source_of[call].start(call, now)
        return choice.again_at

    async def _wait_until(self, moment: float | None) -> None:
        """Wait for that moment, or for `wake`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(None if moment is None else max(0.0, moment - self._now())):
                await self._wake.wait()
