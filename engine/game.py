"""The rules of play: all transitions of a match.

A match consists of rounds, until one player is left. In a round, players in turn lay a card that has the top
card's suit or rank, or is wild, and draw if they cannot. Special cards make the next player take cards or
lose the turn, must be covered, order a suit, or reverse the direction of play. Which card has which effect is
data (`engine.matching`); what an effect does is implemented here, in `_take_effect`. A player with no cards
left wins the round, the others score their hands (`engine.scoring`), and a total above the limit is out.

`apply` is the only way from one state to the next. It depends on the match and the move alone; randomness
enters with a deal's seed. A refused move raises `Illegal` before anything is built. `engine.legality` decides
whether the mover may draw or pass.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, assert_never

from engine.cards import CARDS, SUITS, Card, rank_of, suit_of
from engine.dealing import deal_round
from engine.effects import Effect, EffectKind
from engine.events import (
    AttackOpened,
    CardLaid,
    CardsDrawn,
    DrawCause,
    Event,
    MatchEnded,
    PassCause,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    Transition,
    card_laid,
    turn_skipped,
)
from engine.legality import legal, may_draw_or_pass
from engine.matching import CardLookup, CardSet
from engine.moves import Deal, Draw, Illegal, Join, Leave, Move, Pass, Play, Reason
from engine.round_builder import RoundBuilder, make, transition
from engine.rules import Rules
from engine.scoring import Points, blocked_round_points, new_total, won_round_points
from engine.state import Counters, Match, Piles, Round, RoundResult, Seat, Stamp, Status, Turn, ring_of

__all__ = ["Transition", "apply", "legal", "new_match", "seated_match", "set_up", "turn_stamp"]

MOST_MOVES: Final = 500
"""The number of turn moves after which a round is blocked."""

WILDS_EACH: Final = 4
"""A round is blocked when the cards laid last, this many for each player in, were all wild."""


def new_match(rules: Rules, players: Sequence[str], leader: int | None = None) -> Match:
    """A match before its first deal, with the players (ids) seated clockwise.

    `leader` is the seat that leads the first round; None has the first deal draw it.
    Raises `Illegal`: not_enough_players, already_seated or too_many_players.
    """
    return seated_match(rules, tuple(Seat(player, 0, Status.IN) for player in players), leader)


def seated_match(rules: Rules, seats: tuple[Seat, ...], leader: int | None = None) -> Match:
    """A match before its first deal with these seats as they are. Raises as `new_match`."""
    match = Match(rules, seats, None, 0, leader, None, None)
    still_in = len(match.seats_in())
    if still_in < 2:
        raise Illegal(Reason.NOT_ENOUGH_PLAYERS)
    if len({seat.id for seat in seats}) < len(seats):
        raise Illegal(Reason.ALREADY_SEATED)
    if still_in > rules.max_seats:
        raise Illegal(Reason.TOO_MANY_PLAYERS, f"{rules.max_seats} at most")
    return match


def apply(match: Match, move: Move) -> Transition:
    """Make the move. Raises `Illegal` with the first reason against it that applies."""
    return _TRANSITIONS[type(move)](match, move)


def set_up(match: Match, running: Round) -> Match:
    """The match with this round, which was set up by hand; the discard pile is recycled if due."""
    builder = RoundBuilder(match, running, [])
    builder.recycle_if_due()
    return builder.done().match


def turn_stamp(match: Match) -> Stamp:
    """The present moment of the match."""
    return Stamp(match.number, 0 if match.round is None else match.round.counters.moves)


# ------------------------------------------------------------------------------------------ turn moves


def _play(match: Match, move: Play) -> Transition:
    seat, card, suit = move.seat, move.card, move.suit
    running = match.round
    if running is None:
        raise Illegal(_reason_not_to_move(match, seat))
    piles, turn, counters, ring, origin = running
    hands, stock, discard = piles
    mover, _, covering, pending, _, playable = turn
    moves, _, wilds, recycles = counters
    if seat != mover:
        raise Illegal(_reason_not_to_move(match, seat))
    lookup = match.rules.lookup
    hand = list(hands[seat])
    if card not in hand or card not in playable or not (suit is None or _may_order(lookup, card, suit)):
        raise Illegal(_reason_against(move, hand, playable))

    hand.remove(card)
    all_hands = list(hands)
    all_hands[seat] = tuple(hand)
    effect = lookup.effects[card]
    kind = effect.kind
    moves += 1
    must_cover, next_seat = False, ring.after[seat]
    if kind == "wild":
        wilds += 1
        if suit is None:
            suit = suit_of(card)
    else:
        wilds = 0
        if kind == "cover":
            must_cover, next_seat = True, seat
    told = card_laid(seat, card, suit if hand else None, covering, len(hand), effect)
    events: tuple[Event, ...] = (told,)

    # Usually there is nothing to recycle and the round goes on: the common effects are then settled here.
    settled = False
    if hand and stock and moves < MOST_MOVES and wilds < WILDS_EACH * len(ring.seats):
        if kind != "attack":
            settled = kind in _ONLY_FOR_THE_MOVER
        elif lookup.answers[card].isdisjoint(hands[next_seat]):
            owed = effect.cards + (pending or 0)
            settled = owed < len(stock)
            if settled:
                events = (told, turn_skipped(next_seat))
                if owed:
                    taken, stock = stock[:owed], stock[owed:]
                    all_hands[next_seat] += taken
                    cause = DrawCause.PENALTY if pending is None else DrawCause.ATTACK
                    events = (told, CardsDrawn(next_seat, owed, taken, cause), events[1])
                next_seat, pending = ring.after[next_seat], None

    follows = lookup.follows[card] if suit is None else lookup.fits_order[suit]
    laid = make(
        Round,
        (
            make(Piles, (tuple(all_hands), stock, discard + (card,))),  # noqa: RUF005 - without a list between
            make(Turn, (next_seat, suit, must_cover, pending, None, follows)),
            make(Counters, (moves, 0, wilds, recycles)),
            ring,
            origin,
        ),
    )
    return transition(match, laid, events) if settled else _take_effect(match, laid, told, move)


def _may_order(lookup: CardLookup, card: Card, suit: int) -> bool:
    """Whether the card is a wild, and this is a suit for it to order."""
    return card in lookup.wilds and 0 <= suit < len(SUITS)


def _reason_against(move: Play, hand: list[Card], playable: CardSet) -> Reason:
    """Why the mover, who holds this hand, may not play the card: the first reason that applies."""
    if move.card not in CARDS or not (move.suit is None or 0 <= move.suit < len(SUITS)):
        return Reason.BAD_MOVE
    if move.card not in hand:
        return Reason.CARD_NOT_IN_HAND
    return Reason.SUIT_NOT_ALLOWED if move.card in playable else Reason.CARD_DOES_NOT_MATCH


_ONLY_FOR_THE_MOVER: Final[frozenset[EffectKind]] = frozenset({"plain", "wild", "cover"})


def _take_effect(match: Match, laid: Round, told: CardLaid, move: Play) -> Transition:
    """Apply the effect of the card just laid, and conclude the move."""
    effect, rules = told.effect, match.rules
    builder = RoundBuilder(match, laid, [told])
    if told.left == 0 and not (effect.kind == "cover" and rules.finish_on_cover == "must_cover"):
        return _win(builder, move, effect)
    match effect.kind:
        case "plain" | "wild" | "cover":
            pass
        case "attack":
            _attack(builder, move.card, effect)
        case "load":
            builder.take(builder.seat, effect.cards, DrawCause.LOAD)
        case "reverse":
            builder.turn_direction()
            builder.seat = move.seat if len(laid.ring.seats) == 2 else builder.ring.after[move.seat]
        case _:
            assert_never(effect.kind)
    return _after_turn_move(builder)


def _attack(builder: RoundBuilder, card: Card, effect: Effect) -> None:
    """Open the attack if the player to move next can pass it on; else they take the cards and are skipped."""
    victim, gathered = builder.seat, builder.pending
    owed = effect.cards + (gathered or 0)
    if builder.rules.lookup.answers[card].isdisjoint(builder.hands[victim]):
        builder.take(victim, owed, DrawCause.PENALTY if gathered is None else DrawCause.ATTACK)
        builder.skip_turn()
    else:
        builder.events.append(AttackOpened(victim, owed, rank_of(card)))
        builder.pending = owed


def _draw(match: Match, move: Draw) -> Transition:
    running = _round_for(match, move.seat)
    rules, piles = match.rules, running.piles
    seat, _, must_cover, pending, found, playable = running.turn
    can_lay = not playable.isdisjoint(piles.hands[seat])
    if not may_draw_or_pass(rules, piles, must_cover, pending, found, can_lay)[0]:
        raise Illegal(Reason.DRAW_NOT_ALLOWED)

    builder = RoundBuilder(match, running, [])
    builder.moves += 1
    builder.passes = 0
    if pending is not None:
        builder.take(seat, pending, DrawCause.ATTACK)
        builder.skip_turn()
    elif must_cover:
        if rules.cover_draw == "one":
            if not builder.draw_one(playable, DrawCause.COVER):
                builder.pass_turn(PassCause.COVER_MISSED)
        elif not builder.draw_until(playable, DrawCause.COVER, through_recycling=True):
            builder.pass_turn(PassCause.COVER_GAVE_OUT)
    elif rules.draw == "until_playable" and not can_lay:
        if not builder.draw_until(playable, DrawCause.TURN, through_recycling=rules.stock_out == "recycle"):
            builder.pass_turn(PassCause.CARDS_GAVE_OUT)
    else:
        fits = builder.draw_one(playable, DrawCause.TURN)
        if rules.draw == "one_then_pass":
            builder.pass_turn(PassCause.DREW_AND_PASSED)
        elif not fits and not can_lay:
            builder.pass_turn(PassCause.FOUND_NOTHING)
    return _after_turn_move(builder)


def _pass(match: Match, move: Pass) -> Transition:
    running = _round_for(match, move.seat)
    rules, piles = match.rules, running.piles
    seat, _, must_cover, pending, found, playable = running.turn
    can_lay = not playable.isdisjoint(piles.hands[seat])
    if not may_draw_or_pass(rules, piles, must_cover, pending, found, can_lay)[1]:
        raise Illegal(Reason.PASS_NOT_ALLOWED)

    builder = RoundBuilder(match, running, [])
    builder.moves += 1
    if pending is not None:
        builder.skip_turn()
    elif must_cover:
        builder.pass_turn(PassCause.COVER_GAVE_OUT)
    elif can_lay:
        builder.pass_turn(PassCause.CHOSEN)
    else:
        builder.passes += 1
        builder.pass_turn(PassCause.NOTHING_TO_DRAW)
    return _after_turn_move(builder)


def _round_for(match: Match, seat: int) -> Round:
    """The running round. Raises `Illegal` unless it is this seat's turn."""
    running = match.round
    if running is None or running.turn.seat != seat:
        raise Illegal(_reason_not_to_move(match, seat))
    return running


