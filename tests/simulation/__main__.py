"""Simulated evenings: groups play under one seed while everything goes wrong. `make simulate` runs it.

Long times are made of evenings of an hour, each with a seed of its own. The first that breaks an invariant is
shortened as far as that is found out in the time for it, and the command that replays it is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.simulation.evening import Evening, Plan
from tests.simulation.invariants import Broken
from tests.simulation.mishaps import MISHAPS

EVENING_HOURS = 1.0
SHORTENING_SECONDS = 300.0
"""Real time, at most, for shortening what has failed."""


def main() -> int:
    """Run; the exit status is 1 if an invariant was broken."""
    options = _parser().parse_args()
    kinds = tuple(MISHAPS) if options.faults == "all" else tuple(filter(None, options.faults.split(",")))
    only = None if options.only is None else frozenset(map(int, filter(None, options.only.split(","))))
    left, number, struck, began = options.hours, 0, Counter[str](), time.process_time()
    while left > 0:
        number += 1
        seed = options.seed if number == 1 else f"{options.seed}-{number}"
        plan = Plan(seed, min(left, EVENING_HOURS), options.groups, kinds, only)
        evening, broken = run(plan, options.trace)
        struck += evening.struck
        print(_summary(evening), flush=True)
        if broken is not None:
            print(f"BROKEN: {broken}\n")
            if only is None:
                plan = shortened(plan, evening, broken)
            print(f"To replay it:\n  {command(plan)}")
            return 1
        left -= EVENING_HOURS
    counts = ", ".join(f"{kind} {count}" for kind, count in struck.most_common())
    seconds = time.process_time() - began
    print(f"{options.hours:g} hours in {seconds:.0f} s of processor; no invariant was broken\n  {counts}")
    return 0


def run(plan: Plan, trace: Path | None = None) -> tuple[Evening, Broken | None]:
    """Let one evening pass, and return what was broken, if anything was."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="simulation-")))
        file = None if trace is None else stack.enter_context(trace.open("w"))
        evening = Evening(plan, folder, file)
        try:
            evening.run()
        except Broken as broken:
            return evening, broken
        return evening, None


def shortened(plan: Plan, evening: Evening, broken: Broken) -> Plan:
    """Return a plan with as few mishaps as can be found that breaks the same (delta debugging, ddmin)."""
    give_up_at = time.monotonic() + SHORTENING_SECONDS
    plan = replace(plan, hours=evening.simulation.loop.time() / 3600)
    numbers = [mishap.number for mishap in evening.happened]
    parts = 2
    while numbers and time.monotonic() < give_up_at:
        size = -(-len(numbers) // parts)
        for begin in range(0, len(numbers), size):
            fewer = numbers[:begin] + numbers[begin + size :]
            if time.monotonic() < give_up_at and _breaks(plan, fewer, broken):
                numbers, parts = fewer, max(2, parts - 1)
                print(f"  it takes no more than {len(numbers)} mishaps", flush=True)
                break
        else:
            if size == 1:
                break
            parts = min(len(numbers), 2 * parts)
    return replace(plan, only=frozenset(numbers))


def _breaks(plan: Plan, numbers: Sequence[int], broken: Broken) -> bool:
    _, found = run(replace(plan, only=frozenset(numbers)))
    return found is not None and found.kind == broken.kind


def command(plan: Plan) -> str:
    """Return the command that runs this plan."""
    parts = [f"make simulate SEED={plan.seed} HOURS={plan.hours:g} GROUPS={plan.groups}"]
    if plan.kinds != tuple(MISHAPS):
        parts.append(f"FAULTS='{','.join(plan.kinds)}'")
    if plan.only is not None:
        parts.append(f"ONLY={','.join(map(str, sorted(plan.only)))}")
    return " ".join(parts)


def _summary(evening: Evening) -> str:
    simulation = evening.simulation
    return (
        f"seed {evening.plan.seed}: {simulation.loop.time() / 3600:.2f} h, {evening.checks} checks,"
        f" {evening.struck.total()} mishaps, {simulation.processes} processes of the bot,"
        f" {simulation.sandbox.call_count} calls, trace {simulation.trace.digest[:12]}"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--hours", type=float, default=1.0, help="of simulated time")
    parser.add_argument("--groups", type=int, default=4, help="that play")
    parser.add_argument("--faults", default="all", help=f"the kinds of mishaps, of: {','.join(MISHAPS)}")
    parser.add_argument("--only", help="the numbers of the mishaps that strike, as a failure tells them")
    parser.add_argument("--trace", type=Path, help="a file for all that happens")
    return parser


if __name__ == "__main__":
    sys.exit(main())
