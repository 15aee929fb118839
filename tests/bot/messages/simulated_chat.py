"""A group's chat in simulated time: a quick table, people who flood, and one who asks now and then.

The outbox, the choice of calls and the rate limiter are real. A call takes no time, and the table is a list
of moments at which its message changes.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from math import inf
from typing import Any

from bot.messages.gateway import CallFailed, MessageGateway
from bot.messages.kinds import Kind
from bot.messages.outbox import Outbox, QueuedCall
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import GENEROUS_SECONDS
from bot.messages.renewals import Renewals
from bot.messages.scheduler import PendingCall, Scheduler, choose
from bot.screens.screen import Screen

# ruff: noqa: ARG002 – the gateway's methods are overridden, and most of their arguments do not matter here

GROUP = -1
TICK = 0.1
MOVES_IN_ROUND = 25
NEXT_DEAL_SECONDS = 5.0
REPOST = "repost"
WRITTEN = (
    Kind.SCORE,
    Kind.RULES,
    Kind.HELP,
    Kind.SETTINGS,
    Kind.TOP,
    Kind.REFUSAL,
    Kind.FAIR,
    REPOST,
    REPOST,
)
PRESSED = (Kind.SCORE, Kind.CHART, Kind.RULES)

Person = Callable[[float], bool]
"""Given the time, does something if it is time to, and says whether it has."""


class RecordedMessages(MessageGateway):
    """A gateway whose calls succeed at once: `shown` is what is in the chat."""

    def __init__(self) -> None:
        self.sent = 0
        self.shown: dict[int, str] = {}

    async def send(self, chat_id: int, thread_id: int, screen: Screen, **_options: Any) -> int:
        """A new message."""
        self.sent += 1
        self.shown[self.sent] = screen.text
        return self.sent

    async def edit(self, chat_id: int, message_id: int, screen: Screen) -> None:
        """An edit."""
        self.shown[message_id] = screen.text

    async def delete(self, chat_id: int, message_id: int) -> None:
        """A deletion."""
        del self.shown[message_id]


@dataclass(slots=True)
class Table:
    """The table's messages: the calls they need, and how late its changes were shown."""

    random: random.Random
    seconds_per_move: float
    next_at: float
    pending: dict[str, PendingCall] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)
    moves: int = 0
    is_between_rounds: bool = False
    renewals: Renewals = field(default_factory=lambda: Renewals(RateLimiter().limits.renewals))

    def go_on(self, now: float) -> bool:
        """Move, end the round or deal the next one, if it is time to."""
        reposts = self.renewals.take_due(now)
        if reposts:
            self._send(now)
        if now < self.next_at:
            return bool(reposts)
        if self.is_between_rounds:
            self.is_between_rounds = False
            self._send(now)
        else:
            self.moves += 1
            self.is_between_rounds = self.moves % MOVES_IN_ROUND == 0
            self._change(now, 0.0 if self.is_between_rounds else now + GENEROUS_SECONDS)
        pause = self.seconds_per_move * self.random.uniform(0.5, 1.5)
        self.next_at = now + (NEXT_DEAL_SECONDS if self.is_between_rounds else pause)
        return True

    def repost(self, now: float) -> None:
        """Somebody wants it at the bottom of the chat."""
        if self.renewals.may_now("", now):
            self._send(now)

    def start(self, key: str, now: float) -> None:
        """Make one of the calls."""
        call = self.pending.pop(key)
        if call.priority is Priority.GROUP:
            self.delays.append(now - call.since)

    def _send(self, now: float) -> None:
        """A new message is needed, and the old one has to go."""
        self._change(now, 0.0)
        self.pending[f"old at {now}"] = PendingCall(
            chat_id=GROUP, priority=Priority.HISTORY, since=now, generous_until=inf
        )

    def _change(self, now: float, generous_until: float) -> None:
        earlier = self.pending.get("table")
        self.pending["table"] = PendingCall(
            chat_id=GROUP,
            priority=Priority.GROUP,
            since=now if earlier is None else earlier.since,
            generous_until=generous_until if earlier is None else min(generous_until, earlier.generous_until),
        )


