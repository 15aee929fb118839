"""Random faults: at random calls, chats and people."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

from sandbox import groups, people
from sandbox.faults import Fault
from sandbox.model import BOT
from tests.faults.simulated_tables import SimulatedTable, SimulatedTables

HANGING_SECONDS = 7.0
"""Longer than the bot waits for an answer: it repeats the call, and then this one takes effect too."""
DOWN_SECONDS = 5.0
"""Time between two outages of Telegram.

An outage affects all tables at once, and the bot pauses before it asks for updates again: if outages were as
frequent as other faults, hardly anybody would play.
"""
CALLS = (
    "sendMessage",
    "sendPhoto",
    "editMessageText",
    "editMessageMedia",
    "deleteMessage",
    "answerCallbackQuery",
)
RIGHTS = ("can_send_messages", "can_send_photos")


@dataclass
class FaultPlan:
    """Injects faults at random. `mishaps` counts them by kind."""

    sim: SimulatedTables
    chance: random.Random
    mishaps: Counter[str] = field(default_factory=Counter)
    _bag: list[Callable[[], str]] = field(default_factory=list)
    """The next faults, the last one first: every kind once before any repeats."""
    _down_at: float = 0.0
    """When the next outage may happen (`time.monotonic`)."""
    _undone: list[tuple[float, Callable[[], object]]] = field(default_factory=list)
    """What people and groups will undo, and when (`time.monotonic`)."""

    def strike(self, *, may_delete: bool) -> None:
        """Inject one fault, and end those that have lasted long enough."""
        now = time.monotonic()
        self._relent(now)
        if now >= self._down_at:
            self._down_at = now + DOWN_SECONDS
            self.mishaps[self._be_down()] += 1
            return
        if not self._bag:
            self._bag = [
                self._refuse,
                self._fail,
                self._hang,
                self._lose,
                self._block,
                self._bar,
            ]
            self._bag += [self._delete] if may_delete else []
            self.chance.shuffle(self._bag)
        self.mishaps[self._bag.pop()()] += 1

    def end(self) -> None:
        """End all faults."""
        self.sim.sandbox.faults.clear()
        self._relent(inf)

    def _relent(self, now: float) -> None:
        for item in [item for item in self._undone if item[0] <= now]:
            self._undone.remove(item)
            item[1]()

    def _refuse(self) -> str:
        seconds, times = self.chance.randint(1, 2), self.chance.randint(1, 3)
        self.sim.sandbox.faults.add(Fault(chat=self._a_chat(), status=429, retry_after=seconds, times=times))
        return "429"

    def _fail(self) -> str:
        times = self.chance.randint(1, 4)
        fault = Fault(method=self.chance.choice(CALLS), status=500, every=3, times=times)
        self.sim.sandbox.faults.add(fault)
        return "500"

    def _be_down(self) -> str:
        """Last for some time rather than some calls: a bot that has just started makes few."""
        is_down = self.mishaps["502"] <= self.mishaps["no updates"]
        fault = Fault(status=502) if is_down else Fault(method="getUpdates", status=500)
        self.sim.sandbox.faults.add(fault)
        self._undo_later(lambda: setattr(fault, "times", 0), within=(0.2, 0.8))
        return "502" if is_down else "no updates"

    def _hang(self) -> str:
        seconds, times = self.chance.choice((0.3, 1.0, HANGING_SECONDS)), self.chance.randint(1, 3)
        self.sim.sandbox.faults.add(
            Fault(method=self.chance.choice(CALLS), hang=seconds, every=2, times=times)
        )
        return "hang"

    def _lose(self) -> str:
        times = self.chance.randint(1, 2)
        self.sim.sandbox.faults.add(
            Fault(method=self.chance.choice(CALLS), lose_answer=True, every=2, times=times)
        )
        return "lost answer"

    def _block(self) -> str:
        user = self.chance.choice(self._a_table().users)
        people.block(self.sim.sandbox, user, blocked=True)
        self._undo_later(lambda: people.block(self.sim.sandbox, user, blocked=False))
        return "block"

    def _bar(self) -> str:
        chat = self.sim.sandbox.world.chats[self._a_table().chat]
        denied = {self.chance.choice(RIGHTS): False}
        groups.set_status(self.sim.sandbox, chat, BOT, "restricted", denied)
        self._undo_later(lambda: groups.set_status(self.sim.sandbox, chat, BOT, "member"))
        return "missing right"

    def _delete(self) -> str:
        chat = self._a_chat()
        message = next(self.sim.newest(chat), None)
        if message is not None:
            people.delete(self.sim.sandbox, chat, message.message_id)
        return "deleted message"

    def _a_table(self) -> SimulatedTable:
        return self.chance.choice(self.sim.sim_tables)

    def _a_chat(self) -> int:
        sim_table = self._a_table()
        return self.chance.choice([sim_table.chat, *sim_table.users])

    def _undo_later(self, undo: Callable[[], object], within: tuple[float, float] = (0.5, 2.0)) -> None:
        self._undone.append((time.monotonic() + self.chance.uniform(*within), undo))
