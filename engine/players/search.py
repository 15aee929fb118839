"""The strong player: what the hidden cards may be, played out.

Each simulation draws a world that fits the view (`engine.players.determinization`) and plays the round on, to
its end if that comes soon, after each move that is still under consideration, with quick players in all seats
(`engine.players.rollout_policy`). What a move is worth is the chance to win the *match* from where it has led
(`engine.players.win_probability`). All moves are tried in the same worlds with the same luck, so that what
differs is the moves; and the worse half of them is dropped again and again (sequential halving), so that the
simulations go where the choice is. The heuristics' judgement (`engine.players.heuristics`) counts for less
the more simulations there have been.
"""

from collections.abc import Callable
from random import Random
from typing import Protocol

from engine.game import apply
from engine.moves import TurnMove
from engine.players.determinization import Determinizer
from engine.players.heuristics import judge
from engine.players.rollout_policy import RolloutPolicy
from engine.players.situation import Situation
from engine.players.win_probability import win_probability
from engine.state import Match
from engine.view import View

SIMULATIONS = 1000
"""Rounds played out for one move, if the caller does not stop earlier."""


HEURISTIC_WEIGHT = 0.05
"""What a point of the heuristics' judgement weighs, in matches won."""
MOST_BEHIND = 40.0
"""How far, in points, the heuristics can put a move behind another."""

HORIZON = 40
"""A round is played on for so many moves at most, and then judged as it stands."""


class Source(Protocol):
    """Where determinizations come from."""

    def draw(self) -> Match:
        """A match that could be behind the view."""
        ...


def search(
    view: View,
    rng: Random,
    keep_going: Callable[[], bool],
    simulations: int = SIMULATIONS,
    determinizer: Source | None = None,
) -> TurnMove:
    """The move after which the match is won most often. The view is that of the one to move.

    About `simulations` rounds are played out; if these are fewer than the moves, only those are tried that
    the heuristics rate best, at least two. When `keep_going` says no, the answer is the best found by then; a
    world that was not tried with every move does not count.
    """
    situation = Situation(view)
    judged = sorted(judge(situation), key=lambda each: -each.worth)[: max(2, simulations)]
    if len(judged) == 1:
        return judged[0].move
    if determinizer is None:
        determinizer = Determinizer(view, rng)
    policy = RolloutPolicy(view.rules, situation.players)
    alive = [each.move for each in judged]
    won = {each.move: HEURISTIC_WEIGHT * max(each.worth - judged[0].worth, -MOST_BEHIND) for each in judged}
    stages = (len(alive) - 1).bit_length()
    for _ in range(stages):
        for _ in range(max(1, simulations // stages // len(alive))):
            world, luck = determinizer.draw(), rng.random()
            chances = []
            for move in alive:
                if not keep_going():
                    return max(alive, key=lambda move: won[move])
                chance = Random(luck)  # noqa: S311 - luck that is the same for every move
                chances.append(played_out(world, move, policy, situation.seat, chance))
            for move, chance_won in zip(alive, chances, strict=True):
                won[move] += chance_won
        alive = sorted(alive, key=lambda move: -won[move])[: (len(alive) + 1) // 2]
    return alive[0]


def played_out(match: Match, move: TurnMove, policy: RolloutPolicy, seat: int, rng: Random) -> float:
    """The chance of the seat to win the match, after the move and one way in which the round may go on."""
    match = apply(match, move).match
    choose = policy.move
    for _ in range(HORIZON):
        if match.round is None:
            break
        match = apply(match, choose(match, rng)).match
    return win_probability(match, seat)
