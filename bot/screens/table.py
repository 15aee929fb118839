"""The board, the group's message during a round: the player to move, top card, card counts, last events.

It is shown while the table is asleep in the middle of a round as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.buttons import Here, Nudge, Peek
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, caption, page, rows, turn_deadline
from bot.screens.narration import narrate
from bot.screens.phrases import direction, on_top, rank_name, rules_name, seat_name, talk_line, unreachable
from bot.screens.screen import Button, Context, Screen, Style
from bot.screens.table_picture import table_picture
from bot.tables.lifecycle import TablePhase
from bot.tables.view import PlayerView, TableView
from engine import RoundView, Status, View

EVENTS_SHOWN = 4
SHORT_COMMITMENT = 8
"""Hex digits of the commitment shown in the group; private messages have all of it."""


def table(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """The board of the current round. Raises ValueError if there is none."""
    game = view.game
    if game is None or game.round is None:
        raise ValueError(f"table {view.id} has no running round")
    now = game.round
    buttons = rows(
        (
            Button(tr.plain("button.my_cards"), url=f"https://t.me/{ctx.bot_username}"),
            callback_button(tr.plain("button.peek"), Peek(view.id)),
        ),
        (_advance_button(view, tr),),
    )
    picture = table_picture(view, tr, ctx)
    if picture is None:
        return Screen(_text(view, game, now, tr, ctx, EVENTS_SHOWN), buttons)
    variants = (_text(view, game, now, short, ctx, events) for short, events in _shorter(tr))
    return Screen(caption(variants), buttons, picture=picture)


def _shorter(tr: Translator) -> Iterator[tuple[Translator, int]]:
    """Yield (translator, number of events) for ever shorter captions: fewer events, then shorter names."""
    for events in range(EVENTS_SHOWN, 0, -1):
        yield tr, events
    for graphemes in (12, 8, 4):
        yield tr.with_short_names(graphemes), 1
    yield tr.with_short_names(4), 0


def _text(view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context, events: int) -> str:
    return page(
        asleep_line(view, tr) or tr("table.turn", name=seat_name(view, now.turn, tr), state=_state(now, tr)),
        _round_line(game, now, tr),
        "",
        *(_seat_line(player, now.turn, tr) for player in view.players),
        _waiting_line(view, tr),
        _host_line(view, tr),
        unreachable(view, tr, ctx),
        "",
        *narrate(view, tr, events),
        "",
        _footer(view, now, tr),
        "",
        talk_line(view, tr),
    )


def about_round(view: TableView, game: View, now: RoundView, tr: Translator) -> tuple[str, ...]:
    """The round, card counts and last events, as lines of plain text for a solo match."""
    seats = [_seat_line(player, now.turn, tr) for player in view.players]
    return (_round_line(game, now, tr), "", *seats, "", *narrate(view, tr, EVENTS_SHOWN))


def asleep_line(view: TableView, tr: Translator) -> Html | None:
    """Say that the table is asleep; None if it is not."""
    if view.phase is not TablePhase.ASLEEP:
        return None
    return tr("table.banished" if view.banished else "table.asleep")


def wake_button(view: TableView, tr: Translator) -> Button | None:
    """The button that wakes a table that is asleep; None if it is not, or the bot was removed."""
    if view.phase is not TablePhase.ASLEEP or view.banished:
        return None
    return callback_button(tr.plain("button.wake"), Here(view.id), Style.SUCCESS)


def _advance_button(view: TableView, tr: Translator) -> Button | None:
    """A button to nudge the player to move if there is no clock, or to wake the table."""
    if view.phase is TablePhase.PLAYING and view.deadline is None:
        return callback_button(tr.plain("button.hurry"), Nudge(view.id))
    return wake_button(view, tr)


def _state(now: RoundView, tr: Translator) -> str:
    """Describe the situation of the player to move: an attack, a card to cover, or the top card."""
    if now.attack_rank is not None:
        key = "table.attacked" if now.pending else "table.attacked_skip"
        return tr.plain(key, rank=rank_name(now.attack_rank, tr, "means"), n=now.pending)
    if now.must_cover and now.top is not None:
        return tr.plain("table.covering", card=tr.card(now.top))
    return on_top(now, tr)


def _round_line(game: View, now: RoundView, tr: Translator) -> str:
    line = tr.plain(
        "table.round",
        n=now.number,
        rules=rules_name(game.rules, tr),
        stock=now.stock,
        discard=len(now.discard),
    )
    direction_text = direction(game, tr)
    return line if direction_text is None else f"{line} · {direction_text}"


def _seat_line(player: PlayerView, turn: int, tr: Translator) -> str:
    name = tr.name(player.name)
    if player.status is Status.OUT:
        return tr.plain("seat.out", name=name, total=player.total)
    if player.status is Status.LEFT:
        return tr.plain("seat.left", name=name, total=player.total)
    if player.seat == turn:
        key = "seat.turn_away" if player.is_away else "seat.turn"
    else:
        key = "seat.in_away" if player.is_away else "seat.in"
    return tr.plain(
        key,
        name=name,
        cards=tr.plain("count.last_card")
        if player.cards == 1
        else tr.plain_plural("count.cards", player.cards),
        total=player.total,
    )


def _waiting_line(view: TableView, tr: Translator) -> str | None:
    if not view.waiting:
        return None
    return tr.plain("table.waiting", names=", ".join(tr.name(player.name) for player in view.waiting))


def _host_line(view: TableView, tr: Translator) -> str | None:
    """Name the host if it is not the first player."""
    if not view.players or view.players[0].is_host:
        return None
    return tr.plain("table.host", name=tr.name(view.host_name))


def _footer(view: TableView, now: RoundView, tr: Translator) -> str | None:
    deadline = turn_deadline(view, tr)
    commitment = (
        None if now.commitment is None else tr("table.commitment", digits=now.commitment[:SHORT_COMMITMENT])
    )
    parts = [part for part in (deadline, commitment) if part is not None]
    return Html("   ".join(parts)) if parts else None
