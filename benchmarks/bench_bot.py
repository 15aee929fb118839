"""Latency, throughput, start-up time and memory of the bot: `python -m benchmarks.bench_bot`.

Runs the real bot as a separate process, over real HTTP, against the sandbox; the people live in the sandbox's
process. There are no limits, neither Telegram's nor the bot's: this measures what the bot could do if
Telegram let it. Every move is shown to everybody at once, which is more work than with the limits.

Prints a table and, last, a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from benchmarks.pressing import Pressed, machine, options, press, seat
from benchmarks.running import Running, running
from benchmarks.stored import fill
from bot.buttons import Peek
from tests.faults.simulated_tables import Option, SimulatedTable

TELEGRAMS_RATE = 30
"""Messages a second that Telegram accepts from one bot."""
AIM_P50, AIM_P99, AIM_START = 0.015, 0.060, 2.0
"""Targets in seconds, for an idle machine with 2 cores."""
HELD_SHARE, HELD_P99 = 0.95, 0.5
"""A rate is sustained if this share of its presses is answered, 99 % of them within so many seconds."""
STEP = 1.25
"""The factor from one rate to the next."""
SEATS = 4
QUIET_SECONDS = 1.0
"""A bot that has used no processor time for so long is idle."""
QUIET_SHARE = 0.02
SETTINGS = {
    "TELEGRAM_LIMITS": "false",
    "TURN_SECONDS": "0",
    "NEXT_DEAL_SECONDS": "600",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 1000}',
}


@dataclass(frozen=True, slots=True)
class Started:
    """A start with so many running tables in the database.

    `seconds`: from process start to the answer to a press that had been waiting. `memory`: in MiB, after all
    tables have been checked, which took `settled` seconds. `calls`: the calls by method, without the press's
    answer and the polls.
    """

    tables: int
    seconds: float
    settled: float
    memory: float
    calls: Counter[str]


async def main() -> None:
    """Measure everything and print it."""
    parser = options(__doc__, tables=100, rate=30)
    parser.add_argument("--starts", type=int, default=3, help="of which the median counts")
    parser.add_argument("--stored", type=int, nargs="*", default=[100, 1000, 10_000], metavar="TABLES")
    chosen = parser.parse_args()
    result = machine()
    if chosen.tables:
        at_rate, highest, memory = await under_load(chosen.tables, chosen.rate, chosen.seconds)
        result |= told_of_load(chosen.tables, at_rate, highest, memory)
    starts = [await begin(tables, chosen.starts) for tables in chosen.stored]
    result |= told_of_starts(starts)
    print(json.dumps(result))


# ------------------------------------------------------------------------------------------------ under load


async def under_load(tables: int, rate: float, seconds: float) -> tuple[Pressed, Pressed | None, float]:
    """Measure at the requested rate and at the highest sustained one; also the memory with all tables
    playing.
    """
    async with running(flood=False, settings=SETTINGS) as bot:
        chance = random.Random(tables)
        await seat(bot, tables, SEATS, rate, chance)
        first = await press(bot, rate, seconds, chance)
        memory = bot.memory
        print(f"  {line_of(first)}", flush=True)
        highest = first if is_held(first) else None
        while highest is not None:
            tried = await press(bot, highest.asked_for * STEP, min(10.0, seconds), chance)
            print(f"  {line_of(tried)}", flush=True)
            if not is_held(tried):
                break
            highest = tried
        bot.tell_complaints()
        return first, highest, memory


def is_held(pressed: Pressed) -> bool:
    """Return whether the bot kept up."""
    return pressed.rate >= HELD_SHARE * pressed.asked_for and pressed.wait(0.99) <= HELD_P99


def line_of(pressed: Pressed) -> str:
    """Format the results for one rate."""
    return (
        f"{pressed.asked_for:.0f} presses a second: {pressed.rate:.1f} answered, {pressed.refused} refused;"
        f" p50 {1000 * pressed.wait(0.5):.1f} ms, p99 {1000 * pressed.wait(0.99):.1f} ms;"
        f" {pressed.messages_a_second:.0f} messages a second;"
        f" cores: bot {pressed.bot:.2f}, sandbox {pressed.sandbox:.2f}"
    )


def told_of_load(tables: int, first: Pressed, highest: Pressed | None, memory: float) -> dict[str, Any]:
    """Print the results under load; return them for JSON."""
    p50, p99 = first.wait(0.5), first.wait(0.99)
    print(f"press → answer at {first.asked_for:g} presses a second, {tables} tables of {SEATS}:")
    print(f"  p50 {1000 * p50:.1f} ms (aim: {1000 * AIM_P50:g})")
    print(f"  p99 {1000 * p99:.1f} ms (aim: {1000 * AIM_P99:g})")
    print(f"  memory of the bot: {memory:.0f} MiB")
    told: dict[str, Any] = {
        "tables": tables,
        "presses_per_s": first.asked_for,
        "p50_ms": round(1000 * p50, 1),
        "p99_ms": round(1000 * p99, 1),
        "memory_mib": round(memory, 1),
    }
    if highest is None:
        print("  not even that rate is held")
        return told | {"highest": None}
    factor = highest.messages_a_second / TELEGRAMS_RATE
    print(
        f"highest rate held: {highest.rate:.0f} presses a second, {highest.messages_a_second:.0f} messages"
        f" a second, {factor:.1f} times what Telegram takes"
    )
    return told | {
        "highest": {
            "presses_per_s": round(highest.rate, 1),
            "messages_per_s": round(highest.messages_a_second, 1),
            "times_telegrams": round(factor, 1),
            "p50_ms": round(1000 * highest.wait(0.5), 1),
            "p99_ms": round(1000 * highest.wait(0.99), 1),
        }
    }


# ---------------------------------------------------------------------------------------------------- starts


async def begin(tables: int, times: int) -> Started:
    """Measure repeated starts on so many running tables without changes; return the median."""
    async with running(flood=False, settings=SETTINGS) as bot:
        sim_table = bot.sim.found(SEATS)
        await sim_table.gather(patience=60)
        await until_quiet(bot)
        await bot.bot.stop()
        await fill(bot.database, tables, bot.sim.sandbox.world.bot.username)
        starts = [await start(bot, sim_table, tables) for _ in range(times)]
        return sorted(starts, key=lambda it: it.seconds)[times // 2]


async def start(bot: Running, sim_table: SimulatedTable, tables: int) -> Started:
    """Measure one start, while a press that changes nothing is waiting."""
    sandbox = bot.sim.sandbox
    first = sandbox.call_count
    began = time.monotonic()
    await bot.bot.start()
    tap = await sim_table.press(look_of(sim_table))
    assert tap.was_accepted or tap.answer is not None, "the press that was waiting has not been answered"
    seconds = time.monotonic() - began
    await until_quiet(bot)
    settled = time.monotonic() - began - QUIET_SECONDS
    memory = bot.memory
    calls = Counter(call["method"] for call in sandbox.calls if call["n"] > first)
    del calls["answerCallbackQuery"], calls["getUpdates"]
    await bot.bot.stop()
    return Started(tables, seconds, settled, memory, calls)


def look_of(sim_table: SimulatedTable) -> Option:
    """The data of a button that shows a person's hand."""
    option = sim_table.offer(Peek)
    assert option is not None
    return option


async def until_quiet(bot: Running) -> None:
    """Wait until the bot is idle."""
    before = bot.processor
    while True:
        await asyncio.sleep(QUIET_SECONDS)
        now = bot.processor
        if now - before <= QUIET_SHARE * QUIET_SECONDS:
            return
        before = now


def told_of_starts(starts: list[Started]) -> dict[str, Any]:
    """Print the results of the starts; return them for JSON."""
    print("starts on running tables of which nothing has changed:")
    for it in starts:
        calls = ", ".join(f"{name} {count}" for name, count in it.calls.items())
        print(
            f"  {it.tables} tables: first update handled after {it.seconds:.2f} s (aim: {AIM_START:g}), all"
            f" looked at after {it.settled:.0f} s; memory {it.memory:.0f} MiB; calls: {calls}"
        )
    return {
        "starts": [
            {
                "tables": it.tables,
                "first_update_s": round(it.seconds, 2),
                "settled_s": round(it.settled, 1),
                "memory_mib": round(it.memory, 1),
                "calls": dict(it.calls),
            }
            for it in starts
        ]
    }


if __name__ == "__main__":
    asyncio.run(main())
