"""Strength of the computer players, measured by tournaments: `python -m benchmarks.bench_players`.

A *group* of matches is one series of deals, played once for each rotation of the players through the seats,
so that nobody is dealt better cards than the others. Shares of won matches are means over groups. The
interval is the 95 % percentile bootstrap over groups (2,000 resamples), since matches of a group share deals.
Everything but the order of the results follows from the seed.

`seer` is a player that searches as `strong` does but sees all cards: an upper bound for better guesses about
hidden cards. It exists in this benchmark only.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from engine import Deal, Event, Match, Rules, TurnMove, apply, new_match, view_for
from engine.players import Level, choose
from engine.players.search import search

SEER = "seer"
PLAYERS = (*(str(level) for level in Level), SEER)
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Tournament:
    """The players, with the measured one first, the rules, and the target, if any."""

    preset: str
    players: tuple[str, ...]
    aim: float | None = None


TOURNAMENTS = (
    Tournament("classic", ("normal", "easy"), 0.70),
    Tournament("classic", ("strong", "normal"), 0.60),
    Tournament("classic", ("seer", "normal")),
    Tournament("classic", ("strong", "normal", "normal")),
    Tournament("classic", ("normal", "easy", "easy", "easy")),
    Tournament("classic", ("strong", "normal", "normal", "normal"), 0.33),
    Tournament("classic", ("seer", "normal", "normal", "normal")),
    Tournament("five_card", ("normal", "easy"), 0.70),
    Tournament("five_card", ("strong", "normal"), 0.60),
    Tournament("five_card", ("strong", "normal", "normal")),
    Tournament("five_card", ("strong", "normal", "normal", "normal"), 0.33),
    Tournament("game_108", ("normal", "easy"), 0.70),
    Tournament("game_108", ("strong", "normal"), 0.60),
    Tournament("game_108", ("strong", "normal", "normal")),
    Tournament("game_108", ("strong", "normal", "normal", "normal"), 0.33),
)


@dataclass(frozen=True, slots=True)
class Group:
    """One series of deals, to be played with every rotation."""

    tournament: Tournament
    seed: int
    simulations: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a group."""

    share: float
    """The share of its matches that the measured player won."""
    moves: int
    rounds: int
    seconds: float


def play_group(group: Group) -> Outcome:
    """Play the matches of a group."""
    players = group.tournament.players
    won = moves = rounds = 0
    started = time.perf_counter()
    for rotation in range(len(players)):
        seated = players[-rotation:] + players[:-rotation] if rotation else players
        match = new_match(Rules.from_document({"preset": group.tournament.preset}), _ids(seated))
        deals = Random(group.seed)
        chance = Random(group.seed * 31 + rotation)
        history: list[tuple[Event, ...]] = []
        while match.winner is None:
            if match.round is None:
                rounds += 1
                match, events = apply(match, Deal(deals.randbytes(32)))
                history = [events]
                continue
            moves += 1
            match, events = apply(match, _move(match, history, seated, group.simulations, chance))
            history.append(events)
        won += match.winner == rotation
    return Outcome(won / len(players), moves, rounds, time.perf_counter() - started)


def _ids(seated: Sequence[str]) -> list[str]:
    return [f"{number}-{player}" for number, player in enumerate(seated)]


def _move(
    match: Match, history: list[tuple[Event, ...]], seated: Sequence[str], simulations: int, chance: Random
) -> TurnMove:
    assert match.round is not None
    seat = match.round.turn.seat
    view = view_for(match, seat, history)
    if seated[seat] == SEER:
        return search(view, chance, lambda: True, simulations, TheRealOne(match))
    return choose(Level(seated[seat]), view, chance, simulations=simulations)


@dataclass(frozen=True, slots=True)
class TheRealOne:
    """A source of determinizations that knows all cards."""

    match: Match

    def draw(self) -> Match:
        """Return the match as it is."""
        return self.match


def interval(shares: Sequence[float], chance: Random) -> tuple[float, float]:
    """The 95 % percentile bootstrap of the mean, over groups."""
    means = sorted(sum(chance.choices(shares, k=len(shares))) / len(shares) for _ in range(RESAMPLES))
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def measured(tournament: Tournament, matches: int, simulations: int, seed: int, jobs: int) -> dict[str, Any]:
    """Play a tournament; return the result, JSON-ready."""
    groups = max(1, round(matches / len(tournament.players)))
    work = [Group(tournament, seed * 1_000_003 + number, simulations) for number in range(groups)]
    started = time.perf_counter()
    outcomes = list(_played(work, jobs))
    shares = [outcome.share for outcome in outcomes]
    low, high = interval(shares, Random(seed))
    return {
        "preset": tournament.preset,
        "players": " ".join(tournament.players),
        "matches": groups * len(tournament.players),
        "won": round(sum(shares) / groups, 3),
        "interval": [round(low, 3), round(high, 3)],
        "aim": tournament.aim,
        "even": round(1 / len(tournament.players), 3),
        "rounds_a_match": round(
            sum(outcome.rounds for outcome in outcomes) / groups / len(tournament.players), 1
        ),
        "seconds": round(time.perf_counter() - started),
    }


def _played(work: Sequence[Group], jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from map(play_group, work)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(play_group, work)


def main() -> None:
    """Play the tournaments one after another, and print a line of JSON for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_players")
    parser.add_argument("--matches", default=200, type=int, help="for each tournament; default: 200")
    parser.add_argument(
        "--simulations", default=200, type=int, help="of strong and seer, for each move; default: 200"
    )
    parser.add_argument("--seed", default=101, type=int, help="default: 101")
    parser.add_argument("--jobs", default=2, type=int, help="processes; default: 2")
    parser.add_argument("--preset", help="one tournament only: under these rules …")
    parser.add_argument(
        "--players", help=f"… among these, the first being measured: of {', '.join(PLAYERS)}, with commas"
    )
    chosen = parser.parse_args()
    tournaments: Sequence[Tournament] = TOURNAMENTS
    if chosen.preset or chosen.players:
        players = tuple((chosen.players or "strong,normal").split(","))
        if not set(players) <= set(PLAYERS):
            parser.error(f"players are {', '.join(PLAYERS)}")
        tournaments = (Tournament(chosen.preset or "classic", players),)
    for tournament in tournaments:
        print(json.dumps(measured(tournament, chosen.matches, chosen.simulations, chosen.seed, chosen.jobs)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
