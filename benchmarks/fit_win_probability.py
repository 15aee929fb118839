"""Fits what totals are worth, the constants of `engine.players.win_probability`.

`python -m benchmarks.fit_win_probability`: normal players play matches, and each pause between two rounds is
a question to the model: who will win? Printed are the constants under which the winners there were are the
least surprising, by the mean of the surprise in nats, beside the constants that are in use.
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
    """Between two rounds: the totals by seat, who leads next, and who won the match in the end."""

    rules: Rules
    totals: Mapping[int, int]
    leader: int | None
    winner: int


def pauses(document: Mapping[str, object], players: int, matches: int) -> Iterator[Pause]:
    """All pauses of so many matches, but those before the first round."""
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
    """The mean surprise at the winners, with these constants in the place of those in use."""
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
    """The best of the choices for each constant, beside what is in use."""
    trials = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    best = min(trials, key=lambda trial: surprise(asked, **trial))
    return {
        "pauses": len(asked),
        "in use": round(surprise(asked), 4),
        "best": round(surprise(asked, **best), 4),
        "with": best,
    }


def main() -> None:
    """Play, fit, print."""
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
