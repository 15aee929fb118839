"""The real application and the sandbox's world in one process, in virtual time, with chance from one seed.

Everything of the bot is real: `bot.app.run` with its handlers, tables, messages, clock and computer players,
on a real database file. In place of the machine stands one whose time, randomness, network and threads belong
to the simulation.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TextIO, TypeVar
from warnings import catch_warnings, filterwarnings, simplefilter

from telegram.warnings import PTBDeprecationWarning

from bot.app import run
from bot.config import Settings
from bot.machine import Machine
from engine import TurnMove, View
from engine.players import Level, choose
from sandbox import state
from sandbox.clock import Clock
from tests.e2e.committed import Committed, copied, latest
from tests.simulation.database import on_the_loop
from tests.simulation.loop import PROCESS, Process, SimulatedLoop
from tests.simulation.network import Network
from tests.simulation.trace import Trace

T = TypeVar("T")

TOKEN = f"{state.BOT_ID}:simulated"
SIMULATIONS = 8
"""Rounds that a strong computer player plays out before it moves: few, since it need not be strong here."""
THINKING_SECONDS = 0.01, 0.4


class Simulation:
    """A sandbox and a bot. Each part of it has a source of randomness of its own, made from the seed.

    So one part can be changed, or left out, without another choosing differently for that.
    """

    def __init__(self, folder: Path, seed: str, trace: TextIO | None = None, **settings: Any) -> None:
        self.loop = SimulatedLoop()
        self.database = folder / "101.sqlite3"
        self.seed = seed
        self.trace = Trace(self.loop.time, trace)
        self.sandbox = state.build(token=TOKEN, clock=Clock(self.loop.wall))
        self.sandbox.entropy = self.chance("files").randbytes
        self.network = Network(self.sandbox, self.chance("network"), self.trace.add)
        self.process: Process | None = None
        self.processes = 0
        self.clock_offset = 0.0
        """By how many seconds the machine's clock is fast; Telegram's is right."""
        self._formatter = logging.Formatter()
        self._world = contextvars.copy_context()
        self._settings = Settings(
            _env_file=None,
            bot_token=TOKEN,
            bot_api_url="http://127.0.0.1/bot",
            database_path=self.database,
            **settings,
        )

    def chance(self, of: str) -> Random:
        """The randomness of one part."""
        return Random(f"{self.seed} {of}")

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run until this is done. Raises what it raises."""
        with on_the_loop(), self._logging(), catch_warnings():
            simplefilter("ignore", PTBDeprecationWarning)  # `bot.messages.gateway` takes both types
            # A killed process leaves coroutines that it has not begun.
            filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
            try:
                return self.loop.run_until_complete(main)
            finally:
                self.kill()
                self.loop.run_until_complete(self._end_tasks())
                self.loop.close()
                gc.unfreeze()
                gc.collect()  # of what killed processes have left, while its warnings are ignored

    def start(self, step: Callable[[], None] = lambda: None) -> Process:
        """Start the bot, on the file that is there; `step` is as `Process` has it."""
        assert self.process is None or not self.process.is_alive, "it runs already"
        self.processes += 1
        process = self.process = Process(f"bot{self.processes}", step)
        machine = Machine(
            wall=lambda: self.loop.wall() + self.clock_offset,
            monotonic=self.loop.time,
            entropy=self.chance(f"entropy of {process.name}").randbytes,
            connect=self.network.connect,
            thinker=lambda: _Thinker(self.chance(f"thoughts of {process.name}")),
        )
        context = contextvars.copy_context()
        context.run(PROCESS.set, process)
        self.trace.add(f"{process.name} starts")
        main = self.loop.create_task(run(self._settings, self._formatter, machine), context=context)
        main.add_done_callback(lambda _: self._has_ended(process, main), context=self._world)
        return process

    async def committed(self, chat: int) -> Committed:
        """The table that was opened last in a chat, as it is committed now."""
        async with copied(self.database) as storage:
            state = await latest(storage, chat)
        assert state is not None, f"no table in chat {chat}"
        return state

    def kill(self) -> None:
        """Kill the bot, if it runs: from one callback to the next it is no more."""
        process = self.process
        if process is not None and process.is_alive:
            self.loop.kill(process)
            self.trace.add(f"{process.name} is killed")
            self.loop.call_soon(self._bury, process, context=self._world)

    async def stop(self) -> None:
        """Ask the bot to end (SIGTERM), and wait until it has."""
        process = self.process
        assert process is not None
        self.loop.send_signal(process, signal.SIGTERM)
        await process.ended.wait()

    def _has_ended(self, process: Process, main: asyncio.Task[None]) -> None:
        if process.is_alive:
            error = main.exception()
            self.trace.add(f"{process.name} has ended{'' if error is None else f' by {error!r}'}")
            self.loop.kill(process)
            self._bury(process)

    def _bury(self, process: Process) -> None:
        self.network.hang_up(process)
        self.loop.bury(process)
        gc.unfreeze()  # `bot.app` freezes what it takes to stay for good

    async def _end_tasks(self) -> None:
        await asyncio.sleep(0)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @contextmanager
    def _logging(self) -> Iterator[None]:
        """Within this, what the bot logs goes into the trace."""
        root, own = logging.getLogger(), logging.getLogger("bot")
        level = own.level
        root.addHandler(self.trace)
        own.setLevel(logging.INFO)
        try:
            yield
        finally:
            root.removeHandler(self.trace)
            own.setLevel(level)


class _Thinker:
    """Chooses the moves of computer players without processes, by a bound in place of a time."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    async def choose(self, level: Level, view: View, seed: int) -> TurnMove:
        """As `bot.computers.worker_pool.Thinker`."""
        await asyncio.sleep(self._chance.uniform(*THINKING_SECONDS))
        return choose(level, view, Random(seed), simulations=SIMULATIONS)

    async def close(self) -> None:
        """Nothing is to be closed."""
