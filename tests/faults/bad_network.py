"""People play while the network before Telegram does everything wrong: `python -m tests.faults.bad_network`.

One trouble after another, by chance; when each is over somebody writes to the bot, and it is measured when
the answer comes. Meanwhile it is looked at whether anybody is punished for what could not be heard. Prints
how often and how long; the exit status is 0 if every answer came in time, and nobody was punished.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bot.tables.lifecycle import TablePhase
from sandbox import people
from sandbox.model import BOT
from tests.e2e.process import BotProcess
from tests.faults.network import TROUBLES, Network
from tests.faults.simulated_tables import SimulatedTable, SimulatedTables

SETTINGS = {
    "TELEGRAM_LIMITS": "false",
    "FORCED_SECONDS": "0.1",
    "NEXT_DEAL_SECONDS": "600",
    "TURN_SECONDS": "15",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 500}',
}
IN_TIME_SECONDS = 15.0
PATIENCE_SECONDS = 90.0
LONGEST_TROUBLE_SECONDS = 20.0
GATHERING_SECONDS = 60.0
UNREADABLE = "cannot be read, and is passed over"


@dataclass(frozen=True, slots=True)
class Spell:
    """One failure: how long it lasted, and how long after it the bot answered again (None: it did not)."""

    trouble: str
    lasted: float
    heard_after: float | None


@dataclass
class Report:
    """The results. `punished`: what happened to people because they could not be heard; `wrong`: other
    problems.
    """

    spells: list[Spell] = field(default_factory=list)
    punished: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    moves: int = 0

    @property
    def late(self) -> list[Spell]:
        """The failures after which the bot did not answer in time."""
        return [it for it in self.spells if it.heard_after is None or it.heard_after > IN_TIME_SECONDS]


@dataclass
class _Trial:
    sim: SimulatedTables
    network: Network
    bot: BotProcess
    database: Path
    report: Report
    chance: random.Random
    witness: int
    """A person at no table, who sends /help after every failure."""
    pause: float
    """Average seconds without failures after each one."""

    async def run_chaos(self, spells: Iterable[tuple[str, float]]) -> None:
        """Run these failures while people play."""
        players = [
            asyncio.create_task(sim_table.play(lambda _: self.chance.uniform(0.3, 1.5), wait=2))
            for sim_table in self.sim.sim_tables
        ]
        watching = asyncio.create_task(self._watch())
        for trouble, seconds in spells:
            await self.network.begin(trouble)
            if trouble == "unreadable":
                people.send(self.sim.sandbox, self.witness, self.witness, "/score")
            await asyncio.sleep(seconds)
            await self.network.heal()
            for sim_table in self.sim.sim_tables:
                sim_table.look_again()
            heard_after = await self._heard_after()
            self.report.spells.append(Spell(trouble, seconds, heard_after))
            await asyncio.sleep(self.chance.uniform(0, 2 * self.pause))
        await self._see_everybody_move()
        for task in (watching, *players):
            task.cancel()
        for result in await asyncio.gather(watching, *players, return_exceptions=True):
            if isinstance(result, Exception):
                raise result
        if not self.bot.is_running:
            self.report.wrong.append("the bot has ended")

    async def _heard_after(self) -> float | None:
        began = time.monotonic()
        sent = people.send(self.sim.sandbox, self.witness, self.witness, "/help").message_id
        chat = self.sim.sandbox.world.chats[self.witness]
        while time.monotonic() - began < PATIENCE_SECONDS:
            if any(it.sender == BOT and it.message_id > sent for it in list(chat.messages.values())):
                return time.monotonic() - began
            self.sim.called.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.sim.called.wait(), 0.5)
        return None

    async def _see_everybody_move(self) -> None:
        """Wait until every table has moved on: none sleeps."""
        for sim_table in self.sim.sim_tables:
            before = len([it for it in sim_table.taps if it.was_accepted])

            def has_moved(sim_table: SimulatedTable = sim_table, before: int = before) -> bool:
                return sim_table.is_over or len([it for it in sim_table.taps if it.was_accepted]) > before

            deadline = time.monotonic() + PATIENCE_SECONDS
            while not has_moved() and time.monotonic() < deadline:
                sim_table.look_again()
                await asyncio.sleep(0.5)
            if not has_moved():
                self.report.wrong.append(f"nobody can move in {sim_table.chat}")

    async def _watch(self) -> None:
        """Check repeatedly whether anybody is punished."""
        while True:
            self.report.punished |= set(self.punishments())
            await asyncio.sleep(0.3)

    def punishments(self) -> Iterator[str]:
        """Return committed facts that would differ if every press had been received."""
        players = {user for sim_table in self.sim.sim_tables for user in sim_table.users}
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            for table_id, phase, document in connection.execute("SELECT id, phase, document FROM tables"):
                table = json.loads(document)
                if phase == TablePhase.ASLEEP:
                    yield f"table {table_id} is asleep"
                if table["banished"]:
                    yield f"table {table_id} has been given up"
                for user, _name, misses, *_ in table["players"]:
                    if misses:
                        yield f"{user} has run out of time"
            for user, reachable in connection.execute("SELECT user_id, reachable FROM people"):
                if user in players and not reachable:
                    yield f"{user} is taken to be out of reach"


async def go_through(
    spells: Iterable[tuple[str, float]], *, tables: int, seed: str, folder: Path, pause: float = 2.5
) -> Report:
    """Let people at so many tables play through these failures, each of so many seconds."""
    database, log = folder / "101.sqlite3", folder / "bot.log"
    report, chance = Report(), random.Random(seed)
    async with (
        SimulatedTables.gathering(flood=False) as sim,
        Network.between(sim.server, folder) as network,
    ):
        environment = {name: value for name, value in os.environ.items() if "_PROXY" not in name.upper()}
        environment |= SETTINGS | network.environment
        environment |= {"BOT_TOKEN": sim.sandbox.world.bot.token, "DATABASE_PATH": str(database)}
        bot = BotProcess(network.command, environment, log)
        await bot.start()
        try:
            for _ in range(tables):
                sim.found(3, seed=seed)
            witness = sim.sandbox.world.add_user("Юля", None, None, "ru").id
            people.start(sim.sandbox, witness, None)
            await asyncio.gather(*(it.gather(GATHERING_SECONDS) for it in sim.sim_tables))
            trial = _Trial(sim, network, bot, database, report, chance, witness, pause)
            await trial.run_chaos(spells)
        finally:
            if bot.is_running:
                await bot.stop()
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        ((report.moves,),) = connection.execute("SELECT count(*) FROM table_moves")
    for line in map(json.loads, log.read_text().splitlines()):
        if line["level"] in ("ERROR", "CRITICAL") and UNREADABLE not in line["message"]:
            report.wrong.append(f"logged: {line}")
    return report


def at_random(seed: str, seconds: float) -> Iterator[tuple[str, float]]:
    """Return random failures for so many seconds: every kind once before any repeats."""
    chance, end = random.Random(seed), time.monotonic() + seconds
    for _ in itertools.count():
        for trouble in chance.sample(TROUBLES, len(TROUBLES)):
            if time.monotonic() > end:
                return
            is_for_a_moment = trouble in ("lost", "webhook")
            yield trouble, 0.0 if is_for_a_moment else chance.uniform(1.0, LONGEST_TROUBLE_SECONDS)


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", default="bad network", help="of what goes wrong")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bad-network-") as folder:
        report = asyncio.run(
            go_through(
                at_random(options.seed, options.minutes * 60),
                tables=options.tables,
                seed=options.seed,
                folder=Path(folder),
            )
        )
    print_report(report)
    return 1 if report.late or report.punished or report.wrong else 0


def print_report(report: Report) -> None:
    """Print counts and durations."""
    print(f"{'trouble':<16} times   lasted s   heard again after s (median, longest)")
    for trouble in TROUBLES:
        spells = [it for it in report.spells if it.trouble == trouble]
        if spells:
            after = [inf_if_none(it.heard_after) for it in spells]
            lasted = sum(it.lasted for it in spells)
            print(f"{trouble:<16} {len(spells):>5} {lasted:>10.1f}   {median(after):6.1f} {max(after):6.1f}")
    all_after = [inf_if_none(it.heard_after) for it in report.spells]
    lasted = sum(it.lasted for it in report.spells)
    print(f"{'all':<16} {len(all_after):>5} {lasted:>10.1f}   {median(all_after):6.1f} {max(all_after):6.1f}")
    print(f"{report.moves} moves; {len(report.late)} times not heard within {IN_TIME_SECONDS:.0f} s")
    for problem in [*sorted(report.punished), *report.wrong]:
        print(f"  WRONG: {problem}")
    print("nobody was punished" if not report.punished else "somebody was punished")


def inf_if_none(seconds: float | None) -> float:
    """Treat None (never) as later than any time."""
    return float("inf") if seconds is None else seconds


if __name__ == "__main__":
    sys.exit(main())
