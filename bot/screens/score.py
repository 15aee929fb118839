"""The score sheet: everybody's total, and the match round by round.

The columns of the table of rounds are headed by initials, since names of any length and script would break
the alignment. Numbers before names are places, shown only once the match has a winner.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from bot.buttons import ShowChart
from bot.locales import Html, Translator
from bot.locales.names import units
from bot.locales.translator import escape, str_of
from bot.screens.layout import MESSAGE_UNITS, callback_button, page, rows
from bot.screens.phrases import place_name, rules_name
from bot.screens.screen import Button, Screen
from bot.screens.standings import places
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.view import PlayerView, TableView
from engine import RoundResult, Status

_GAP: Final = "\n\n"
_ROOM_FOR_NOTE: Final = 100
_NOT_PLAYED: Final = "·"
_NUMBER: Final = "#"
_MOST_INITIALS: Final = 3


def score(views: Sequence[TableView], tr: Translator) -> Screen:
    """The score sheets of these tables, each of its current or last match.

    Several tables share the message equally; those that do not fit even without rounds are only counted.
    """
    shown: list[str] = []
    room = MESSAGE_UNITS - _ROOM_FOR_NOTE
    share = room // max(1, len(views)) - len(_GAP)
    for view in views:
        sheet = _sheet(view, tr, share)
        if units(_GAP.join([*shown, sheet])) > room:
            break
        shown.append(sheet)
    left_out = len(views) - len(shown)
    if left_out:
        shown.append(tr.plural("score.more_tables", left_out))
    seen = views[: len(views) - left_out]
    return Screen(_GAP.join(shown), rows(*((_chart_button(view, tr, len(views)),) for view in seen)))


def _chart_button(view: TableView, tr: Translator, tables: int) -> Button | None:
    """The chart's button, named after the group if there are several tables; None without finished rounds."""
    if not view.rounds:
        return None
    group = place_name(view, tr)
    text = tr.plain("button.chart") if tables == 1 else tr.plain("chart.title", group=group)
    return callback_button(text, ShowChart(view.id))


def _sheet(view: TableView, tr: Translator, room: int) -> str:
    """One table's sheet, without as many of the oldest rounds as needed to fit into `room` UTF-16 units.

    Tags are counted as well, which Telegram does not do; this is simpler and errs on the safe side.
    """
    head, heads = page(*standing(view, tr)), _heads(view, tr)

    def without(dropped: int) -> str:
        note = tr.plain_plural("score.dropped", dropped) if dropped else None
        return page(Html(head), note, _grid(view.rounds[dropped:], heads, tr))

    every = range(len(view.rounds))
    dropped = bisect_left(every, True, key=lambda dropped: units(without(dropped)) <= room)
    return without(dropped) if dropped < len(every) else head


def standing(view: TableView, tr: Translator) -> list[str]:
    """The state of the match and everybody's total, in lines of plain text or HTML."""
    return [
        tr("score.title", group=place_name(view, tr)),
        tr("score.rules", rules=rules_name(view.rules, tr), limit=view.rules.limit),
        _state(view, tr),
        *_player_lines(view, tr),
    ]


def _state(view: TableView, tr: Translator) -> Html:
    """The state of the match: not begun, in which round, or over."""
    match view.phase:
        case TablePhase.LOBBY:
            return tr("score.lobby")
        case TablePhase.PLAYING | TablePhase.BETWEEN | TablePhase.CUTTING | TablePhase.ASLEEP:
            if view.game is None:
                return tr("score.lobby")
            number = view.game.number
            return tr("score.running", n=number) if number else tr("score.first_deal")
        case TablePhase.OVER if view.game is not None and view.game.winner is not None:
            return tr("score.won", name=tr.name(view.name_of(view.game.winner)))
        case TablePhase.OVER:
            has_begun = view.game is not None
            return tr("score.stopped" if has_begun or view.ending is Ending.STOPPED else "score.closed")


def _player_lines(view: TableView, tr: Translator) -> list[str]:
    """A line for each player, by place if the match was won, otherwise in seating order."""
    lines = [
        _player_line(player, head, view, tr)
        for player, head in zip(view.players, _heads(view, tr), strict=True)
    ]
    if view.game is None or view.game.winner is None:
        return lines
    return [tr.plain("score.place", n=place.number, line=lines[place.seat]) for place in places(view)]


def _player_line(player: PlayerView, head: str, view: TableView, tr: Translator) -> str:
    name = tr.name(player.name)
    if head.startswith(_NUMBER):
        name = f"{head} {name}"
    if view.game is not None and player.seat == view.game.winner:
        return tr.plain("score.winner", name=name, total=player.total)
    match player.status:
        case Status.OUT:
            return tr.plain("score.out", name=name, total=player.total)
        case Status.LEFT:
            return tr.plain("score.left", name=name, total=player.total)
        case _:
            return tr.plain("score.player", name=name, total=player.total)


def _heads(view: TableView, tr: Translator) -> list[str]:
    """The column heads: the shortest unique beginning of each name, of at most three letters.

    If there is none, the head is a number, which is shown before the name as well. Wide and right-to-left
    letters do not count, since they would break the alignment.
    """
    spelt = ["".join(filter(_keeps_a_column, tr.name(player.name))).lower() for player in view.players]
    heads = []
    for seat, letters in enumerate(spelt):
        others = spelt[:seat] + spelt[seat + 1 :]
        initials = (letters[:count] for count in range(1, min(len(letters), _MOST_INITIALS) + 1))
        head = next((it for it in initials if not any(other.startswith(it) for other in others)), None)
        heads.append(f"{_NUMBER}{seat + 1}" if head is None else head[0].upper() + head[1:])
    return heads


def _keeps_a_column(character: str) -> bool:
    is_narrow = unicodedata.east_asian_width(character) not in ("W", "F")
    return character.isalpha() and is_narrow and unicodedata.bidirectional(character) == "L"


def _grid(rounds: Sequence[RoundResult], heads: Sequence[str], tr: Translator) -> Html:
    """The points of each round, and in the last line the totals, with a column for each head."""
    seats = len(heads)
    table = [["", *heads]]
    for played in rounds:
        points = dict(played.points)
        table.append([str(played.number), *(str_of(points.get(seat, _NOT_PLAYED)) for seat in range(seats))])
    totals: dict[int, int] = {}
    for played in rounds:
        totals |= dict(played.totals)
    table.append([tr.plain("score.total"), *(str_of(totals.get(seat, _NOT_PLAYED)) for seat in range(seats))])
    widths = [max(len(row[column]) for row in table) for column in range(seats + 1)]
    lines = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return Html(f"<pre>{escape(chr(10).join(lines))}</pre>")
