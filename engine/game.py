"""The rules of play: every transition of a match lives in this module.

A match is rounds until one player is left. In a round each in turn lays a card that has the top card's
suit or rank, or is wild; one who cannot draws. Special cards make the next player take cards or lose his
turn, ask their player for a cover, order a suit or turn the direction: which card does what is data
(`engine.cardtables`), what each effect comes to stands here, in `_act`. Whoever has no cards left wins
the round, the others score their hands (`engine.scoring`), and a total above the limit is out.

`apply` is the only way from one state to the next. It depends on the match and the move alone; chance
comes in with a deal's seed. A refusal is `Illegal`, raised before anything is built. Whether the one to
move may lay, draw or pass is asked of `engine.legality`.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from engine.cards import CARDS, SUITS, Card, rank_of, sorted_deck, suit_of
from engine.draft import Draft, make, transition
from engine.effects import Effect
from engine.events import (
    AttackOpened,
    CardLaid,
    DrawCause,
    MatchEnded,
    PassCause,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    Transition,
    card_laid,
)
from engine.legality import legal, may_draw_or_pass, with_playable
from engine.moves import Deal, Draw, Illegal, Join, Leave, Move, Pass, Play, Reason
from engine.rules import Rules
from engine.scoring import Points, blocked_round_points, new_total, won_round_points
from engine.shuffle import SEED_BYTES, lead_and_deck
from engine.state import Match, Origin, Round, RoundResult, Seat, Status, ring_of

__all__ = ["Transition", "apply", "legal", "new_match", "seated_match", "settled", "turn_stamp"]

MOST_MOVES: Final = 500
"""A round is blocked after so many turn moves."""

WILDS_EACH: Final = 4
"""A round is blocked when the last cards laid, so many for each player still in, were all wild."""


def new_match(rules: Rules, players: Sequence[str], leader: int | None = None) -> Match:
    """A match before its first deal, the players (by id) seated clockwise.

    `leader` is the seat that leads the first round; None leaves it to the first deal.
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
    """What `move` makes of `match`. Raises `Illegal` with the first reason that applies."""
    return _TRANSITIONS[type(move)](match, move)


def settled(match: Match, running: Round) -> Match:
    """The match with this round, set up by hand, in it; the discard is recycled if that is due."""
    draft = Draft(match, running)
    draft.recycle_if_due()
    return draft.done().match


def turn_stamp(match: Match) -> tuple[int, int]:
    """(round number, turn moves made in it): another one after every turn move, whoever joins or leaves."""
    return match.number, 0 if match.round is None else match.round.moves


# ------------------------------------------------------------------------------------------ turn moves


def _lay(match: Match, move: Play) -> Transition:
    running = _round_for(match, move.seat)
    rules, card, suit = match.rules, move.card, move.suit
    if card not in CARDS or not (suit is None or 0 <= suit < len(SUITS)):
        raise Illegal(Reason.BAD_MOVE)
    if card not in running.hands[move.seat]:
        raise Illegal(Reason.CARD_NOT_IN_HAND)
    if card not in running.playable:
        raise Illegal(Reason.CARD_DOES_NOT_MATCH)
    effect = rules.tables.effects[card]
    if suit is not None and not effect.is_wild:
        raise Illegal(Reason.SUIT_NOT_ALLOWED)

    laid, told = _with_card_laid(rules, running, card, suit)
    if told.left == 0 and not (effect.is_cover and rules.finish_on_cover == "must_cover"):
        return _win(Draft(match, laid, told), move.seat, card, effect)
    if effect.is_private and laid.stock and not _is_blocked(laid):
        return transition(match, laid, (told,))  # as below, where nothing is left to do: most moves are such
    draft = Draft(match, laid, told)
    if not effect.is_private:
        _act_on_others(draft, move, effect)
    return _after_turn_move(draft)


def _with_card_laid(rules: Rules, running: Round, card: Card, suit: int | None) -> tuple[Round, CardLaid]:
    """The round with the mover's card on the discard, before it acts on others; and that told."""
    tables = rules.tables
    effect = tables.effects[card]
    hands, stock, discard, seat, _, covering, pending, _, ring, moves, _, wilds, recycles, origin, _ = running
    hand = list(hands[seat])
    hand.remove(card)
    playable = tables.covers[card] if effect.is_cover else tables.fits[card]
    if not effect.is_wild or not hand:
        suit = None
    else:
        suit = suit_of(card) if suit is None else suit
        playable = tables.fits_order[suit]
    all_hands = list(hands)
    all_hands[seat] = tuple(hand)
    laid = make(
        Round,
        (
            tuple(all_hands),
            stock,
            (*discard, card),
            seat if effect.is_cover else ring.after[seat],
            suit,
            effect.is_cover,
            pending,
            None,
            ring,
            moves + 1,
            0,
            wilds + 1 if effect.is_wild else 0,
            recycles,
            origin,
            playable,
        ),
    )
    return laid, card_laid(seat, card, suit, covering, len(hand), effect)


