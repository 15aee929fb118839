"""The strong player: a search over what the hidden cards may be.

Each simulation draws a determinization of the view (`engine.players.determinization`), makes each candidate
move in it and plays the round on with a quick policy in all seats (`engine.players.rollout_policy`). A move
is worth the chance to win the *match* from the position reached (`engine.players.win_probability`). All moves
are tried in the same determinizations with the same random numbers, so only the moves differ, and the worse
half is dropped after each stage (sequential halving). The heuristics (`engine.players.heuristics`) have a
say that matters less the more simulations there are.
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
"""Rollouts for one move, unless the caller stops earlier."""

HEURISTIC_WEIGHT = 0.05
"""The worth of one point of the heuristics, in matches won."""
MOST_BEHIND = 40.0
"""The most, in points, by which the heuristics put a move behind the best."""

HORIZON = 40
"""The most moves in a rollout; an unfinished round is then judged as it stands."""


class Source(Protocol):
    """A source of determinizations."""

    def draw(self) -> Match:
        """A match that is consistent with the view."""
        ...


def search(
    view: View,
    rng: Random,
    keep_going: Callable[[], bool],
    simulations: int = SIMULATIONS,
    determinizer: Source | None = None,
) -> TurnMove:
    """The move after which the match is won most often. The view is that of the player to move.

    About `simulations` rounds are played out. If there are more moves than that, only those rated best by the
    heuristics are tried, at least two. When `keep_going` says no, the result is the best move so far; a
    determinization that was not tried with every move does not count.
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
            world, seed = determinizer.draw(), rng.random()
            chances = []
            for move in alive:
                if not keep_going():
                    return max(alive, key=lambda move: won[move])
                chance = Random(seed)  # noqa: S311 - the same random numbers for every move
                chances.append(played_out(world, move, policy, situation.seat, chance))
            for move, chance_won in zip(alive, chances, strict=True):
                won[move] += chance_won
        alive = sorted(alive, key=lambda move: -won[move])[: (len(alive) + 1) // 2]
    return alive[0]


def played_out(match: Match, move: TurnMove, policy: RolloutPolicy, seat: int, rng: Random) -> float:
    """The chance that the seat wins the match after the move and one rollout of the round."""
    match = apply(match, move).match
    choose = policy.move
    for _ in range(HORIZON):
        if match.round is None:
            break
        match = apply(match, choose(match, rng)).match
    return win_probability(match, seat)
