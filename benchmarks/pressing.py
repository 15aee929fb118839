"""Simulates people who press at a given rate, whether or not the bot keeps up, and measures the latency.

A press is timed from the moment it is made until the sandbox receives the bot's answer, so everything in
between counts, including the long poll.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.running import Running
from tests.faults.simulated_tables import Option, SimulatedTable, Tap

WARM_SECONDS = 5.0
LATEST_SECONDS = 10.0
"""A press without an answer after so long counts as unanswered."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """Results of `seconds` in which people would have pressed `asked_for` times a second.

    `answered` counts presses, `refused` those of them answered with a text; `waits` are seconds, sorted.
    `messages` are the calls that count towards Telegram's limits. `bot` and `sandbox` are the shares of a
    core used by the two processes.
    """

    asked_for: float
    seconds: float
    answered: int
    refused: int
    waits: Sequence[float]
    messages: int
    bot: float
    sandbox: float

    def wait(self, share: float) -> float:
        """Return this quantile of the waits, in seconds."""
        return self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))] if self.waits else 0.0

    @property
    def rate(self) -> float:
        """Answered presses per second."""
        return self.answered / self.seconds

    @property
    def messages_a_second(self) -> float:
        """Calls that send, edit or delete messages, per second."""
        return self.messages / self.seconds


def options(description: str | None, *, tables: int, rate: float) -> argparse.ArgumentParser:
    """Add the options shared by benchmarks of presses, with their own defaults."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--tables", type=int, default=tables, help="of people, who press (default: %(default)s)"
    )
    parser.add_argument("--rate", type=float, default=rate, help="presses a second (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=30, help="for each part (default: %(default)s)")
    return parser


def machine() -> dict[str, Any]:
    """Print the machine's properties before a measurement; return them for JSON."""
    cores, load = os.cpu_count(), os.getloadavg()[0]
    print(f"{cores} cores, of which {load:.1f} were busy with something else")
    return {"cores": cores, "load_before": round(load, 1)}


async def seat(running: Running, tables: int, seats: int, rate: float, chance: random.Random) -> None:
    """Start so many tables, and press for a while to warm up."""
    sim_tables = [running.sim.found(seats, seed="bench") for _ in range(tables)]
    await asyncio.gather(*(sim_table.gather(patience=300) for sim_table in sim_tables))
    await press(running, rate, WARM_SECONDS, chance)


async def press(running: Running, rate: float, seconds: float, chance: random.Random) -> Pressed:
    """Press at this rate for so long, each time at another table, as far as there are buttons to press."""
    sim = running.sim
    first, processor, own = sim.sandbox.call_count, running.processor, time.process_time()
    begin = time.monotonic()
    under_way: dict[asyncio.Task[Tap], SimulatedTable] = {}
    taps: list[Tap] = []
    waiting = list(sim.sim_tables)
    chance.shuffle(waiting)
    made = 0
    while (now := time.monotonic()) < begin + seconds:
        for task in [task for task in under_way if task.done()]:
            taps.append(task.result())
            waiting.append(under_way.pop(task))
        due = int((now - begin) * rate) + 1
        while made < due and (found := _next(waiting)) is not None:
            sim_table, option = found
            under_way[asyncio.create_task(sim_table.press(option, LATEST_SECONDS))] = sim_table
            made += 1
        made = max(made, due - 1)  # a press without an available button is not made up for
        await asyncio.sleep(max(0.0, begin + made / rate - time.monotonic()))
    taken = time.monotonic() - begin
    used, own_used = running.processor - processor, time.process_time() - own
    calls = [call for call in sim.sandbox.calls if call["n"] > first]
    taps += await asyncio.gather(*under_way)
    answered = [tap for tap in taps if tap.answer is not None]
    return Pressed(
        asked_for=rate,
        seconds=taken,
        answered=len(answered),
        refused=sum(not tap.was_accepted for tap in answered),
        waits=sorted(tap.seconds for tap in answered),
        messages=sum(call["chat_id"] is not None for call in calls),
        bot=used / taken,
        sandbox=own_used / taken,
    )


def _next(waiting: list[SimulatedTable]) -> tuple[SimulatedTable, Option] | None:
    """Pop the table that has waited longest among those with a button to press."""
    for place, sim_table in enumerate(waiting):
        option = sim_table.choose()
        if option is not None:
            del waiting[place]
            return sim_table, option
    return None
