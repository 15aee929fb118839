"""What the one to move may do: small pure predicates on the running round.

`legal` lists the moves and `engine.game` asks the same predicates before it acts, so that the two cannot
disagree. Nothing here changes anything.
"""

from engine.cardtables import ALL_CARDS, CardSet
from engine.moves import TurnMove, turn_moves
from engine.rules import Rules
from engine.state import Match, Round


def legal(match: Match, seat: int) -> tuple[TurnMove, ...]:
    """The turn moves open to `seat`: none unless it is the one to move, and at least one if it is.

    A wild is listed once for each suit, or once without a suit when it is the last card.
    """
    running = match.round
    if running is None or running.turn != seat:
        return ()
    rules = match.rules
    hand = running.hands[seat]
    own = turn_moves(seat, rules.tables.wilds)
    plays = own.plays if len(hand) > 1 else own.plays_last
    playable = playable_cards(rules, running)
    moves: list[TurnMove] = []
    for card in hand:
        if playable >> card & 1:
            playable ^= 1 << card  # a second copy is the same move
            moves += plays[card]
    can_lay = bool(moves)
    if may_draw(rules, running, can_lay):
        moves.append(own.draw)
    if may_pass(rules, running, can_lay):
        moves.append(own.pass_)
    return tuple(moves)


def playable_cards(rules: Rules, running: Round) -> CardSet:
    """The cards that may be laid now, whether the mover holds them or not."""
    tables = rules.tables
    if running.pending is not None:
        return tables.answers[running.discard[-1]]
    if running.must_cover:
        return tables.covers[running.discard[-1]]
    if running.ordered is not None:
        return tables.fits_order[running.ordered]
    if running.discard:
        return tables.fits[running.discard[-1]]
    hand = running.hands[running.turn]
    if rules.opening == "last_dealt" and running.turn == running.leader and hand:
        return 1 << hand[-1]
    return ALL_CARDS


def holds_any(hand: tuple[int, ...], cards: CardSet) -> bool:
    """Whether one of the cards is in the hand."""
    return any(cards >> card & 1 for card in hand)


def may_draw(rules: Rules, running: Round, can_lay: bool) -> bool:
    """Whether the mover may draw; `can_lay` says whether he has a card that may be laid."""
    if running.pending is not None:
        return running.pending > 0
    if not running.stock:
        return False
    if not can_lay:
        return True
    still_to_draw = rules.voluntary_draw == "always" and running.found is None
    return still_to_draw and not running.must_cover and bool(running.discard)


def may_pass(rules: Rules, running: Round, can_lay: bool) -> bool:
    """Whether the mover may pass; `can_lay` as in `may_draw`."""
    if running.pending is not None:
        return running.pending == 0
    if not can_lay:
        return not running.stock
    return rules.draw == "one_then_play" and running.found is not None and not running.must_cover
