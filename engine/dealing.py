"""Dealing: the leader, the order of the deck, and the initial round.

`engine.game` decides whether a round may be dealt; this module checks the deck, the seed and the cut.
"""

from engine.cards import Card, sorted_deck
from engine.legality import playable_cards
from engine.moves import Deal, Illegal, Reason
from engine.shuffle import SEED_BYTES, lead_and_deck
from engine.state import Counters, Match, Origin, Piles, Round, Turn, ring_of


def deal_round(match: Match, seats: tuple[int, ...], move: Deal) -> Round:
    """The initial round, dealt one card at a time, clockwise, to the leader last.

    `seats` are those still in. Raises `Illegal` (bad_deck).
    """
    rules = match.rules
    leader, deck = _leader_and_deck(match, seats, move)
    first = seats.index(leader) + 1
    order = seats[first:] + seats[:first]
    dealt = len(order) * rules.hand_size
    hands: list[tuple[Card, ...]] = [()] * len(match.seats)
    for place, seat in enumerate(order):
        hands[seat] = deck[place : dealt : len(order)]
    turned_up = 1 if rules.opening == "turn_up" else 0
    stock, discard = deck[dealt + turned_up :], deck[dealt : dealt + turned_up]
    playable = playable_cards(rules, hands[leader], True, discard, None, False, None)
    return Round(
        piles=Piles(tuple(hands), stock, discard),
        turn=Turn(leader, ordered=None, must_cover=False, pending=None, found=None, playable=playable),
        counters=Counters(moves=0, passes=0, wilds=0, recycles=0),
        ring=ring_of(seats, 1),
        origin=Origin(leader, move.seed, move.cut if move.deck is None else 0),
    )


def _leader_and_deck(match: Match, seats: tuple[int, ...], move: Deal) -> tuple[int, tuple[Card, ...]]:
    """The leader of the round, and the deck in dealing order."""
    leader = match.leader
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
