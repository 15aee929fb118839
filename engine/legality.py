"""What the one to move may do: small pure predicates on the running round.

`legal` lists the moves and `engine.game` asks the same predicates before it acts, so that the two cannot
disagree. Nothing here changes anything.
"""

from typing import TYPE_CHECKING

from engine.card_lookup import ALL_CARDS, CardSet
from engine.moves import TurnMove, turn_moves
from engine.rules import Rules
from engine.state import Match, Round

if TYPE_CHECKING:
    from engine.round_builder import RoundBuilder


def legal(match: Match, seat: int | None) -> tuple[TurnMove, ...]:
    """The turn moves open to `seat`, in no particular order: some if it is the one to move, else none.

    An onlooker (None) has none. A wild is listed once for each suit, but once without a suit when it is the
    last card.
    """
    running = match.round
    if running is None or running.turn != seat:
        return ()
    rules = match.rules
    hand = running.hands[seat]
    own = turn_moves(seat, rules.lookup.wilds)
    plays = own.plays if len(hand) > 1 else own.plays_last
    moves: list[TurnMove] = []
    for card in running.playable.intersection(hand):
        moves += plays[card]
    may_draw, may_pass = may_draw_or_pass(rules, running, bool(moves))
    if may_draw:
        moves.append(own.draw)
    if may_pass:
        moves.append(own.pass_)
    return tuple(moves)


def with_playable(rules: Rules, running: Round) -> Round:
    """The round with its `playable` set from everything else in it."""
    return Round(*running[:-1], playable_cards(rules, running))


def playable_cards(rules: Rules, running: "Round | RoundBuilder") -> CardSet:
    """The cards that may be laid, as everything else in the round has it."""
    lookup = rules.lookup
    if running.ordered is not None:
        return lookup.fits_order[running.ordered]
    if not running.discard:
        hand = running.hands[running.turn]
        if rules.opening == "last_dealt" and running.turn == running.origin.leader and hand:
            return frozenset(hand[-1:])
        return ALL_CARDS
    top = running.discard[-1]
    if running.must_cover:
        return lookup.covers[top]
    if running.pending is not None:
        return lookup.answers[top]
    return lookup.fits[top]


def may_draw_or_pass(rules: Rules, running: Round, can_lay: bool) -> tuple[bool, bool]:
    """(may draw, may pass) for the mover, who has a card that may be laid or not."""
    if running.pending is not None:
        return running.pending > 0, running.pending == 0
    if not can_lay:
        something_to_draw = bool(running.stock)
        return something_to_draw, not something_to_draw
    if running.must_cover:
        return False, False
    if running.found is not None:
        return False, rules.draw == "one_then_play"
    return rules.voluntary_draw == "always" and bool(running.stock and running.discard), False
