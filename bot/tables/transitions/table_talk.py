"""Premoves and table talk.

A premove is played when the turn comes, if it fits then; otherwise the turn begins normally. It does not
outlast the hand it was chosen from.
"""

from __future__ import annotations

from dataclasses import replace

from bot.tables.automatic_moves import premoved
from bot.tables.context import TransitionContext
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.table_talk import Premove, Said
from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import match_of, require_awake, require_open, status_of
from bot.tables.transitions.playing import normalize_phase, play_on
from engine import Reason, Status

MAX_TEXT = 1024
"""Stored length of a message; screens decide how much of it is shown."""


def set_premove(
    table: Table, ctx: TransitionContext, user_id: int, round_number: int, card: int, suit: int | None
) -> Change:
    """Set a card to be laid when the person's turn comes, replacing any other; lay it now if it has.

    Raises Refusal: table_over, banished, not_seated, stale (that round is over), and the engine's
    card_not_in_hand, card_does_not_match and suit_not_allowed.
    """
    require_awake(table)
    seat = table.seat_of(user_id)
    if seat is None or status_of(table, user_id) is not Status.IN:
        raise Refusal(Refused.NOT_SEATED)
    match = match_of(table)
    if match.round is None or match.number != round_number:
        raise Refusal(Refused.STALE)
    if card not in match.round.piles.hands[seat]:
        raise Refusal(Reason.CARD_NOT_IN_HAND)
    if match.rules.effect_of(card).orders_suit != (suit is not None):
        raise Refusal(Reason.SUIT_NOT_ALLOWED)
    premove = Premove(user_id, card, suit)
    if match.round.turn.seat == seat:
        move = premoved(match, premove)
        if move is None:
            raise Refusal(Reason.CARD_DOES_NOT_MATCH)
        return play_on(table, ctx, [AppliedMove(move, user_id)])
    others = tuple(other for other in table.premoves if other.user_id != user_id)
    return Change(replace(table, premoves=(*others, premove)))


def cancel_premove(table: Table, ctx: TransitionContext, user_id: int) -> Change:
    """Drop the premove. If the turn has come meanwhile, it begins normally.

    Raises Refusal: table_over, banished, stale (there is no premove, or it has been played already).
    """
    require_awake(table)
    others = tuple(other for other in table.premoves if other.user_id != user_id)
    if others == table.premoves:
        raise Refusal(Refused.STALE)
    return Change(normalize_phase(table, replace(table, premoves=others), ctx))


def require_voice(table: Table, user_id: int) -> Player:
    """Return the player, if they may talk at the table. Raises Refusal: table_over, not_seated, no_talk."""
    require_open(table)
    if not table.settings.talk:
        raise Refusal(Refused.NO_TALK)
    speaker = next((it for it in (*table.players, *table.waiting) if it.user_id == user_id), None)
    has_left = status_of(table, user_id) is Status.LEFT and not table.is_waiting(user_id)
    if speaker is None or has_left:
        raise Refusal(Refused.NOT_SEATED)
    return speaker


def require_talk(table: Table, ctx: TransitionContext, user_id: int) -> Player:
    """Return the player, if they may talk now. Raises Refusal: as `require_voice`, and too_soon."""
    speaker = require_voice(table, user_id)
    earlier = next((said for said in table.talk if said.user_id == user_id), None)
    if earlier is not None and ctx.now < earlier.at + ctx.timings.talk:
        raise Refusal(Refused.TOO_SOON)
    return speaker


def say(table: Table, ctx: TransitionContext, user_id: int, text: str) -> Change:
    """Say something to the table: it is shown until everybody has moved once more.

    Raises Refusal: table_over, not_seated, no_talk (the group has turned it off), too_soon.
    """
    speaker = require_talk(table, ctx, user_id)
    number, move = table.moment_of_talk()
    said = Said(user_id, speaker.name, text[:MAX_TEXT], ctx.now, number, move)
    others = tuple(other for other in table.talk if other.user_id != user_id)
    return Change(replace(table, talk=(*others, said)))
