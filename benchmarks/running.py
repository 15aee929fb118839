"""Runs the real bot as a separate process, with a simulation to play with it, for benchmarks."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.process import BotProcess
from tests.faults.simulated_tables import SimulatedTables

LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Running:
    """A simulation, its bot, and the bot's database and log."""

    sim: SimulatedTables
    bot: BotProcess
    database: Path
    log: Path

    @property
    def memory(self) -> float:
        """The bot's resident memory in MiB."""
        status = Path(f"/proc/{self.bot.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def processor(self) -> float:
        """The bot's processor time so far, in seconds."""
        fields = Path(f"/proc/{self.bot.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tell_complaints(self) -> None:
        """Print the number of log lines from WARNING on, and the first of them."""
        complaints = [line for line in self.log.read_text().splitlines() if '"level": "INFO"' not in line]
        if complaints:
            print(f"  the bot complains {len(complaints)} times, first: {complaints[0]}")


@asynccontextmanager
async def running(*, flood: bool, settings: Mapping[str, str]) -> AsyncIterator[Running]:
    """Run an empty sandbox with or without flood limits, and the bot with these settings."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        database, log = Path(folder) / "101.sqlite3", Path(folder) / "bot.log"
        async with SimulatedTables.gathering(flood=flood) as sim:
            environment = {
                **os.environ,
                "BOT_TOKEN": sim.sandbox.world.bot.token,
                "BOT_API_URL": sim.server.bot_api_url,
                "DATABASE_PATH": str(database),
                "TELEGRAM_LIMITS": str(flood).lower(),
                **settings,
            }
            bot = BotProcess((sys.executable, "-m", "bot"), environment, log)
            try:
                await bot.start()
                await _first_call(sim, bot, log)
                yield Running(sim, bot, database, log)
            finally:
                if bot.is_running:
                    await bot.stop()


async def _first_call(sim: SimulatedTables, bot: BotProcess, log: Path) -> None:
    """Wait until the bot makes its first call. Raises RuntimeError with its log if it exits instead."""
    while not sim.called.is_set():
        if not bot.is_running:
            raise RuntimeError("the bot has ended: " + await asyncio.to_thread(log.read_text))
        await asyncio.sleep(LOOK_SECONDS)
