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
from typing import Any, Final, NamedTuple

from engine.cards import CARDS, SUITS, Card, rank_of, sorted_deck, suit_of
from engine.cardtables import CardSet
from engine.effects import Effect
from engine.events import (
    AttackOpened,
    CardLaid,
    CardsDrawn,
    DirectionTurned,
    DiscardRecycled,
    DrawCause,
    Event,
    MatchEnded,
    PassCause,
    RoundDealt,
    RoundEnded,
    SeatJoined,
    SeatLeft,
    SeatOut,
    TurnPassed,
    TurnSkipped,
)
from engine.legality import holds_any, legal, may_draw, may_pass, playable_cards
from engine.moves import Deal, Draw, Illegal, Join, Leave, Move, Pass, Play, Reason
from engine.rules import Rules
from engine.scoring import Points, blocked_round_points, new_total, won_round_points
from engine.shuffle import SEED_BYTES, lead_and_deck, recycled
from engine.state import Match, Round, RoundResult, Seat, Status, ring_of

__all__ = ["Transition", "apply", "legal", "new_match", "seated_match", "settled", "turn_stamp"]

MOST_MOVES: Final = 500
"""A round is blocked after so many turn moves."""

WILDS_EACH: Final = 4
"""A round is blocked when the last cards laid, so many for each player still in, were all wild."""


class Transition(NamedTuple):
    """What a move led to, and what happened on the way."""

    match: Match
    events: tuple[Event, ...]


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
    table = _Table(match, running)
    table.recycle_if_due()
    return table.match()


def turn_stamp(match: Match) -> tuple[int, int]:
    """(round number, turn moves made in it): another one after every turn move, whoever joins or leaves."""
    return match.number, 0 if match.round is None else match.round.moves


# ------------------------------------------------------------------------------------------ turn moves


def _lay(match: Match, move: Play) -> Transition:
    running = _round_for(match, move.seat)
    rules, seat, card = match.rules, move.seat, move.card
    hand = running.hands[seat]
    wild = rules.tables.wilds >> card & 1 if card in CARDS else 0
    if card not in CARDS or not (move.suit is None or 0 <= move.suit < len(SUITS)):
        raise Illegal(Reason.BAD_MOVE)
    if card not in hand:
        raise Illegal(Reason.CARD_NOT_IN_HAND)
    if not playable_cards(rules, running) >> card & 1:
        raise Illegal(Reason.CARD_DOES_NOT_MATCH)
    if move.suit is not None and not wild:
        raise Illegal(Reason.SUIT_NOT_ALLOWED)

    effect = rules.tables.effects[card]
    place = hand.index(card)
    hand = hand[:place] + hand[place + 1 :]
    ordered = None
    if wild and hand:
        ordered = suit_of(card) if move.suit is None else move.suit

    table = _Table(match, running)
    table.hands[seat] = hand
    table.discard += (card,)
    table.ordered = ordered
    table.must_cover = False
    table.found = None
    table.moves += 1
    table.passes = 0
    table.wilds = table.wilds + 1 if wild else 0
    table.events.append(CardLaid(seat, card, ordered, running.must_cover, len(hand), effect))
    if not hand and (effect is not Effect.COVER or rules.finish_on_cover == "ends_round"):
        if rules.finish_effect == "applied":
            table.take(table.ring.after[seat], table.owed_by_next(card), DrawCause.FINISH)
        return _win(table, seat, card)
    _act(table, card, effect)
    return _after_turn_move(table)


def _act(table: "_Table", card: Card, effect: Effect) -> None:
    """What a card that does not end the round does to the players."""
    if effect is Effect.COVER:
        table.must_cover = True
    elif effect is Effect.REVERSE:
        table.turn_direction()
    elif effect.is_attack:
        _attack(table, card)
    elif effect.is_load:
        table.next_turn()
        table.take(table.turn, effect.cards, DrawCause.LOAD)
    else:
        table.next_turn()


def _attack(table: "_Table", card: Card) -> None:
    """The next player may pass the attack on, or takes what is owed by now and is skipped."""
    owed = table.owed_by_next(card)
    passed_on = table.pending is not None
    table.pending = None
    table.next_turn()
    if holds_any(table.hands[table.turn], table.rules.tables.answers[card]):
        table.pending = owed
        table.events.append(AttackOpened(table.turn, owed, rank_of(card)))
    else:
        table.take(table.turn, owed, DrawCause.ATTACK if passed_on else DrawCause.PENALTY)
        table.skip_turn()


