"""The levels of computer players, and the move that each would make.

A computer player is a pure function of its view and a seeded `Random`. It sees what a person in that seat
would see, including the round's public events. It has no clock: a caller with a deadline says when to stop.
"""

from collections.abc import Callable
from enum import StrEnum
from random import Random

from engine.moves import Play, TurnMove
from engine.players.advice import Advice, MoveReason
from engine.players.heuristics import Judged, judge
from engine.players.search import SIMULATIONS, search
from engine.players.situation import Situation
from engine.view import View


class Level(StrEnum):
    """How well a computer player plays.

    >>> from engine import Deal, Rules, apply, new_match, turn_move_text, view_for
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> turn_move_text(choose(Level.NORMAL, view_for(match, seat=1), Random(7)))
    'KC'
    """

    EASY = "easy"
    """Any legal move."""
    NORMAL = "normal"
    """The move that the heuristics rate best."""
    STRONG = "strong"
    """A search over what the hidden cards may be."""


def choose(
    level: Level,
    view: View,
    rng: Random,
    keep_going: Callable[[], bool] = lambda: True,
    simulations: int = SIMULATIONS,
) -> TurnMove:
    """The move of a player of this level in this position; always one of `view.legal`.

    `keep_going` is called now and then while a strong player searches; once it returns False, the result is
    the best move found so far. Without it, the same view and seed give the same move. Raises `ValueError` if
    it is not the viewer's turn.
    """
    situation = Situation(view)
    if level is Level.EASY:
        return rng.choice(view.legal)
    if level is Level.NORMAL:
        return _best(judge(situation), rng).move
    return search(view, rng, keep_going, simulations)


def advise(view: View, rng: Random) -> Advice:
    """A normal player's move, and the reason for it. Raises `ValueError` if it is not the viewer's turn."""
    judged = judge(Situation(view))
    best = _best(judged, rng)
    return Advice(best.move, _main_reason(best, judged))


def _best(judged: list[Judged], rng: Random) -> Judged:
    """One of the best moves, chosen at random."""
    most = max(each.worth for each in judged) - 1e-9
    return rng.choice([each for each in judged if each.worth >= most])


def _main_reason(best: Judged, judged: list[Judged]) -> MoveReason:
    """The reason that puts the move furthest ahead of the best alternative."""
    if len(judged) == 1:
        return MoveReason.ONLY_MOVE
    others = [each for each in judged if not _same_card(each, best)]
    rival = max(others or [each for each in judged if each is not best], key=lambda each: each.worth)
    reasons = {why: best.part(why) - rival.part(why) for why, _ in (*best.terms, *rival.terms)}
    return max(reasons, key=lambda why: reasons[why])


def _same_card(one: Judged, other: Judged) -> bool:
    a, b = one.move, other.move
    return isinstance(a, Play) and isinstance(b, Play) and a.card == b.card