def _reason_not_to_move(match: Match, seat: int) -> Reason:
    """Why a seat that is not the one to move may make no turn move: the first reason that applies."""
    if match.winner is not None:
        return Reason.MATCH_OVER
    if match.round is None:
        return Reason.NO_ROUND
    return Reason.NOT_YOUR_TURN if _is_in(match, seat) else Reason.NOT_A_PLAYER


def _after_turn_move(builder: RoundBuilder) -> Transition:
    """Conclude a turn move that does not win the round: recycle if due, and end a blocked round."""
    builder.recycle_if_due()
    if _is_blocked(len(builder.ring.seats), builder.moves, builder.passes, builder.wilds):
        return _block(builder)
    return builder.done()


def _is_blocked(playing: int, moves: int, passes: int, wilds: int) -> bool:
    """Whether a round of this many players ends: all have passed, wilds go round, or it would never end.

    `_play` repeats the last two conditions, to settle most moves without a call.
    """
    return passes == playing or wilds >= WILDS_EACH * playing or moves >= MOST_MOVES


# ------------------------------------------------------------------------------------- the end of a round


def _win(builder: RoundBuilder, laid: Play, effect: Effect) -> Transition:
    """End the round that the card just laid wins, after its effect if the rules say so."""
    if builder.rules.finish_effect == "applied":
        owed = effect.cards + (builder.pending or 0)
        builder.take(builder.ring.after[laid.seat], owed, DrawCause.FINISH)
    points = won_round_points(builder.rules, builder.hands_in(), laid.seat, laid.card)
    return _end_round(builder, points, laid.seat, laid.seat)


