"""Time and file size of pictures: tables at positions from random matches, and charts and ends of matches.

Each position is drawn as in the bot: from the public view, with the caches as earlier pictures have left
them. The first pictures, which find the caches empty, count too. Times are processor time on one core, so
other programs on the machine don't count.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import replace

from bot.pictures import draw
from bot.screens.chart import chart, end_picture
from bot.screens.picture import Picture
from bot.screens.result import result
from bot.screens.table import table
from bot.settings import Look
from bot.tables.lifecycle import TablePhase
from tests.bot.screens.scenes import CTX, RU, Scene, dealt

BUDGET_MS, BUDGET_BYTES = 25.0, 100_000


def positions(seats: int, count: int, chance: random.Random) -> Iterator[Picture]:
    """Yield pictures of so many positions, from as many matches as needed."""
    context = replace(CTX, look=Look.PICTURE)
    while count > 0:
        moment = _dealt(seats)
        while moment.table.phase is not TablePhase.OVER and count > 0:
            view = moment.seen_by()
            screen = (
                result(view, RU, context) if view.phase is TablePhase.BETWEEN else table(view, RU, context)
            )
            assert screen.picture is not None
            yield screen.picture
            count -= 1
            moment = moment.moved(chance.randrange(1000))


def _dealt(seats: int) -> Scene:
    return dealt(seats, deck=52, hand_size=3) if seats > 6 else dealt(seats)


def endings(seats: int, count: int, chance: random.Random) -> Iterator[Picture]:
    """Yield the charts and ends of so many matches."""
    for _ in range(count):
        moment = _dealt(seats)
        while moment.table.phase is not TablePhase.OVER:
            moment = moment.moved(chance.randrange(1000))
        yield chart(moment.seen_by(), RU)
        yield end_picture(moment.seen_by(), RU)


def bench_endings(matches: int, chance: random.Random) -> bool:
    """Print a row for each number of seats; return whether every file is small enough."""
    started = time.process_time()
    draw(next(endings(2, 1, chance)))
    print(f"the very first chart, with loading: {(time.process_time() - started) * 1000:.0f} ms")
    print("| seats | charts and ends | p50 | slowest | bytes, most |")
    print("|---|---|---|---|---|")
    is_kept = True
    for seats in (2, 4, 6, 8, 10):
        took, largest = [], 0
        for picture in endings(seats, matches, chance):
            begun = time.process_time()
            largest = max(largest, len(draw(picture)))
            took.append((time.process_time() - begun) * 1000)
        print(
            f"| {seats} | {len(took)} | {percentile(took, 0.5):.0f} ms | {max(took):.0f} ms | {largest:,} |"
        )
        is_kept &= largest < BUDGET_BYTES
    return is_kept


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of the values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    """Print a row for each number of seats; fail if a budget is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=400, help="for each number of seats")
    parser.add_argument("--seed", type=int, default=101)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    started = time.process_time()
    draw(next(positions(2, 1, chance)))
    print(f"the very first picture, with loading: {(time.process_time() - started) * 1000:.0f} ms")
    print("| seats | pictures | p50 | p99 | bytes, p50 | bytes, most |")
    print("|---|---|---|---|---|---|")
    is_kept = True
    for seats in range(2, 11):
        took, sizes = [], []
        for picture in positions(seats, asked.positions, chance):
            begun = time.process_time()
            content = draw(picture)
            took.append((time.process_time() - begun) * 1000)
            sizes.append(float(len(content)))
        middle, late, most = percentile(took, 0.5), percentile(took, 0.99), max(sizes)
        is_kept &= late < BUDGET_MS and most < BUDGET_BYTES
        print(
            f"| {seats} | {len(took)} | {middle:.1f} ms | {late:.1f} ms"
            f" | {percentile(sizes, 0.5):,.0f} | {most:,.0f} |",
            flush=True,
        )
    is_kept &= bench_endings(max(1, asked.positions // 20), chance)
    if not is_kept:
        raise SystemExit(f"over budget: {BUDGET_MS:.0f} ms at p99, {BUDGET_BYTES:,} bytes")


if __name__ == "__main__":
    main()
