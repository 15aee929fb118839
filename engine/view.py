"""Views: what one seat may see of a match.

A view is a type of its own, built field by field, so a new field of the state stays hidden until somebody
shows it on purpose. All output is made from views, so a message cannot give away what its reader may not
know.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import Card, rank_of
from engine.events import Event, seen_by
from engine.game import legal, turn_stamp
from engine.moves import TurnMove
from engine.rules import Rules
from engine.state import Match, Phase, Round, RoundResult, Stamp, Status


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody sees it; `cards` is the number of cards held.

    >>> from engine import new_match
    >>> view_for(new_match(Rules(), ["anna", "boris"]), seat=0).seats[1]
    SeatView(id='boris', total=0, status=<Status.IN: 'in'>, cards=0)
    """

    id: str
    total: int
    status: Status
    cards: int


@dataclass(frozen=True, slots=True)
class RoundView:
    """The running round; only `found` depends on the viewer.

    >>> from engine import Deal, apply, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> shown = view_for(match, seat=0).round
    >>> shown.turn, shown.stock, shown.discard
    (1, 28, ())
    """

    number: int
    leader: int
    turn: int
    top: Card | None
    discard: tuple[Card, ...]
    """The open pile, its top card last."""
    stock: int
    """How many cards lie in the stock."""
    ordered: int | None
    must_cover: bool
    pending: int
    """Cards owed in an attack that the mover may answer."""
    attack_rank: int | None
    """The rank that answers the attack; None if there is none."""
    direction: int
    stamp: Stamp
    drawn: bool
    """Whether the mover has drawn in this turn and laid nothing since."""
    found: Card | None
    """The card that the mover drew last; None for anybody else."""
    commitment: str | None
    cut: int


@dataclass(frozen=True, slots=True)
class View:
    """A match as the viewer may see it.

    >>> from engine import Deal, apply, card_code, new_match
    >>> match = apply(new_match(Rules(), ["anna", "boris"]), Deal(bytes(32))).match
    >>> [card_code(card) for card in view_for(match, seat=0).hand]
    ['10C', '9D', '7H', '10S']
    >>> view_for(match, seat=None).hand is None
    True
    """

    rules: Rules
    seats: tuple[SeatView, ...]
    seat: int | None
    """The viewer's seat; None for an onlooker."""
    hand: tuple[Card, ...] | None
    """The viewer's cards in the order received; None for an onlooker."""
    legal: tuple[TurnMove, ...]
    """The viewer's legal moves; empty unless it is their turn."""
    round: RoundView | None
    number: int
    leader: int | None
    """As `Match.leader`."""
    last_round: RoundResult | None
    winner: int | None
    phase: Phase
    history: tuple[tuple[Event, ...], ...]
    """The events of past moves, as the viewer may see them."""


def view_for(match: Match, seat: int | None, history: Sequence[Sequence[Event]] = ()) -> View:
    """The match as `seat` may see it, None being an onlooker.

    `history` is the events of the moves so far, move by move.
    """
    running = match.round
    hands = ((),) * len(match.seats) if running is None else running.piles.hands
    return View(
        rules=match.rules,
        seats=tuple(
            SeatView(player.id, player.total, player.status, len(hands[place]))
            for place, player in enumerate(match.seats)
        ),
        seat=seat,
        hand=None if seat is None else hands[seat],
        legal=legal(match, seat),
        round=None if running is None else _round_view(match, running, seat),
        number=match.number,
        leader=match.leader,
        last_round=match.last_round,
        winner=match.winner,
        phase=match.phase,
        history=tuple(tuple(seen_by(event, seat) for event in events) for events in history),
    )


def _round_view(match: Match, running: Round, seat: int | None) -> RoundView:
    piles, turn = running.piles, running.turn
    top = piles.discard[-1] if piles.discard else None
    attacked = turn.pending is not None
    return RoundView(
        number=match.number,
        leader=running.origin.leader,
        turn=turn.seat,
        top=top,
        discard=piles.discard,
        stock=len(piles.stock),
        ordered=turn.ordered,
        must_cover=turn.must_cover,
        pending=turn.pending or 0,
        attack_rank=rank_of(top) if attacked and top is not None else None,
        direction=running.direction,
        stamp=turn_stamp(match),
        drawn=turn.found is not None,
        found=turn.found if seat == turn.seat else None,
        commitment=running.commitment,
        cut=running.origin.cut,
    )