def _block(builder: RoundBuilder) -> Transition:
    """End the blocked round. The first in turn order of those with the lowest hand may lead the next one."""
    points, lowest = blocked_round_points(builder.rules, builder.hands_in())
    first = builder.seat
    while first not in lowest:
        first = builder.ring.after[first]
    return _end_round(builder, points, None, first)


def _end_round(builder: RoundBuilder, points: Points, winner: int | None, foremost: int) -> Transition:
    """Score the round. `foremost` leads the next one where the rules have the winner lead."""
    before, rules, events = builder.before, builder.rules, builder.events
    seats, limit = list(before.seats), rules.limit
    totals = tuple([(seat, new_total(rules, seats[seat].total, scored)) for seat, scored in points])
    result = RoundResult(before.number, winner, points, totals, builder.hands_in(), *builder.origin)
    events.append(RoundEnded(result, blocked=winner is None))
    survivors = []
    for seat, total in totals:
        if total > limit:
            seats[seat] = Seat(seats[seat].id, total, Status.OUT)
            events.append(SeatOut(seat, total))
        else:
            seats[seat] = Seat(seats[seat].id, total, Status.IN)
            survivors.append(seat)
    leader, best = builder.origin.leader, None
    if len(survivors) == 1 or (rules.game_end == "first_bust" and len(survivors) < len(totals)):
        best = min(survivors, key=lambda seat: seats[seat].total)
        events.append(MatchEnded(best))
    else:
        leader = _next_leader(rules, survivors, result, foremost)
    match = Match(rules, tuple(seats), None, before.number, leader, result, best)
    return Transition(match, tuple(events))


