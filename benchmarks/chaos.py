"""Runs the faults of tests/faults with more tables and for longer: `python -m benchmarks.chaos`.

Prints the faults and their consequences. The exit status is 0 if nothing is lost, shown wrongly, done twice
or left over, and 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.committed import misplaced_cards, steps
from tests.faults.chaos_run import ChaosResult, Outcome, Plan, pressed_in_vain, run_chaos

PAUSE_SECONDS = 0.05
"""Pause between two faults."""


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120, help="that it lasts at least")
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", default="chaos", help="of what goes wrong; the timing is the machine's")
    options = parser.parse_args()
    mishaps = round(options.seconds / PAUSE_SECONDS)
    plan = Plan(options.tables, mishaps, PAUSE_SECONDS, options.kills, options.seed)
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        chaos = asyncio.run(run_chaos(plan, Path(folder)))
    problems = [problem for outcome in chaos.outcomes for problem in problems_of(outcome)]
    problems += [f"logged: {line}" for line in chaos.log if line["level"] in ("ERROR", "CRITICAL")]
    report(plan, chaos)
    for problem in problems:
        print(f"  WRONG: {problem}")
    print("nothing is wrong" if not problems else f"{len(problems)} things are wrong")
    return 1 if problems else 0


def problems_of(outcome: Outcome) -> Iterator[str]:
    """Return what is wrong at one table."""
    name = f"table {outcome.state.table.id}"
    if steps(outcome.state)[-1].after != outcome.state.match:
        yield f"{name}: the log does not lead to the stored match"
    yield from (f"{name}: {problem}" for problem in misplaced_cards(outcome.state))
    yield from (f"{name}: {problem}" for problem in pressed_in_vain(outcome))
    yield from (f"{name}: {problem}" for problem in outcome.comparison.missing)
    if len(outcome.comparison.surplus) > outcome.unheard:
        texts = [message.text for message in outcome.comparison.surplus]
        yield f"{name}: {outcome.unheard} messages may be too many, there are {texts}"


def report(plan: Plan, chaos: ChaosResult) -> None:
    """Print the faults and the results."""
    moves = sum(len(outcome.state.log) for outcome in chaos.outcomes)
    surplus = sum(len(outcome.comparison.surplus) for outcome in chaos.outcomes)
    unheard = sum(outcome.unheard for outcome in chaos.outcomes)
    print(f"{plan.tables} tables, {moves} moves, {chaos.kills} kills")
    kinds = ", ".join(f"{kind} {count}" for kind, count in chaos.mishaps.most_common())
    print(f"  {plan.mishaps} mishaps: {kinds}")
    print(f"  calls that went wrong: {len(chaos.failed)}")
    print(f"  messages sent of which the bot could not hear: {unheard}; too many in the end: {surplus}")


if __name__ == "__main__":
    sys.exit(main())