class SimulatedChat:
    """Let `run` time pass. `waited` is how long each answer took that `asker` has got."""

    def __init__(self, seconds_per_move: float) -> None:
        self.now = 1000.0
        self.random = random.Random(1)
        self.rate_limiter = RateLimiter()
        self.gateway = RecordedMessages()
        self.scheduler = Scheduler(self.rate_limiter, lambda: self.now)
        self.outbox = Outbox(self.gateway, self.scheduler, lambda: self.now)
        self.table = Table(self.random, seconds_per_move, self.now)
        self.waited: list[float] = []
        self.asked = 0
        self.calls: list[float] = []
        self._latest: dict[Kind, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, seconds: float, *people: Person) -> None:
        """Let so much time pass."""
        end = self.now + seconds
        while self.now < end:
            acted = [self.table.go_on(self.now), *(person(self.now) for person in people)]
            if any(acted):
                await self._settle()
            while self._start_calls():
                await self._settle()
            self.now += TICK

    async def close(self) -> None:
        """Give up what still waits."""
        self.outbox.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._settle()

    def asker(self, person: int, every: float) -> Person:
        """Asks one thing so often."""

        def ask(now: float) -> None:
            self.asked += 1
            self.spawn(self.answer(person, Kind.SUBSCRIPTION, now, self.waited))

        return self._now_and_then(every, ask)

    def writer(self, person: int, every: float) -> Person:
        """Writes commands of any kind so often."""

        def write(now: float) -> None:
            kind = self.random.choice(WRITTEN)
            if isinstance(kind, Kind):
                self.spawn(self.answer(person, kind, now))
            else:
                self.table.repost(now)

        return self._now_and_then(every, write)

    def presser(self, person: int, every: float) -> Person:
        """Presses buttons so often: for another message, or another page of one that is there."""

        def press(now: float) -> None:
            kind = self.random.choice(PRESSED)
            if kind is Kind.RULES and kind in self._latest:
                page = Screen(f"page {self.random.randrange(4)}")
                self.outbox.redraw(GROUP, self._latest[kind], page, asked_by=person)
            else:
                self.spawn(self.answer(person, kind, now))

        return self._now_and_then(every, press)

    async def answer(self, person: int, kind: Kind, now: float, waited: list[float] | None = None) -> None:
        """Answer somebody; the earlier answer of this kind goes."""
        try:
            message_id = await self.outbox.say(GROUP, 0, Screen(kind), kind=kind, asked_by=person)
        except CallFailed:
            return
        if waited is not None:
            waited.append(self.now - now)
        earlier = self._latest.get(kind)
        self._latest[kind] = message_id
        if earlier is not None:
            await self.outbox.remove(GROUP, earlier, priority=Priority.HISTORY)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Do something beside."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _now_and_then(self, every: float, act: Callable[[float], None]) -> Person:
        next_at = self.now + every * self.random.random()

        def person(now: float) -> bool:
            nonlocal next_at
            if now < next_at:
                return False
            next_at += every
            act(now)
            return True

        return person

    def _start_calls(self) -> bool:
        answers: dict[PendingCall, str] = dict.fromkeys(self.outbox.pending(self.now), "")
        pending: dict[PendingCall, str] = {call: key for key, call in self.table.pending.items()}
        pending.update(answers)
        started = choose(pending, self.rate_limiter, set(), self.now).start
        for call in started:
            self.calls.append(self.now)
            if isinstance(call, QueuedCall):
                self.outbox.start(call, self.now)
            else:
                self.table.start(pending[call], self.now)
        return bool(started)

    async def _settle(self) -> None:
        for _ in range(8):
            await asyncio.sleep(0)
