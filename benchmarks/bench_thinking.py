"""Latency of presses while strong computer players think: `python -m benchmarks.bench_thinking`.

First it shows why they think in processes: the delay of a process's event loop while a search runs in a
thread of it, and while the same search runs in another process. Then it runs the real bot over real HTTP
against the sandbox. People press at tables of people: alone, next to tables where one person plays three easy
computers, which do not think, and next to tables with three strong ones, which do. The work of their moves is
about the same. Prints a table and, last, a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.pressing import Pressed, machine, options, press, seat
from benchmarks.running import Running, running
from bot.buttons import InviteComputer, OpenComputers, StartMatch, encode
from bot.computers.worker_pool import WorkerPool
from engine import View, view_for
from engine.players import Level, choose
from sandbox import people
from tests.builders import position
from tests.faults.simulated_tables import Option, SimulatedTable

SETTINGS = {
    "TELEGRAM_LIMITS": "false",
    "TURN_SECONDS": "0",
    "COMPUTER_SECONDS": "1",
    "FORCED_SECONDS": "0.2",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 1000}',
}
PEOPLE, COMPUTERS = 4, 3
"""Players at each table of people; computers at each of the other tables."""
TICK = 0.001
"""Period of the event loop's ticks, in seconds."""
LOOK_SECONDS = 0.5
"""Period of counting the thinking players, in seconds."""
POSITION = (
    "p1: 9S 10S KD QH 7C | p2: 7D 10C 9C AS | p3: JD JH 8D | p4: 6S 9H KC KH "
    "| stock: 9D 6H 8S 10D QS 6C 8C QD 8H 10H AC AD 7H JC | discard: 7S JS"
)


async def main() -> None:
    """Measure everything and print it."""
    parser = options(__doc__, tables=20, rate=20)
    parser.add_argument(
        "--against", type=int, default=30, help="tables with computers (default: %(default)s)"
    )
    chosen = parser.parse_args()
    told = machine()
    view = view_for(position(POSITION), 0)
    in_thread, in_process = (
        await late_in_thread(view, chosen.seconds),
        await late_beside(view, chosen.seconds),
    )
    print("the event loop is late, while a search runs")
    for where, late in (("in a thread", in_thread), ("in a process", in_process)):
        print(f"  {where}: p50 {1000 * share(late, 0.5):.2f} ms, p99 {1000 * share(late, 0.99):.2f} ms")
    alone, besides = await pressed(chosen.tables, chosen.against, chosen.rate, chosen.seconds)
    print(f"press → answer at {chosen.tables} tables of {PEOPLE}, {chosen.rate:g} presses a second")
    print(f"  alone: {line_of(alone)}")
    told |= figures("alone", alone)
    for it in besides:
        print(
            f"  beside {chosen.against} tables with {it.level} computers ({it.waiting:.1f} to move at a"
            f" time, {it.moves:.1f} moves a second): {line_of(it.pressed)}"
        )
        told |= figures(it.level.value, it.pressed)
        told |= {f"{it.level}_at_a_time": round(it.waiting, 1), f"{it.level}_moves_per_s": round(it.moves, 1)}
    for name, late in (("thread", in_thread), ("process", in_process)):
        told[f"late_{name}_p99_ms"] = round(1000 * share(late, 0.99), 2)
    print(json.dumps(told))


# ------------------------------------------------------------------------------------------ the event loop


async def late_in_thread(view: View, seconds: float) -> Sequence[float]:
    """Measure delays while strong players think in a thread of this process."""

    async def think(end: float) -> None:
        chance = random.Random(1)
        await asyncio.to_thread(choose, Level.STRONG, view, chance, lambda: time.monotonic() < end, 10**9)

    return await late_during(think, seconds / 10)


async def late_beside(view: View, seconds: float) -> Sequence[float]:
    """Measure delays while they think in the bot's worker processes."""
    pool = WorkerPool(1)

    async def think(end: float) -> None:
        while time.monotonic() < end:
            await pool.choose(Level.STRONG, view, 1)

    try:
        await pool.choose(Level.EASY, view, 1)  # starts the process
        return await late_during(think, seconds / 10)
    finally:
        await pool.close()


async def late_during(think: Callable[[float], Awaitable[None]], seconds: float) -> Sequence[float]:
    """Return the delay of each tick in seconds, sorted."""
    end = time.monotonic() + seconds
    thought = asyncio.ensure_future(think(end))
    late = []
    while not thought.done() and time.monotonic() < end:
        due = time.monotonic() + TICK
        await asyncio.sleep(TICK)
        late.append(time.monotonic() - due)
    await thought
    return sorted(late)