def _act_on_others(draft: Draft, laid: Play, effect: Effect) -> None:
    """What a card that does not end the round does to the other players, the turn having moved on."""
    if effect.is_attack:
        _attack(draft, laid.card, effect)
    elif effect.is_load:
        draft.take(draft.turn, effect.cards, DrawCause.LOAD)
    else:
        draft.turn_direction()
        two = len(draft.ring.seats) == 2
        draft.turn = laid.seat if two else draft.ring.after[laid.seat]


def _attack(draft: Draft, card: Card, effect: Effect) -> None:
    """The player whose turn it is now may pass the attack on, or takes what is owed by now and is skipped."""
    gathered = draft.pending
    owed = effect.cards + (gathered or 0)
    answers = draft.rules.tables.answers[card]
    if not answers.isdisjoint(draft.hands[draft.turn]):
        draft.pending = owed
        draft.events.append(AttackOpened(draft.turn, owed, rank_of(card)))
    else:
        draft.take(draft.turn, owed, DrawCause.PENALTY if gathered is None else DrawCause.ATTACK)
        draft.skip_turn()


def _draw(match: Match, move: Draw) -> Transition:
    running = _round_for(match, move.seat)
    rules = match.rules
    playable = running.playable
    can_lay = not playable.isdisjoint(running.hands[move.seat])
    if not may_draw_or_pass(rules, running, can_lay)[0]:
        raise Illegal(Reason.DRAW_NOT_ALLOWED)

    draft = Draft(match, running)
    draft.moves += 1
    draft.passes = 0
    if running.pending is not None:
        draft.take(move.seat, running.pending, DrawCause.ATTACK)
        draft.skip_turn()
    elif running.must_cover:
        if rules.cover_draw == "one":
            if not draft.draw_one(playable, DrawCause.COVER):
                draft.pass_turn(PassCause.COVER_MISSED)
        elif not draft.draw_until(playable, DrawCause.COVER, through_recycling=True):
            draft.pass_turn(PassCause.COVER_GAVE_OUT)
    elif rules.draw == "until_playable" and not can_lay:
        if not draft.draw_until(playable, DrawCause.TURN, through_recycling=rules.stock_out == "recycle"):
            draft.pass_turn(PassCause.CARDS_GAVE_OUT)
    else:
        fits = draft.draw_one(playable, DrawCause.TURN)
        if rules.draw == "one_then_pass":
            draft.pass_turn(PassCause.DREW_AND_PASSED)
        elif not fits and not can_lay:
            draft.pass_turn(PassCause.FOUND_NOTHING)
    return _after_turn_move(draft)


def _pass(match: Match, move: Pass) -> Transition:
    running = _round_for(match, move.seat)
    rules = match.rules
    can_lay = not running.playable.isdisjoint(running.hands[move.seat])
    if not may_draw_or_pass(rules, running, can_lay)[1]:
        raise Illegal(Reason.PASS_NOT_ALLOWED)

    draft = Draft(match, running)
    draft.moves += 1
    if running.pending is not None:
        draft.skip_turn()
    elif running.must_cover:
        draft.pass_turn(PassCause.COVER_GAVE_OUT)
    elif can_lay:
        draft.pass_turn(PassCause.CHOSEN)
    else:
        draft.passes += 1
        draft.pass_turn(PassCause.NOTHING_TO_DRAW)
    return _after_turn_move(draft)


def _round_for(match: Match, seat: int) -> Round:
    """The running round, if it is this seat's turn in it; else `Illegal`."""
    running = match.round
    if running is not None and running.turn == seat:
        return running
    if match.winner is not None:
        raise Illegal(Reason.MATCH_OVER)
    if running is None:
        raise Illegal(Reason.NO_ROUND)
    raise Illegal(Reason.NOT_YOUR_TURN if _is_in(match, seat) else Reason.NOT_A_PLAYER)


def _after_turn_move(draft: Draft) -> Transition:
    """What follows every turn move that does not win the round: recycling, and a look for a block."""
    draft.recycle_if_due()
    return _block(draft) if _is_blocked(draft) else draft.done()


def _is_blocked(running: Round | Draft) -> bool:
    """Whether the round can no longer be won: all have passed, wilds go round, or it goes on for ever."""
    playing = len(running.ring.seats)
    return running.passes == playing or running.wilds >= WILDS_EACH * playing or running.moves >= MOST_MOVES


# ------------------------------------------------------------------------------------- the end of a round


def _win(draft: Draft, winner: int, last_card: Card, effect: Effect) -> Transition:
    """The round is won; what the last card makes the next player take may still count."""
    if draft.rules.finish_effect == "applied":
        owed = effect.cards + (draft.pending or 0)
        draft.take(draft.ring.after[winner], owed, DrawCause.FINISH)
    points = won_round_points(draft.rules, draft.hands_in(), winner, last_card)
    return _end_round(draft, points, winner, winner)


def _block(draft: Draft) -> Transition:
    """Nobody wins; of those with the lowest hand the first in turn order stands where a winner would."""
    points, lowest = blocked_round_points(draft.rules, draft.hands_in())
    first = draft.turn
    while first not in lowest:
        first = draft.ring.after[first]
    return _end_round(draft, points, None, first)


