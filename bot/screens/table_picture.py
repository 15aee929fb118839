"""Builds the picture of a table from the public view, which contains no hidden hand."""

from __future__ import annotations

from bot.locales import Translator
from bot.screens.phrases import can_turn_direction, sorted_cards
from bot.screens.picture import Face, SeatPicture, Standing, TablePicture
from bot.screens.screen import Context
from bot.screens.standings import sums
from bot.settings import Look
from bot.tables.lifecycle import TablePhase
from bot.tables.view import PlayerView, TableView
from engine import (
    RANKS,
    Card,
    CardLaid,
    RoundDealt,
    RoundResult,
    RoundView,
    Status,
    View,
    rank_of,
    suit_of,
)

DISCARD_SHOWN = 3
"""The number of visible cards in the discard pile."""

_STANDINGS = {Status.IN: Standing.IN, Status.OUT: Standing.OUT, Status.LEFT: Standing.LEFT}


def table_picture(view: TableView, tr: Translator, ctx: Context) -> TablePicture | None:
    """The current round; None if there is none or the group wants no pictures."""
    game = view.game
    if ctx.look is Look.TEXT or game is None or game.round is None:
        return None
    now = game.round
    there = _in_picture(view)
    pile = now.discard[-DISCARD_SHOWN:]
    laid_by = _laid_by(game, now)
    return TablePicture(
        title=_title(view, now.number, tr),
        seats=tuple(_seat(player, tr, is_lit=player.seat == now.turn) for player in there),
        discard=tuple(face(card, tr) for card in pile),
        discarded=len(now.discard),
        stock=now.stock,
        ordered=now.ordered,
        laid_by=next((place for place, player in enumerate(there) if player.seat == laid_by), None),
        direction=now.direction if can_turn_direction(game.rules) else None,
        attack=now.pending,
        must_cover=now.must_cover,
        is_asleep=view.phase is TablePhase.ASLEEP,
        four_colours=ctx.look is Look.FOUR_COLOURS,
    )


def result_picture(view: TableView, last: RoundResult, tr: Translator, ctx: Context) -> TablePicture | None:
    """The end of a round with all hands face up; None if the group wants no pictures."""
    if ctx.look is Look.TEXT:
        return None
    hands = dict(last.hands)
    entries = {entry.seat: entry for entry in sums(view, last)}
    seats = []
    for seat, player in enumerate(view.players):
        entry = entries.get(seat)
        if entry is None:
            continue
        seats.append(
            SeatPicture(
                name=tr.name(player.name),
                cards=len(hands[seat]),
                total=entry.total,
                standing=Standing.OUT if entry.is_out else Standing.IN,
                is_lit=seat == last.winner,
                is_computer=player.level is not None,
                hand=tuple(face(card, tr) for card in sorted_cards(hands[seat])),
                gain=_signed(entry.points),
            )
        )
    return TablePicture(
        title=_title(view, last.number, tr),
        seats=tuple(seats),
        is_over=True,
        four_colours=ctx.look is Look.FOUR_COLOURS,
    )


def _title(view: TableView, number: int, tr: Translator) -> str:
    return tr.plain("picture.title", n=number, limit=view.rules.limit)


def _in_picture(view: TableView) -> list[PlayerView]:
    """The players shown in the picture: all who have not left."""
    return [player for player in view.players if player.status is not Status.LEFT]


def _seat(player: PlayerView, tr: Translator, *, is_lit: bool) -> SeatPicture:
    assert player.status is not None
    return SeatPicture(
        name=tr.name(player.name),
        cards=player.cards,
        total=player.total,
        standing=_STANDINGS[player.status],
        is_lit=is_lit,
        is_away=player.is_away,
        is_computer=player.level is not None,
    )


def face(card: Card, tr: Translator) -> Face:
    """An open card in the reader's language."""
    return Face(RANKS[rank_of(card)], tr.rank(rank_of(card)), suit_of(card))


def _signed(points: int) -> str:
    return f"+{points}" if points >= 0 else f"−{-points}"


def _laid_by(game: View, now: RoundView) -> int | None:
    """The seat that played the top card; None if it was turned up at the deal."""
    for events in reversed(game.history):
        for event in reversed(events):
            match event:
                case CardLaid(seat=seat, card=card):
                    return seat if card == now.top else None
                case RoundDealt():
                    return None
                case _:
                    pass
    return None
