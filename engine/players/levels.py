"""The levels of computer players, and what each would play.

A player is a pure function of his view and of seeded chance. He sees what a person in his seat would see,
the round's public events included, and knows no clock: a caller who wants an answer by some time says when
to stop.
"""

from collections.abc import Callable
from enum import StrEnum
from random import Random

from engine.moves import Play, TurnMove
from engine.players.advice import Advice, Why
from engine.players.heuristics import Judged, judge
from engine.players.search import SIMULATIONS, search
from engine.players.situation import Situation
from engine.view import View


class Level(StrEnum):
    """How well a computer player plays."""

    EASY = "easy"
    """Any legal move."""
    NORMAL = "normal"
    """Sound heuristics."""
    STRONG = "strong"
    """Plays out what the hidden cards may be."""


def choose(
    level: Level,
    view: View,
    rng: Random,
    keep_going: Callable[[], bool] = lambda: True,
    simulations: int = SIMULATIONS,
) -> TurnMove:
    """The move of a player of this level in this position; always one of `view.legal`.

    `keep_going` is asked now and then while a strong player thinks: once it says no, he plays what he has
    found best by then. Without it, the same view and the same seed give the same move. Raises `ValueError`
    if it is not the viewer's turn.
    """
    situation = Situation(view)
    if level is Level.EASY:
        return rng.choice(view.legal)
    if level is Level.NORMAL:
        return _best(judge(situation), rng).move
    return search(view, rng, keep_going, simulations)


def advise(view: View, rng: Random) -> Advice:
    """What a normal player would play, and why. Raises `ValueError` if it is not the viewer's turn."""
    judged = judge(Situation(view))
    best = _best(judged, rng)
    return Advice(best.move, _main_reason(best, judged))


def _best(judged: list[Judged], rng: Random) -> Judged:
    """One of the moves that are worth most."""
    most = max(each.worth for each in judged) - 1e-9
    return rng.choice([each for each in judged if each.worth >= most])


def _main_reason(best: Judged, judged: list[Judged]) -> Why:
    """What the move has most before the best of those that do something else."""
    if len(judged) == 1:
        return Why.ONLY_MOVE
    others = [each for each in judged if not _same_card(each, best)]
    rival = max(others or [each for each in judged if each is not best], key=lambda each: each.worth)
    reasons = {why: best.part(why) - rival.part(why) for why, _ in (*best.terms, *rival.terms)}
    return max(reasons, key=lambda why: reasons[why])


def _same_card(one: Judged, other: Judged) -> bool:
    a, b = one.move, other.move
    return isinstance(a, Play) and isinstance(b, Play) and a.card == b.card
