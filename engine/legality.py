"""What the mover may do: small pure predicates on the running round.

`legal` lists the moves, and `engine.game` asks the same predicates before it acts, so the two cannot
disagree.
"""

from engine.cards import Card
from engine.matching import CardSet
from engine.moves import TurnMove
from engine.rules import Rules
from engine.state import Match, Piles, Round


def legal(match: Match, seat: int | None) -> tuple[TurnMove, ...]:
    """The legal turn moves of `seat`, in no particular order; none unless it is their turn.

    An onlooker (None) has none. A wild is listed once for each suit, but only once, without a suit, as the
    last card.
    """
    running = match.round
    if running is None:
        return ()
    mover, _, must_cover, pending, found, playable = running.turn
    if mover != seat:
        return ()
    rules, piles = match.rules, running.piles
    hand = piles.hands[seat]
    own = rules.lookup.turn_moves[seat]
    plays = own.plays if len(hand) > 1 else own.plays_last
    moves: list[TurnMove] = []
    for card in playable.intersection(hand):
        moves += plays[card]
    may_draw, may_pass = may_draw_or_pass(rules, piles, must_cover, pending, found, bool(moves))
    if may_draw:
        moves.append(own.draw)
    if may_pass:
        moves.append(own.pass_)
    return tuple(moves)


def with_playable(rules: Rules, running: Round) -> Round:
    """The round with `Turn.playable` derived from the rest of it."""
    (hands, _, discard), turn, _, _, origin = running
    leads = turn.seat == origin.leader
    playable = playable_cards(
        rules, hands[turn.seat], leads, discard, turn.ordered, turn.must_cover, turn.pending
    )
    return running._replace(turn=turn._replace(playable=playable))


def playable_cards(
    rules: Rules,
    hand: tuple[Card, ...],
    leads: bool,
    discard: tuple[Card, ...],
    ordered: int | None,
    must_cover: bool,
    pending: int | None,
) -> CardSet:
    """The cards that may be laid. `hand` is the mover's; `leads` is whether the mover leads the round."""
    if discard or ordered is not None:
        return rules.lookup.playable_on(discard[-1], ordered, must_cover, pending is not None)
    if rules.opening == "last_dealt" and leads and hand:
        return frozenset(hand[-1:])
    return rules.lookup.playable_on(None, None)


def may_draw_or_pass(
    rules: Rules, piles: Piles, must_cover: bool, pending: int | None, found: Card | None, can_lay: bool
) -> tuple[bool, bool]:
    """(may draw, may pass) for the mover; `can_lay` is whether they hold a playable card."""
    if pending is not None:
        return pending > 0, pending == 0
    if not can_lay:
        something_to_draw = bool(piles.stock)
        return something_to_draw, not something_to_draw
    if must_cover:
        return False, False
    if found is not None:
        return False, rules.draw == "one_then_play"
    return rules.voluntary_draw == "always" and bool(piles.stock and piles.discard), False
