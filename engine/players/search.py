"""The strong player: what the hidden cards may be, played out.

Each simulation draws a world that fits the view (`engine.players.worlds`) and plays the round on, to its end
if that comes soon, after each move that is still under consideration, with quick players in all seats
(`engine.players.reflexes`). What a move is worth is the chance to win the *match* from where it has led
(`engine.players.prospects`). All moves are tried in the same worlds with the same luck, so that what differs
is the moves; and the worse half of them is dropped again and again (sequential halving), so that the
simulations go where the choice is. Habit's judgement (`engine.players.habits`) has a say that is the smaller
the more has been tried.
"""

from collections.abc import Callable
from random import Random
from typing import Protocol

from engine.game import apply
from engine.moves import TurnMove
from engine.players.habits import judge
from engine.players.prospects import win_chance
from engine.players.reflexes import Reflexes
from engine.players.situation import Situation
from engine.players.worlds import Worlds
from engine.state import Match
from engine.view import View

SIMULATIONS = 1000
"""Rounds played out for one move, if the caller does not stop earlier."""


HABIT = 0.05
"""What a point of habit's judgement weighs: as much as so many matches more that were won."""
MOST_BEHIND = 40.0
"""Points by which a move can be behind another in habit's judgement."""

HORIZON = 40
"""A round is played on for so many moves at most, and then judged as it stands."""


class Source(Protocol):
    """Where worlds come from."""

    def draw(self) -> Match:
        """A match that could be behind the view."""
        ...


def search(
    view: View,
    rng: Random,
    keep_going: Callable[[], bool],
    simulations: int = SIMULATIONS,
    worlds: Source | None = None,
) -> TurnMove:
    """The move after which the match is won most often. The view is that of the one to move.

    About `simulations` rounds are played out; if these are fewer than the moves, only those are tried that
    habit finds best, two at least. When `keep_going` says no, the answer is the best found by then; a world
    that was not tried with every move does not count.
    """
    situation = Situation(view)
    judged = sorted(judge(situation), key=lambda each: -each.worth)[: max(2, simulations)]
    if len(judged) == 1:
        return judged[0].move
    if worlds is None:
        worlds = Worlds(view, rng)
    reflexes = Reflexes(view.rules, situation.players)
    alive = [each.move for each in judged]
    won = {each.move: HABIT * max(each.worth - judged[0].worth, -MOST_BEHIND) for each in judged}
    stages = (len(alive) - 1).bit_length()
    for _ in range(stages):
        for _ in range(max(1, simulations // stages // len(alive))):
            world, luck = worlds.draw(), rng.random()
            chances = []
            for move in alive:
                if not keep_going():
                    return max(alive, key=lambda move: won[move])
                chance = Random(luck)  # noqa: S311 - luck that is the same for every move
                chances.append(played_out(world, move, reflexes, situation.seat, chance))
            for move, chance_won in zip(alive, chances, strict=True):
                won[move] += chance_won
        alive = sorted(alive, key=lambda move: -won[move])[: (len(alive) + 1) // 2]
    return alive[0]


def played_out(match: Match, move: TurnMove, reflexes: Reflexes, seat: int, rng: Random) -> float:
    """The chance of the seat to win the match, after the move and one way in which the round may go on."""
    match = apply(match, move).match
    choose = reflexes.move
    for _ in range(HORIZON):
        if match.round is None:
            break
        match = apply(match, choose(match, rng)).match
    return win_chance(match, seat)