def _end_round(draft: Draft, points: Points, winner: int | None, foremost: int) -> Transition:
    """Score the round; `foremost` leads the next one where the rules give that to the winner."""
    before, rules, events = draft.before, draft.rules, draft.events
    totals = tuple((seat, new_total(rules, before.seats[seat].total, scored)) for seat, scored in points)
    result = RoundResult(before.number, winner, points, totals, draft.hands_in(), *draft.origin)
    events.append(RoundEnded(result, blocked=winner is None))
    seats = list(before.seats)
    for seat, total in totals:
        if total > rules.limit:
            seats[seat] = Seat(seats[seat].id, total, Status.OUT)
            events.append(SeatOut(seat, total))
        else:
            seats[seat] = Seat(seats[seat].id, total, Status.IN)
    survivors = tuple(seat for seat, total in totals if total <= rules.limit)
    leader, best = draft.origin.leader, None
    if len(survivors) == 1 or (rules.game_end == "first_bust" and len(survivors) < len(totals)):
        best = min(survivors, key=lambda seat: seats[seat].total)
        events.append(MatchEnded(best))
    else:
        leader = _next_leader(rules, survivors, result, foremost)
    match = Match(rules, tuple(seats), None, before.number, leader, result, best)
    return Transition(match, tuple(events))


def _next_leader(rules: Rules, survivors: tuple[int, ...], result: RoundResult, foremost: int) -> int:
    if rules.next_leader == "winner":
        return foremost
    if rules.next_leader == "rotate":
        return _next_of(survivors, result.leader)
    loser, _ = max(result.points, key=lambda scored: scored[1])
    return loser if loser in survivors else _next_of(survivors, loser)


def _next_of(seats: tuple[int, ...], seat: int) -> int:
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
            leader = running.leader
        ended = left._replace(round=None, leader=leader, winner=remaining[0])
        return Transition(ended, (SeatLeft(move.seat), MatchEnded(remaining[0])))
    if running is None:
        if match.leader == move.seat:
            left = left._replace(leader=_next_of(remaining, move.seat))
        return Transition(left, (SeatLeft(move.seat),))

    draft = Draft(left, running)
    draft.events.append(SeatLeft(move.seat))
    draft.stock += draft.hands[move.seat]
    draft.hands[move.seat] = ()
    draft.passes = 0
    if draft.turn == move.seat:
        draft.must_cover = False
        draft.pending = None
        draft.next_turn()
    draft.ring = ring_of(remaining, running.direction)
    return draft.done()


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
    leader, deck = _leader_and_deck(match, move)

    first = seats.index(leader) + 1
    order = seats[first:] + seats[:first]
    dealt = len(order) * rules.hand_size
    hands: list[tuple[Card, ...]] = [()] * len(match.seats)
    for place, seat in enumerate(order):
        hands[seat] = deck[place : dealt : len(order)]
    stock, discard = deck[dealt:], deck[:0]
    if rules.opening == "turn_up":
        stock, discard = stock[1:], stock[:1]
    running = Round(
        hands=tuple(hands),
        stock=stock,
        discard=discard,
        turn=leader,
        ordered=None,
        must_cover=False,
        pending=None,
        found=None,
        ring=ring_of(seats, 1),
        moves=0,
        passes=0,
        wilds=0,
        recycles=0,
        origin=Origin(leader, move.seed, move.cut if move.deck is None else 0),
    )
    number = match.number + 1
    event = RoundDealt(
        number, leader, seats, rules.hand_size, running.commitment, discard[0] if discard else None
    )
    running = with_playable(rules, running)
    return Transition(match._replace(round=running, number=number, leader=leader), (event,))


def _leader_and_deck(match: Match, move: Deal) -> tuple[int, tuple[Card, ...]]:
    """Who leads the round, and the deck in the order in which it is dealt."""
    seats, leader = match.seats_in(), match.leader
    pack = sorted_deck(match.rules.deck)
    if move.seed is not None and len(move.seed) != SEED_BYTES:
        raise Illegal(Reason.BAD_DECK, f"a seed is {SEED_BYTES} bytes")
    if move.deck is not None:
        if sorted(move.deck) != sorted(pack):
            raise Illegal(Reason.BAD_DECK, f"not a deck of {len(pack)}")
        return seats[0] if leader is None else leader, move.deck
    if move.seed is None:
        raise Illegal(Reason.BAD_DECK, "neither a deck nor a seed to shuffle it from")
    if not 0 <= move.cut <= len(pack):
        raise Illegal(Reason.BAD_DECK, f"a cut is from 0 to {len(pack)}")
    return lead_and_deck(move.seed, seats, leader, pack, move.cut)


def _is_in(match: Match, seat: int) -> bool:
    return 0 <= seat < len(match.seats) and match.seats[seat].status is Status.IN


_TRANSITIONS: Final[Mapping[type, Callable[[Match, Any], Transition]]] = MappingProxyType(
    {Play: _lay, Draw: _draw, Pass: _pass, Leave: _leave, Join: _join, Deal: _deal}
)
