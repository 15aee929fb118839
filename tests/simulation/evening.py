"""A simulated evening: groups play, things go wrong, and every few minutes all must be right again.

Storms and checks take turns. In a storm people play while mishaps strike; then all mishaps end, people hold
still, and within the time that Telegram's limits allow everything must be as it should (`invariants`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

from sandbox import groups, people
from tests.simulation import invariants
from tests.simulation.mishaps import MISHAPS, Mishap, schedule
from tests.simulation.people import Group
from tests.simulation.simulation import Simulation

STORM_SECONDS = 480.0
PUTTING_RIGHT_SECONDS = 10.0
"""What still hangs, or is on its way, arrives."""
DOWN_SECONDS = 1.0
NUMBERS_PER_STORM = 1000
SETTINGS = {"default_rules": '{"preset": "classic", "limit": 101}'}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated. `only`: the numbers of the mishaps that strike (None: all)."""

    seed: str
    hours: float = 1.0
    groups: int = 4
    kinds: tuple[str, ...] = tuple(MISHAPS)
    only: frozenset[int] | None = None


class Evening:
    """The groups, what strikes them, and the bot, which is started again whenever it has ended."""

    def __init__(self, plan: Plan, folder: Path, trace: TextIO | None = None) -> None:
        self.plan = plan
        self.simulation = Simulation(folder, plan.seed, trace, **SETTINGS)
        self.sandbox = self.simulation.sandbox
        self.groups = [self._found(number) for number in range(plan.groups)]
        self.struck: Counter[str] = Counter()
        self.happened: list[Mishap] = []
        self._mishaps: list[asyncio.Task[None]] = []
        self._down_seconds = DOWN_SECONDS
        self._steps_left: int | None = None
        self.checks = 0
        self.calm_since = 0.0
        """Since when nothing goes wrong any more (virtual seconds)."""

    def run(self) -> None:
        """Let it pass. Raises invariants.Broken."""
        self.simulation.run(self._pass())

    def a_group(self, chance: Random) -> Group:
        """Any group."""
        return chance.choice(self.groups)

    def a_chat(self, chance: Random) -> int:
        """The chat of any group, or of anybody in it."""
        group = self.a_group(chance)
        return chance.choice((group.chat, *group.users))

    def kill_in(self, steps: int, down: float) -> None:
        """Have the process killed at one of its next inputs and outputs, and started again a while later."""
        self._steps_left, self._down_seconds = steps, down

    async def restart(self, down: float) -> None:
        """Have the process end in good order, and started again a while later."""
        process = self.simulation.process
        self._down_seconds = down
        if process is not None and process.is_alive:
            with suppress(KeyError):  # it has only just begun, and takes no signals yet
                await self.simulation.stop()

    # ------------------------------------------------------------------------------------------ what goes on

    async def _pass(self) -> None:
        work = [asyncio.create_task(self._keep_running())]
        for group in self.groups:
            work += [asyncio.create_task(group.live(user)) for user in group.users]
        try:
            end = self.plan.hours * 3600
            while self.simulation.loop.time() < end:
                await self._until_failed(work, self._storm(end))
                await self._until_failed(work, self._check())
        finally:
            for task in work:
                task.cancel()

    async def _until_failed(
        self, work: Collection[asyncio.Task[None]], part: Coroutine[Any, Any, None]
    ) -> None:
        task = asyncio.create_task(part)
        await asyncio.wait({task, *work}, return_when=asyncio.FIRST_COMPLETED)
        for done in (task, *work):
            if done.done():
                done.result()

    async def _keep_running(self) -> None:
        while True:
            process = self.simulation.start(self._step)
            await process.ended.wait()
            self._steps_left = None
            await asyncio.sleep(self._down_seconds)
            self._down_seconds = DOWN_SECONDS

    def _step(self) -> None:
        if self._steps_left is not None:
            self._steps_left -= 1
            if self._steps_left <= 0:
                self._steps_left = None
                self.simulation.kill()

    async def _storm(self, end: float) -> None:
        now = self.simulation.loop.time
        until = min(end, now() + STORM_SECONDS)
        for mishap in schedule(
            self.plan.seed, self.plan.kinds, now(), until, self.checks * NUMBERS_PER_STORM
        ):
            if self.plan.only is None or mishap.number in self.plan.only:
                await asyncio.sleep(mishap.at - now())
                self._strike(mishap)
        await asyncio.sleep(until - now())

    def _strike(self, mishap: Mishap) -> None:
        self.struck[mishap.kind] += 1
        self.happened.append(mishap)
        self.simulation.trace.add(f"mishap {mishap.number}: {mishap.kind}")
        chance = Random(f"{self.plan.seed} mishap {mishap.number}")
        task = asyncio.create_task(MISHAPS[mishap.kind](self, chance))
        self._mishaps.append(task)

    async def _check(self) -> None:
        """Everything is put right; then it must be right."""
        for group in self.groups:
            group.is_paused = True
        self._steps_left = None
        for task in self._mishaps:
            task.cancel()
        for outcome in await asyncio.gather(*self._mishaps, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome
        self._mishaps.clear()
        self.sandbox.faults.clear()
        for group in self.groups:
            for user in group.users:
                if self.sandbox.world.users[user].blocked:
                    people.start(self.sandbox, user, None)
        await asyncio.sleep(PUTTING_RIGHT_SECONDS)
        self.calm_since = self.simulation.loop.time()
        await invariants.check(self)
        self.checks += 1
        for group in self.groups:
            group.is_paused, group.has_gone_on = False, False
            group.presses.clear()
            group.look_again()

    def _found(self, number: int) -> Group:
        chance = Random(f"{self.plan.seed} group {number}")
        world = self.sandbox.world
        names = ("Аня", "Борис", "Вера", "Гена", "Даша", "Егор")[: chance.randint(2, 5)]
        users = [world.add_user(name, None, None, chance.choice(("ru", "en"))).id for name in names]
        chat = groups.create(
            self.sandbox,
            "supergroup",
            f"Клуб {number + 1}",
            users,
            admins=[],
            creator=users[0],
            is_forum=False,
            bot="member",
        )
        return Group(self.sandbox, chat.id, users, self.plan.seed)
