"""A scheduler that starts calls when a test says so, and can wait for their end."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from bot.messages.rate_limit import RateLimiter
from bot.messages.reconciler import Reconciler
from bot.messages.scheduler import CallSource, PendingCall, Scheduler, choose
from tests.patience import PATIENCE


class ManualScheduler(Scheduler):
    """Its clock is `moment` (unix seconds)."""

    def __init__(self, rate_limiter: RateLimiter, moment: float) -> None:
        super().__init__(rate_limiter, lambda: self.moment)
        self.moment = moment
        self._busy: set[int] = set()
        self._is_over = asyncio.Event()
        self._spawned: list[asyncio.Task[None]] = []

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run it, and remember it."""
        task = super().spawn(work)
        self._spawned.append(task)
        return task

    def finished(self, call: PendingCall) -> None:
        """Free the call's chat."""
        super().finished(call)
        if call.takes_chat:
            self._busy.discard(call.chat_id)
        self._is_over.set()

    async def start_in_turn(self, source: CallSource) -> None:
        """Start the calls that have their turn by now, and those whose turn comes when they are over."""
        while True:
            await asyncio.sleep(0)
            choice = choose(source.pending(self.moment), self.rate_limiter, self._busy, self.moment)
            for call in choice.start:
                source.start(call, self.moment)
            if not choice.start:
                return
            self._is_over.clear()
            async with asyncio.timeout(PATIENCE):
                await self._is_over.wait()

    async def carry_out_all(self, reconciler: Reconciler) -> None:
        """Execute all current steps, whenever they would be due."""
        for step in reconciler.pending(self.moment):
            reconciler.start(step, self.moment)
        while self._spawned:
            await self._spawned.pop()