def share(ordered: Sequence[float], part: float) -> float:
    """Return the quantile of sorted values."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# ----------------------------------------------------------------------------------------------- the bot


@dataclass(frozen=True, slots=True)
class Beside:
    """Results of presses next to tables with computers of a level.

    `waiting`: the average number of tables where a computer was to move. `moves`: computer moves per second.
    """

    level: Level
    pressed: Pressed
    waiting: float
    moves: float


async def pressed(tables: int, against: int, rate: float, seconds: float) -> tuple[Pressed, list[Beside]]:
    """Measure presses at tables of people: alone, then next to computers of both levels."""
    async with running(flood=False, settings=SETTINGS) as bot:
        chance = random.Random(tables)
        await seat(bot, tables, PEOPLE, rate, chance)
        alone = await press(bot, rate, seconds, chance)
        besides = [
            await pressed_beside(bot, against, level, rate, seconds, chance)
            for level in (Level.EASY, Level.STRONG)
        ]
        bot.tell_complaints()
        return alone, besides


async def pressed_beside(
    bot: Running, against: int, level: Level, rate: float, seconds: float, chance: random.Random
) -> Beside:
    """Measure presses at the existing tables while others play with computers."""
    sim_tables = list(bot.sim.sim_tables)
    others = [bot.sim.found(1, seed=level.value) for _ in range(against)]
    await asyncio.gather(*(against_computers(sim_table, level) for sim_table in others))
    bot.sim.sim_tables[:] = sim_tables  # the other tables play by themselves
    waiting: list[int] = []
    beside = [asyncio.create_task(sim_table.play(lambda _option: 0.0)) for sim_table in others]
    beside.append(asyncio.create_task(count_waiting(bot, waiting)))
    before = asked(bot.database, MOVES_OF_COMPUTERS)
    try:
        seen = await press(bot, rate, seconds, chance)
        moves = asked(bot.database, MOVES_OF_COMPUTERS) - before
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
    return Beside(level, seen, sum(waiting) / max(1, len(waiting)), moves / seen.seconds)


async def count_waiting(bot: Running, found: list[int]) -> None:
    """Sample the number of tables that wait for a computer, until cancelled."""
    while True:
        found.append(await asyncio.to_thread(asked, bot.database, WAITING_FOR_COMPUTERS))
        await asyncio.sleep(LOOK_SECONDS)


MOVES_OF_COMPUTERS = "SELECT count(*) FROM table_moves WHERE actor < 0"
WAITING_FOR_COMPUTERS = (
    "SELECT count(*) FROM tables WHERE running AND json_extract(document, '$.deadline') = 'computer'"
)


def asked(database: Path, question: str) -> int:
    """Return the result of a database query."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return int(connection.execute(question).fetchone()[0])


async def against_computers(sim_table: SimulatedTable, level: Level) -> None:
    """Open a table with one person, add computers of this level, and deal."""
    (user,) = sim_table.users
    people.start(sim_table.sandbox, user, None)
    people.send(sim_table.sandbox, user, sim_table.chat, "/game")
    opened = await sim_table.until(lambda: sim_table.offer(OpenComputers), 300)
    assert isinstance(opened.asked, OpenComputers)
    invitation = InviteComputer(opened.asked.table, level.value)
    for _ in range(COMPUTERS):
        option = Option(user, opened.chat, opened.message_id, encode(invitation), invitation)
        await sim_table.press(option, 300)
    await sim_table.press(await sim_table.until(lambda: sim_table.offer(StartMatch), 300), 300)


def figures(name: str, it: Pressed) -> dict[str, float]:
    """Return the results for JSON."""
    return {
        f"{name}_p50_ms": round(1000 * it.wait(0.5), 1),
        f"{name}_p99_ms": round(1000 * it.wait(0.99), 1),
    }


def line_of(it: Pressed) -> str:
    """Format the results."""
    return (
        f"p50 {1000 * it.wait(0.5):.1f} ms, p99 {1000 * it.wait(0.99):.1f} ms;"
        f" {it.rate:.1f} answered a second, {it.refused} refused; cores: bot {it.bot:.2f},"
        f" sandbox {it.sandbox:.2f}"
    )


if __name__ == "__main__":
    asyncio.run(main())
