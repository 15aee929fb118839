"""The chart of a match: everybody's totals over the rounds."""

from __future__ import annotations

from bot.locales import Translator
from bot.locales.translator import str_of
from bot.screens.highlight import highlight_line
from bot.screens.layout import caption, page
from bot.screens.phrases import place_name
from bot.screens.picture import ChartLine, ChartPicture, EndPicture, PlaceLine, Standing
from bot.screens.score import standing
from bot.screens.screen import Screen
from bot.screens.standings import places, sums
from bot.tables.ranking import Outcome, Place
from bot.tables.view import PlayerView, TableView
from engine import Status

_STANDINGS = {Status.IN: Standing.IN, Status.OUT: Standing.OUT, Status.LEFT: Standing.LEFT}


def chart_screen(view: TableView, tr: Translator) -> Screen:
    """The chart with the standings as its caption; without pictures, the caption stands alone."""
    variants = (tr, tr.with_short_names(8), tr.with_short_names(4))
    return Screen(caption(page(*standing(view, short)) for short in variants), picture=chart(view, tr))


def chart(view: TableView, tr: Translator) -> ChartPicture:
    """The chart of everybody who has finished a round."""
    totals: dict[int, list[tuple[int, int]]] = {}
    for played in view.rounds:
        newcomers = {seat for seat, _ in played.totals} - totals.keys()
        before = {entry.seat: entry.before for entry in sums(view, played)} if newcomers else {}
        for seat, total in played.totals:
            began = [(played.number - 1, before[seat])] if seat in newcomers else []
            totals.setdefault(seat, began).append((played.number, total))
    return ChartPicture(
        title=place_name(view, tr),
        lines=tuple(_line(view.players[seat], tuple(totals[seat]), view, tr) for seat in sorted(totals)),
        rounds=max((played.number for played in view.rounds), default=0),
        limit=view.rules.limit,
        limit_label=tr.plain("chart.limit", limit=view.rules.limit),
        rounds_label=tr.plain("chart.rounds"),
        totals_label=tr.plain("chart.totals"),
    )


def end_picture(view: TableView, tr: Translator) -> EndPicture:
    """The picture of a won match: everybody's place, the chart and the highlight."""
    assert view.game is not None
    assert view.game.winner is not None
    return EndPicture(
        title=tr.plain("chart.winner", name=tr.name(view.name_of(view.game.winner))),
        places=tuple(_place(place, view, tr) for place in places(view)),
        chart=chart(view, tr),
        moment=highlight_line(view, tr) or "",
    )


def _line(
    player: PlayerView, totals: tuple[tuple[int, int], ...], view: TableView, tr: Translator
) -> ChartLine:
    assert player.seat is not None
    has_won = view.game is not None and view.game.winner == player.seat
    standing = _STANDINGS[player.status or Status.IN]
    return ChartLine(
        player.seat, tr.name(player.name), totals, standing, has_won, is_computer=player.level is not None
    )


def _place(place: Place, view: TableView, tr: Translator) -> PlaceLine:
    sign = {Outcome.OUT: "✖", Outcome.LEFT: "⇥"}.get(place.fate)
    when = "" if place.out_in is None else tr.plain("chart.in_round", n=place.out_in)
    return PlaceLine(
        number=place.number,
        seat=place.seat,
        name=tr.name(view.name_of(place.seat)),
        total=str_of(place.total),
        note="" if sign is None else f"{sign} {when}".rstrip(),
        has_won=place.fate is Outcome.WON,
        is_computer=view.players[place.seat].level is not None,
    )
