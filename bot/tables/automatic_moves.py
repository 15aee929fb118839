"""Moves that the bot makes for a player: the only possible one, the least one, or a quick sound one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.tables.table_talk import Premove
from engine import Draw, Event, Match, Move, Pass, Play, legal, view_for
from engine.players import Level, choose


def forced_move(match: Match) -> Move | None:
    """Return the forced move, if the player to move has nothing to decide.

    That is a draw or a pass without an alternative, or the one card found by a bound draw unless it is wild.
    A single playable card of an open choice is not forced.
    """
    assert match.round is not None
    seat = match.round.turn.seat
    moves = legal(match, seat)
    if len(moves) != 1:
        return None
    match moves[0]:
        case Play(card=card) as play:
            found = match.round.turn.found
            is_bound = found is not None and card == found and not match.rules.effect_of(card).orders_suit
            return play if is_bound else None
        case only:
            return only


def premoved(match: Match, premove: Premove) -> Play | None:
    """Return the move for the premove of the player to move; None if the card does not fit.

    A wild as the last card orders nothing.
    """
    assert match.round is not None
    plays = [move for move in legal(match, match.round.turn.seat) if isinstance(move, Play)]
    of_card = [play for play in plays if play.card == premove.card]
    return next((play for play in of_card if play.suit in (premove.suit, None)), None)


def least_move(match: Match) -> Move:
    """Return the move for a player who is away: pass or draw, else the playable card worth most points."""
    assert match.round is not None
    seat = match.round.turn.seat
    moves = legal(match, seat)
    for idle in (Pass(seat), Draw(seat)):
        if idle in moves:
            return idle
    cards = [move for move in moves if isinstance(move, Play)]
    return max(cards, key=lambda play: match.rules.points_of(play.card))


def sound_move(match: Match, history: Sequence[Sequence[Event]], level: Level, chance: bytes) -> Move:
    """Return what a computer player of this level would play, given the view of the player to move.

    At most the middle level: nobody should wait for a search.
    """
    assert match.round is not None
    view = view_for(match, match.round.turn.seat, history)
    quick = Level.EASY if level is Level.EASY else Level.NORMAL
    return choose(quick, view, Random(chance))  # noqa: S311 - the seed is the table's own chance


def is_mid_turn(match: Match) -> bool:
    """Return whether the player to move has already drawn, or owes a cover, in this turn."""
    return match.round is not None and (match.round.turn.must_cover or match.round.turn.found is not None)
