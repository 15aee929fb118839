"""Plays every preset to the end with every level, repeatedly: `python -m benchmarks.play_to_the_end`.

Tables have two, three or four players in turn, all of one level. A move that the engine refuses ends the
command with the refusal. Otherwise it prints the numbers of matches and moves for each preset and level.
Strong players get few simulations here: this checks the legality of their moves, not their quality.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from engine import PRESETS, Deal, Event, Rules, apply, new_match, view_for
from engine.players import Level, choose

MATCHES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Batch:
    """Matches of one preset and level, with these numbers."""

    preset: str
    level: Level
    numbers: range


def play_batch(batch: Batch, simulations: int) -> int:
    """Play the matches; return the number of moves. Raises `Illegal` if a move was illegal."""
    rules = Rules.from_document({"preset": batch.preset})
    moves = 0
    for number in batch.numbers:
        chance = Random(f"{batch.preset} {batch.level} {number}")
        match = new_match(rules, [f"p{seat}" for seat in range(2 + number % 3)])
        history: list[tuple[Event, ...]] = []
        while match.winner is None:
            if match.round is None:
                match, events = apply(match, Deal(chance.randbytes(32)))
                history = [events]
                continue
            view = view_for(match, match.round.turn.seat, history)
            match, events = apply(match, choose(batch.level, view, chance, simulations=simulations))
            history.append(events)
            moves += 1
    return moves


def main() -> None:
    """Play, and print a line of JSON for each preset and level."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.play_to_the_end")
    parser.add_argument("--matches", default=1000, type=int, help="of each preset and level; default: 1000")
    parser.add_argument("--simulations", default=4, type=int, help="of a strong player; default: 4")
    parser.add_argument(
        "--levels", nargs="+", type=Level, choices=list(Level), default=list(Level), help="default: all"
    )
    parser.add_argument("--jobs", default=2, type=int, help="processes; default: 2")
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for preset in PRESETS:
            for level in chosen.levels:
                started = time.perf_counter()
                batches = [
                    Batch(preset, level, range(first, min(first + MATCHES_AT_ONCE, chosen.matches)))
                    for first in range(0, chosen.matches, MATCHES_AT_ONCE)
                ]
                moves = sum(pool.map(partial(play_batch, simulations=chosen.simulations), batches))
                done = {
                    "preset": preset,
                    "level": str(level),
                    "matches": chosen.matches,
                    "moves": moves,
                    "illegal": 0,
                    "seconds": round(time.perf_counter() - started),
                }
                print(json.dumps(done))
                sys.stdout.flush()


if __name__ == "__main__":
    main()
