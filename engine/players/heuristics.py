"""Heuristics: the worth of each legal move, as a sum of terms.

Terms are in points, and each carries its reason, so that a choice can be explained. They work under any
rules, because they look at a card's effect and not at its name. They look one move ahead, and further only
along a run of own moves; `engine.players.search` looks further.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never

from engine.cards import Card, suit_of
from engine.moves import Draw, Play, TurnMove
from engine.players.advice import MoveReason
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
    """Factors for hitting a player who holds one card, or two."""
    sting_kept: float = 1.5
    """Keeping a card that hits while nobody is about to finish."""
    again: float = 5.0
    stuck: float = 7.0
    """Moving again at once, with a fitting card in hand (`again`) or with none (`stuck`)."""
    cover_missing: float = 9.0
    wild: float = 9.0
    """A wild kept in hand."""
    fitting: float = 0.8
    """Each card left in hand that fits on the card laid, or is of the suit ordered."""
    lacked: float = 2.5
    """Asking the next player for a suit that they are known to lack."""
    drawn: float = 4.5
    """A card drawn by choice."""


WEIGHTS: Final = Weights()


class Judged(NamedTuple):
    """A move with the terms for it (or, below zero, against it)."""

    move: TurnMove
    terms: tuple[tuple[MoveReason, float], ...]

    @property
    def worth(self) -> float:
        """What the move is worth, in points."""
        return sum(worth for _, worth in self.terms)

    def part(self, why: MoveReason) -> float:
        """How much of the worth is for this reason."""
        return sum(worth for reason, worth in self.terms if reason is why)


def judge(situation: Situation, weights: Weights = WEIGHTS) -> list[Judged]:
    """Every legal move with its terms, in the order of `View.legal`."""
    return [Judged(move, tuple(_terms(situation, move, weights))) for move in situation.view.legal]


def _terms(situation: Situation, move: TurnMove, weights: Weights) -> Iterator[tuple[MoveReason, float]]:
    if isinstance(move, Play):
        yield from _of_a_card(situation, move, weights)
    elif isinstance(move, Draw):
        owed = situation.round.pending
        yield MoveReason.PASS_IT_ON if owed else MoveReason.SHED_A_CARD, -weights.drawn * (owed or 1)


def _of_a_card(situation: Situation, move: Play, weights: Weights) -> Iterator[tuple[MoveReason, float]]:
    card, rules = move.card, situation.rules
    rest = situation.without(card)
    kind = situation.lookup.effects[card].kind
    if not rest and situation.may_end_with(card):
        yield MoveReason.FINISH, weights.finish - finish_bonus(rules, card)
        return
    if situation.goes_out(card, rest):
        yield MoveReason.GO_OUT, weights.go_out
    yield MoveReason.SHED_A_CARD, weights.card
    yield from _of_a_loss(situation, card, weights)
    follows = situation.on(card, rest)
    if kind == "wild":
        yield MoveReason.KEEP_THE_WILD, -weights.wild
        yield from _of_an_order(situation, move, weights)
    else:
        yield MoveReason.MATCH_COLOUR, weights.fitting * len(follows)
        if suit_of(card) in situation.lacked_next:
            yield MoveReason.STARVE_THE_NEXT, weights.lacked
    match kind:
        case "plain" | "wild":
            return
        case "cover":
            yield (
                (MoveReason.TWO_AT_ONCE, weights.card)
                if follows
                else (MoveReason.KEEP_THE_COVERED, -weights.cover_missing)
            )
            return
        case "attack" | "load":
            yield from _of_a_hit(situation, card, weights)
        case "reverse":
            pass
        case _:
            assert_never(kind)
    if situation.comes_back(card):
        yield (
            (MoveReason.MOVE_AGAIN, weights.again)
            if follows
            else (MoveReason.AVOID_BEING_STUCK, -weights.stuck)
        )


def _of_a_loss(situation: Situation, card: Card, weights: Weights) -> Iterator[tuple[MoveReason, float]]:
    """The worth of not holding the card if somebody else wins the round."""
    rest = situation.without(card)
    lighter = situation.burden(situation.hand) - situation.burden(rest)
    with_it, without_it = situation.total_with(situation.hand), situation.total_with(rest)
    if with_it != without_it and min(with_it, without_it) < situation.total:
        why = MoveReason.AIM_AT_THE_LIMIT
    elif with_it > situation.rules.limit >= without_it:
        why = MoveReason.STAY_IN
    else:
        why = MoveReason.SHED_POINTS
    yield why, situation.danger * lighter
    yield MoveReason.SHED_POINTS, weights.points * situation.lookup.points[card]


def _of_an_order(situation: Situation, move: Play, weights: Weights) -> Iterator[tuple[MoveReason, float]]:
    suit = suit_of(move.card) if move.suit is None else move.suit
    rest = situation.without(move.card)
    mine = sum(suit_of(card) == suit for card in rest if card not in situation.lookup.wilds)
    yield MoveReason.ORDER_LONGEST_SUIT, 2 * weights.fitting * mine
    if suit in situation.lacked_next:
        yield MoveReason.ORDER_WHAT_THEY_LACK, weights.lacked


def _of_a_hit(situation: Situation, card: Card, weights: Weights) -> Iterator[tuple[MoveReason, float]]:
    effect = situation.lookup.effects[card]
    held = situation.cards_of(situation.next)
    worth = weights.taken * (effect.cards + situation.round.pending)
    if effect.kind == "attack":
        worth += weights.skipped
    if situation.round.attack_rank is not None:
        yield MoveReason.PASS_IT_ON, worth
    elif held <= len(weights.last_cards):
        yield MoveReason.STING_THE_LAST_CARD, worth * weights.last_cards[held - 1]
    else:
        yield MoveReason.HIT, worth
        if situation.players > 2:
            yield MoveReason.KEEP_THE_STING, -weights.sting_kept