def _draw(match: Match, move: Draw) -> Transition:
    running = _round_for(match, move.seat)
    rules = match.rules
    playable = playable_cards(rules, running)
    can_lay = holds_any(running.hands[move.seat], playable)
    if not may_draw(rules, running, can_lay):
        raise Illegal(Reason.DRAW_NOT_ALLOWED)

    table = _Table(match, running)
    table.moves += 1
    table.passes = 0
    if running.pending is not None:
        table.take(move.seat, running.pending, DrawCause.ATTACK)
        table.skip_turn()
    elif running.must_cover:
        if rules.cover_draw == "one":
            if not table.draw_one(playable, DrawCause.COVER):
                table.pass_turn(PassCause.COVER_MISSED)
        elif not table.draw_until(playable, DrawCause.COVER, through_recycling=True):
            table.pass_turn(PassCause.COVER_GAVE_OUT)
    elif rules.draw == "until_playable" and not can_lay:
        if not table.draw_until(playable, DrawCause.TURN, through_recycling=rules.stock_out == "recycle"):
            table.pass_turn(PassCause.CARDS_GAVE_OUT)
    else:
        fits = table.draw_one(playable, DrawCause.TURN)
        if rules.draw == "one_then_pass":
            table.pass_turn(PassCause.DREW_AND_PASSED)
        elif not fits and not can_lay:
            table.pass_turn(PassCause.FOUND_NOTHING)
    return _after_turn_move(table)


def _pass(match: Match, move: Pass) -> Transition:
    running = _round_for(match, move.seat)
    rules = match.rules
    can_lay = holds_any(running.hands[move.seat], playable_cards(rules, running))
    if not may_pass(rules, running, can_lay):
        raise Illegal(Reason.PASS_NOT_ALLOWED)

    table = _Table(match, running)
    table.moves += 1
    if running.pending is not None:
        table.skip_turn()
    elif running.must_cover:
        table.pass_turn(PassCause.COVER_GAVE_OUT)
    elif can_lay:
        table.pass_turn(PassCause.CHOSEN)
    else:
        table.passes += 1
        table.pass_turn(PassCause.NOTHING_TO_DRAW)
    return _after_turn_move(table)


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


def _after_turn_move(table: "_Table") -> Transition:
    """What follows every turn move that does not win the round: recycling, and a look whether it is
    blocked.
    """
    table.recycle_if_due()
    playing = len(table.ring.seats)
    if table.passes == playing or table.wilds >= WILDS_EACH * playing or table.moves >= MOST_MOVES:
        return _block(table)
    return Transition(table.match(), tuple(table.events))


# ------------------------------------------------------------------------------------- the end of a round


def _win(table: "_Table", winner: int, last_card: Card) -> Transition:
    points = won_round_points(table.rules, table.hands_in(), winner, last_card)
    return _end_round(table, points, winner, winner)


def _block(table: "_Table") -> Transition:
    """Nobody wins; of those with the lowest hand the first in turn order stands where a winner would."""
    points, lowest = blocked_round_points(table.rules, table.hands_in())
    first = table.turn
    while first not in lowest:
        first = table.ring.after[first]
    return _end_round(table, points, None, first)


def _end_round(table: "_Table", points: Points, winner: int | None, foremost: int) -> Transition:
    """Score the round; `foremost` leads the next one where the rules give that to the winner."""
    before, rules, events = table.before, table.rules, table.events
    totals = tuple((seat, new_total(rules, before.seats[seat].total, scored)) for seat, scored in points)
    result = RoundResult(
        before.number, winner, points, totals, table.hands_in(), table.leader, table.seed, table.cut
    )
    events.append(RoundEnded(result, blocked=winner is None))
    seats = list(before.seats)
    for seat, total in totals:
        status = Status.OUT if total > rules.limit else Status.IN
        seats[seat] = seats[seat]._replace(total=total, status=status)
        if status is Status.OUT:
            events.append(SeatOut(seat, total))
    match = before._replace(seats=tuple(seats), round=None, last_round=result)
    survivors = match.seats_in()
    if len(survivors) == 1 or (rules.game_end == "first_bust" and len(survivors) < len(totals)):
        best = min(survivors, key=lambda seat: seats[seat].total)
        events.append(MatchEnded(best))
        return Transition(match._replace(winner=best), tuple(events))
    leader = _next_leader(rules, survivors, result, foremost)
    return Transition(match._replace(leader=leader), tuple(events))


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

    table = _Table(left, running)
    table.events.append(SeatLeft(move.seat))
    table.stock += table.hands[move.seat]
    table.hands[move.seat] = ()
    table.passes = 0
    if table.turn == move.seat:
        table.must_cover = False
        table.pending = None
        table.next_turn()
    table.ring = ring_of(remaining, running.direction)
    return Transition(table.match(), tuple(table.events))


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
        leader=leader,
        seed=move.seed,
        cut=move.cut if move.deck is None else 0,
    )
    number = match.number + 1
    event = RoundDealt(
        number, leader, seats, rules.hand_size, running.commitment, discard[0] if discard else None
    )
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