def _next_leader(rules: Rules, survivors: Sequence[int], result: RoundResult, foremost: int) -> int:
    if rules.next_leader == "winner":
        return foremost
    if rules.next_leader == "rotate":
        return _next_of(survivors, result.leader)
    loser, _ = max(result.points, key=lambda scored: scored[1])
    return loser if loser in survivors else _next_of(survivors, loser)


def _next_of(seats: Sequence[int], seat: int) -> int:
    """The first of these seats (ascending) clockwise after `seat`."""
    return next((other for other in seats if other > seat), seats[0])


# ------------------------------------------------------------------------- coming, going, and the deal


def _leave(match: Match, move: Leave) -> Transition:
    if match.winner is not None:
        raise Illegal(Reason.MATCH_OVER)
    if not _is_in(match, move.seat):
        raise Illegal(Reason.NOT_A_PLAYER)
    seats = list(match.seats)
    seats[move.seat] = seats[move.seat]._replace(status=Status.LEFT)
    left = match._replace(seats=tuple(seats))
    remaining = left.seats_in()
    running = match.round
    if len(remaining) == 1:
        if running is None:
            leader = None if match.last_round is None else match.last_round.leader
        else:
            leader = running.origin.leader
        ended = left._replace(round=None, leader=leader, winner=remaining[0])
        return Transition(ended, (SeatLeft(move.seat), MatchEnded(remaining[0])))
    if running is None:
        if match.leader == move.seat:
            left = left._replace(leader=_next_of(remaining, move.seat))
        return Transition(left, (SeatLeft(move.seat),))

    builder = RoundBuilder(left, running, [SeatLeft(move.seat)])
    builder.stock += builder.hands[move.seat]
    builder.hands[move.seat] = ()
    builder.passes = 0
    if builder.seat == move.seat:
        builder.must_cover = False
        builder.pending = None
        builder.next_turn()
    builder.ring = ring_of(remaining, running.direction)
    return builder.done()


def _join(match: Match, move: Join) -> Transition:
    if match.winner is not None:
        raise Illegal(Reason.MATCH_OVER)
    seat = match.seat_of(move.player)
    if seat is not None and match.seats[seat].status is not Status.LEFT:
        raise Illegal(Reason.ALREADY_SEATED)
    if match.round is not None:
        raise Illegal(Reason.ROUND_RUNNING)
    playing = match.seats_in()
    if len(playing) >= match.rules.max_seats:
        raise Illegal(Reason.TOO_MANY_PLAYERS, f"{match.rules.max_seats} at most")

    total = max(match.seats[other].total for other in playing)
    seats = list(match.seats)
    if seat is None:
        seat = len(seats)
        seats.append(Seat(move.player, total, Status.IN))
    else:
        total = max(total, seats[seat].total)
        seats[seat] = Seat(move.player, total, Status.IN)
    return Transition(match._replace(seats=tuple(seats)), (SeatJoined(seat, total),))


def _deal(match: Match, move: Deal) -> Transition:
    rules, seats = match.rules, match.seats_in()
    if match.winner is not None:
        raise Illegal(Reason.MATCH_OVER)
    if match.round is not None:
        raise Illegal(Reason.ROUND_RUNNING)
    if len(seats) < 2:
        raise Illegal(Reason.NOT_ENOUGH_PLAYERS)
    if len(seats) > rules.max_seats:
        raise Illegal(Reason.TOO_MANY_PLAYERS, f"{rules.max_seats} at most")
    running = deal_round(match, seats, move)
    number, leader = match.number + 1, running.origin.leader
    turned_up = running.piles.discard[0] if running.piles.discard else None
    dealt = RoundDealt(number, leader, seats, rules.hand_size, running.commitment, turned_up)
    return Transition(Match(rules, match.seats, running, number, leader, match.last_round, None), (dealt,))


def _is_in(match: Match, seat: int) -> bool:
    return 0 <= seat < len(match.seats) and match.seats[seat].status is Status.IN


_TRANSITIONS: Final[Mapping[type, Callable[[Match, Any], Transition]]] = {
    Play: _play,
    Draw: _draw,
    Pass: _pass,
    Leave: _leave,
    Join: _join,
    Deal: _deal,
}
