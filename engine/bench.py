"""Benchmark: how many random turn moves the engine plays per second.

A move takes what a computer player needs for one: `legal`, a choice, and `apply` with its events. Deals are
timed too, but not counted as moves.
"""

import platform
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from engine.game import apply, legal, new_match
from engine.moves import Deal
from engine.rules import Rules
from engine.state import Match

RULES: Final = Rules()
PLAYERS: Final = tuple("1234")
MOVES_BETWEEN_LOOKS_AT_THE_CLOCK: Final = 1000


def bench(seconds: float, seed: int = 101, clock: Callable[[], float] = time.perf_counter) -> dict[str, Any]:
    """Play for about `seconds` of `clock`. The result is JSON-ready and includes ``moves_per_s``."""
    chance = Random(seed)  # noqa: S311 - repeatable play, no secrets
    match = new_match(RULES, PLAYERS)
    moves = matches = 0
    started = clock()
    while (elapsed := clock() - started) < seconds:
        for _ in range(MOVES_BETWEEN_LOOKS_AT_THE_CLOCK):
            while match.round is None:
                matches += match.winner is not None
                match = _next_deal(match, chance)
            choices = legal(match, match.round.turn.seat)
            match = apply(match, choices[int(chance.random() * len(choices))]).match
        moves += MOVES_BETWEEN_LOOKS_AT_THE_CLOCK
    return {
        "game": "101, classic, 4 players, random play",
        "python": platform.python_version(),
        "seconds": round(elapsed, 3),
        "matches": matches,
        "moves": moves,
        "moves_per_s": round(moves / elapsed),
    }


def _next_deal(match: Match, chance: Random) -> Match:
    """The next round of the match, or the first one of a new match."""
    if match.winner is not None:
        match = new_match(RULES, PLAYERS)
    return apply(match, Deal(chance.randbytes(32))).match