class _Table:
    """The running round laid out for change: alive during one move only, telling what happens as it
    happens.
    """

    def __init__(self, before: Match, running: Round) -> None:
        self.before = before
        self.rules = before.rules
        self.events: list[Event] = []
        self.hands = list(running.hands)
        self.stock = running.stock
        self.discard = running.discard
        self.turn = running.turn
        self.ordered = running.ordered
        self.must_cover = running.must_cover
        self.pending = running.pending
        self.found = running.found
        self.ring = running.ring
        self.moves = running.moves
        self.passes = running.passes
        self.wilds = running.wilds
        self.recycles = running.recycles
        self.leader = running.leader
        self.seed = running.seed
        self.cut = running.cut

    def match(self) -> Match:
        """The match with the round as it lies now."""
        running = Round(
            hands=tuple(self.hands),
            stock=self.stock,
            discard=self.discard,
            turn=self.turn,
            ordered=self.ordered,
            must_cover=self.must_cover,
            pending=self.pending,
            found=self.found,
            ring=self.ring,
            moves=self.moves,
            passes=self.passes,
            wilds=self.wilds,
            recycles=self.recycles,
            leader=self.leader,
            seed=self.seed,
            cut=self.cut,
        )
        return self.before._replace(round=running)

    def hands_in(self) -> tuple[tuple[int, tuple[Card, ...]], ...]:
        """(seat, hand) of everyone in the round."""
        return tuple((seat, self.hands[seat]) for seat in self.ring.seats)

    def owed_by_next(self, card: Card) -> int:
        """The cards the next player owes for this card, with what an attack has gathered."""
        return (self.pending or 0) + self.rules.tables.takes[card]

    def next_turn(self) -> None:
        """The turn moves on."""
        self.turn = self.ring.after[self.turn]
        self.found = None

    def turn_direction(self) -> None:
        """The direction turns, and the turn moves on; with two players it comes back."""
        self.ring = ring_of(self.ring.seats, -self.ring.direction)
        self.events.append(DirectionTurned(self.ring.direction))
        if len(self.ring.seats) > 2:
            self.next_turn()

    def pass_turn(self, cause: PassCause) -> None:
        """The mover's turn goes by; a card he has not covered stays as it is."""
        self.events.append(TurnPassed(self.turn, cause))
        self.must_cover = False
        self.next_turn()

    def skip_turn(self) -> None:
        """The mover loses his turn to a special card."""
        self.events.append(TurnSkipped(self.turn))
        self.pending = None
        self.next_turn()

    def recycle_if_due(self) -> None:
        """If the stock is empty, all of the discard but its top card becomes the stock, the oldest on top."""
        if self.stock or len(self.discard) < 2:
            return
        older, self.discard = self.discard[:-1], self.discard[-1:]
        shuffled = self.rules.recycle == "shuffle" and self.seed is not None
        if self.rules.recycle == "shuffle" and self.seed is not None:
            self.recycles += 1
            older = recycled(self.seed, self.recycles, older)
        self.stock = older
        self.events.append(DiscardRecycled(len(older), shuffled))

    def take(self, seat: int, count: int, cause: DrawCause) -> None:
        """The seat takes so many cards, or what there is."""
        taken: tuple[Card, ...] = ()
        while len(taken) < count:
            self.recycle_if_due()
            if not self.stock:
                break
            missing = count - len(taken)
            taken += self.stock[:missing]
            self.stock = self.stock[missing:]
        if taken:
            self._receive(seat, taken, cause)

    def draw_one(self, wanted: CardSet, cause: DrawCause) -> bool:
        """The mover draws the stock's top card, which is then `found`; True if it is wanted."""
        found = self.stock[0]
        self.stock = self.stock[1:]
        self._receive(self.turn, (found,), cause)
        self.found = found
        return bool(wanted >> found & 1)

    def draw_until(self, wanted: CardSet, cause: DrawCause, through_recycling: bool) -> bool:
        """The mover draws until a wanted card comes, which is then `found`; False if the cards give out."""
        drawn: tuple[Card, ...] = ()
        while self.stock:
            for count, card in enumerate(self.stock, start=1):
                if wanted >> card & 1:
                    drawn += self.stock[:count]
                    self.stock = self.stock[count:]
                    self._receive(self.turn, drawn, cause)
                    self.found = card
                    return True
            drawn += self.stock
            self.stock = ()
            if through_recycling:
                self.recycle_if_due()
        self._receive(self.turn, drawn, cause)
        return False

    def _receive(self, seat: int, cards: tuple[Card, ...], cause: DrawCause) -> None:
        self.hands[seat] += cards
        self.events.append(CardsDrawn(seat, len(cards), cards, cause))
