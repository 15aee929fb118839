"""Heuristics: what each legal move of a situation is worth, term by term.

The terms are in points, and each bears the reason that it stands for, so that a choice can be explained.
They hold under any rules, because they look at what a card does, not at which card it is. They look one
move ahead, and further only along a run of own moves; to look further is for `engine.players.search`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from engine.cards import Card, suit_of
from engine.moves import Draw, Play, TurnMove
from engine.players.advice import Why
from engine.players.situation import Situation
from engine.scoring import finish_bonus


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each heuristic counts, in points."""

    finish: float = 1000.0
    go_out: float = 500.0
    card: float = 4.5
    """A card less in hand."""
    points: float = 0.3
    """A point less in hand, while no loss is near."""
    taken: float = 1.5
    """A card that the next player takes."""
    skipped: float = 1.5
    """The next player's lost turn."""
    last_cards: tuple[float, float] = (4.0, 2.0)
    """What hitting somebody is multiplied with who holds one card, or two."""
    sting_kept: float = 1.5
    """Keeping a card that hits while nobody is about to finish."""
    again: float = 5.0
    stuck: float = 7.0
    """To have the turn at once again, with something that fits or with nothing."""
    cover_missing: float = 9.0
    wild: float = 9.0
    """A wild kept in hand."""
    fitting: float = 0.8
    """Each card of the rest that fits on the card laid, or is of the suit ordered."""
    lacked: float = 2.5
    """Asking the next player for a suit that he has shown to lack."""
    drawn: float = 4.5
    """A card drawn by choice."""


WEIGHTS: Final = Weights()


class Judged(NamedTuple):
    """A move, and what speaks for it (or, below zero, against it)."""

    move: TurnMove
    terms: tuple[tuple[Why, float], ...]

    @property
    def worth(self) -> float:
        """What the move is worth, in points."""
        return sum(worth for _, worth in self.terms)

    def part(self, why: Why) -> float:
        """How much of the worth is for this reason."""
        return sum(worth for reason, worth in self.terms if reason is why)


def judge(situation: Situation, weights: Weights = WEIGHTS) -> list[Judged]:
    """Every legal move with its terms, in the order in which the view lists them."""
    return [Judged(move, tuple(_terms(situation, move, weights))) for move in situation.view.legal]


def _terms(situation: Situation, move: TurnMove, weights: Weights) -> Iterator[tuple[Why, float]]:
    if isinstance(move, Play):
        yield from _of_a_card(situation, move, weights)
    elif isinstance(move, Draw):
        owed = situation.round.pending
        yield Why.PASS_IT_ON if owed else Why.SHED_A_CARD, -weights.drawn * (owed or 1)


def _of_a_card(situation: Situation, move: Play, weights: Weights) -> Iterator[tuple[Why, float]]:
    card, rules = move.card, situation.rules
    rest = situation.without(card)
    kind = situation.lookup.effects[card].kind
    if not rest and situation.may_end_with(card):
        yield Why.FINISH, weights.finish - finish_bonus(rules, card)
        return
    if situation.goes_out(card, rest):
        yield Why.GO_OUT, weights.go_out
    yield Why.SHED_A_CARD, weights.card
    yield from _of_a_loss(situation, card, weights)
    follows = situation.on(card, rest)
    if kind == "wild":
        yield Why.KEEP_THE_WILD, -weights.wild
        yield from _of_an_order(situation, move, weights)
    else:
        yield Why.MATCH_COLOUR, weights.fitting * len(follows)
        if suit_of(card) in situation.lacked_next:
            yield Why.STARVE_THE_NEXT, weights.lacked
    match kind:
        case "plain" | "wild":
            return
        case "cover":
            yield (
                (Why.TWO_AT_ONCE, weights.card) if follows else (Why.KEEP_THE_COVERED, -weights.cover_missing)
            )
            return
        case "attack" | "load":
            yield from _of_a_hit(situation, card, weights)
        case "reverse":
            pass
        case _:
            assert_never(kind)
    if situation.comes_back(card):
        yield (Why.MOVE_AGAIN, weights.again) if follows else (Why.AVOID_BEING_STUCK, -weights.stuck)


def _of_a_loss(situation: Situation, card: Card, weights: Weights) -> Iterator[tuple[Why, float]]:
    """What it is worth to be without the card if somebody else wins the round."""
    rest = situation.without(card)
    lighter = situation.burden(situation.hand) - situation.burden(rest)
    with_it, without_it = situation.total_with(situation.hand), situation.total_with(rest)
    if with_it != without_it and min(with_it, without_it) < situation.total:
        why = Why.AIM_AT_THE_LIMIT
    elif with_it > situation.rules.limit >= without_it:
        why = Why.STAY_IN
    else:
        why = Why.SHED_POINTS
    yield why, situation.danger * lighter
    yield Why.SHED_POINTS, weights.points * situation.lookup.points[card]


def _of_an_order(situation: Situation, move: Play, weights: Weights) -> Iterator[tuple[Why, float]]:
    suit = suit_of(move.card) if move.suit is None else move.suit
    rest = situation.without(move.card)
    mine = sum(suit_of(card) == suit for card in rest if card not in situation.lookup.wilds)
    yield Why.ORDER_LONGEST_SUIT, 2 * weights.fitting * mine
    if suit in situation.lacked_next:
        yield Why.ORDER_WHAT_THEY_LACK, weights.lacked


def _of_a_hit(situation: Situation, card: Card, weights: Weights) -> Iterator[tuple[Why, float]]:
    effect = situation.lookup.effects[card]
    held = situation.cards_of(situation.next)
    worth = weights.taken * (effect.cards + situation.round.pending)
    if effect.kind == "attack":
        worth += weights.skipped
    if situation.round.attack_rank is not None:
        yield Why.PASS_IT_ON, worth
    elif held <= len(weights.last_cards):
        yield Why.STING_THE_LAST_CARD, worth * weights.last_cards[held - 1]
    else:
        yield Why.HIT, worth
        if situation.players > 2:
            yield Why.KEEP_THE_STING, -weights.sting_kept
