"""Fits the constants of `engine.players.win_probability`, the value of totals.

`python -m benchmarks.fit_win_probability`: normal players play matches, and at each pause between two rounds
the model predicts the winner. Prints the constants with the lowest mean surprise at the actual winners, in
nats, next to the constants in use.
"""

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import log
from random import Random
from typing import Final

from engine import Deal, Event, Rules, apply, new_match, view_for
from engine.players import Level, choose, win_probability

FIELDS: Final = (
    ({"preset": "classic"}, 2),
    ({"preset": "classic"}, 4),
    ({"preset": "game_108"}, 2),
    ({"preset": "five_card"}, 3),
)
BUST: Final = (({"game_end": "first_bust"}, 3),)


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause between two rounds: the totals by seat, the next leader, and the eventual winner."""

    rules: Rules
    totals: Mapping[int, int]
    leader: int | None
    winner: int


def pauses(document: Mapping[str, object], players: int, matches: int) -> Iterator[Pause]:
    """Return the pauses of so many matches, except those before the first round."""
    rules, chance = Rules.from_document(document), Random(3)
    for _ in range(matches):
        match = new_match(rules, [f"p{seat}" for seat in range(players)])
        seen: list[tuple[dict[int, int], int | None]] = []
        history: list[tuple[Event, ...]] = []
        while match.winner is None:
            if match.round is None:
                seen.append(({seat: match.seats[seat].total for seat in match.seats_in()}, match.leader))
                match, events = apply(match, Deal(chance.randbytes(32)))
                history = [events]
                continue
            view = view_for(match, match.round.turn.seat, history)
            match, events = apply(match, choose(Level.NORMAL, view, chance))
            history.append(events)
        for totals, leader in seen[1:]:
            yield Pause(rules, totals, leader, match.winner)


def surprise(asked: list[Pause], **constants: float) -> float:
    """Return the mean surprise at the winners with these constants."""
    kept = {name: getattr(win_probability, name) for name in constants}
    try:
        for name, value in constants.items():
            setattr(win_probability, name, value)
        chances = [
            win_probability.chance_between(pause.rules, pause.totals, pause.leader, pause.winner)
            for pause in asked
        ]
    finally:
        for name, value in kept.items():
            setattr(win_probability, name, value)
    return -sum(map(log, chances)) / len(chances)


def fitted(asked: list[Pause], choices: Mapping[str, tuple[float, ...]]) -> dict[str, object]:
    """Return the best choice for each constant, starting from those in use."""
    trials = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    best = min(trials, key=lambda trial: surprise(asked, **trial))
    return {
        "pauses": len(asked),
        "in use": round(surprise(asked), 4),
        "best": round(surprise(asked, **best), 4),
        "with": best,
    }


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_win_probability")
    parser.add_argument("--matches", default=300, type=int, help="of each kind; default: 300")
    matches = parser.parse_args().matches
    last = [pause for document, players in FIELDS for pause in pauses(document, players, matches)]
    choices = {"POWER": (0.5, 1, 1.25, 1.5, 2), "SLACK": (5, 15, 30, 60), "LEAD": (1, 1.1, 1.25, 1.4)}
    print(json.dumps({"game_end": "last_survivor", **fitted(last, choices)}))
    bust = [pause for document, players in BUST for pause in pauses(document, players, matches)]
    choices = {"BEHIND": (5, 10, 15, 25, 40), "LEAD": (1, 1.1, 1.25)}
    print(json.dumps({"game_end": "first_bust", **fitted(bust, choices)}))


if __name__ == "__main__":
    main()
