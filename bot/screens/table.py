"""The group's message while a round runs: whose turn, what is on top, who holds how much, what happened.

And while the table sleeps in the middle of a round.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.callbacks import Here, Hurry, Peek
from bot.locales import Html, Words
from bot.screens.layout import caption, page, press, rows, turn_deadline
from bot.screens.narration import narrate
from bot.screens.phrases import direction, on_top, rank_name, rules_name, seat_name, talk_line, unreachable
from bot.screens.screen import Button, Context, Screen, Style
from bot.screens.table_picture import table_picture
from bot.tables.lifecycle import Phase
from bot.tables.view import PlayerView, TableView
from engine import RoundView, Status, View

EVENTS_SHOWN = 4
SHORT_COMMITMENT = 8
"""Hex digits of the commitment that the group sees; the whole of it is in everybody's private chat."""


def table(view: TableView, words: Words, ctx: Context) -> Screen:
    """The running round as everybody may see it. `view.game` has a round."""
    game = view.game
    if game is None or game.round is None:
        raise ValueError(f"table {view.id} has no running round")
    now = game.round
    buttons = rows(
        (
            Button(words.plain("button.my_cards"), url=f"https://t.me/{ctx.bot_username}"),
            press(words.plain("button.peek"), Peek(view.id)),
        ),
        (_way_on(view, words),),
    )
    picture = table_picture(view, words, ctx)
    if picture is None:
        return Screen(_text(view, game, now, words, ctx, EVENTS_SHOWN), buttons)
    variants = (_text(view, game, now, short, ctx, events) for short, events in _shorter(words))
    return Screen(caption(variants), buttons, picture=picture)


def _shorter(words: Words) -> Iterator[tuple[Words, int]]:
    """What a caption leaves out, more and more, until it fits: first of the events, then of the names."""
    for events in range(EVENTS_SHOWN, 0, -1):
        yield words, events
    for graphemes in (12, 8, 4):
        yield words.with_short_names(graphemes), 1
    yield words.with_short_names(4), 0


def _text(view: TableView, game: View, now: RoundView, words: Words, ctx: Context, events: int) -> str:
    return page(
        asleep_line(view, words)
        or words("table.turn", name=seat_name(view, now.turn, words), state=_state(now, words)),
        _round_line(game, now, words),
        "",
        *(_seat_line(player, now.turn, words) for player in view.players),
        _waiting_line(view, words),
        _host_line(view, words),
        unreachable(view, words, ctx),
        "",
        *narrate(view, words, events),
        "",
        _footer(view, now, words),
        "",
        talk_line(view, words),
    )


def about_round(view: TableView, game: View, now: RoundView, words: Words) -> tuple[str, ...]:
    """The round, who holds how much, and what happened: lines of plain text, for who plays alone."""
    seats = [_seat_line(player, now.turn, words) for player in view.players]
    return (_round_line(game, now, words), "", *seats, "", *narrate(view, words, EVENTS_SHOWN))


def asleep_line(view: TableView, words: Words) -> Html | None:
    """That the table sleeps; None while it does not."""
    if view.phase is not Phase.ASLEEP:
        return None
    return words("table.banished" if view.banished else "table.asleep")


def wake_button(view: TableView, words: Words) -> Button | None:
    """For a table that sleeps until somebody of it is there."""
    if view.phase is not Phase.ASLEEP or view.banished:
        return None
    return press(words.plain("button.wake"), Here(view.id), Style.SUCCESS)


def _way_on(view: TableView, words: Words) -> Button | None:
    """What brings the table on where no clock does."""
    if view.phase is Phase.PLAYING and view.deadline is None:
        return press(words.plain("button.hurry"), Hurry(view.id))
    return wake_button(view, words)


def _state(now: RoundView, words: Words) -> str:
    """What the player to move has before him."""
    if now.attack_rank is not None:
        key = "table.attacked" if now.pending else "table.attacked_skip"
        return words.plain(key, rank=rank_name(now.attack_rank, words, "means"), n=now.pending)
    if now.must_cover and now.top is not None:
        return words.plain("table.covering", card=words.card(now.top))
    return on_top(now, words)


def _round_line(game: View, now: RoundView, words: Words) -> str:
    line = words.plain(
        "table.round",
        n=now.number,
        rules=rules_name(game.rules, words),
        stock=now.stock,
        discard=len(now.discard),
    )
    way = direction(game, words)
    return line if way is None else f"{line} · {way}"


def _seat_line(player: PlayerView, turn: int, words: Words) -> str:
    name = words.name(player.name)
    if player.status is Status.OUT:
        return words.plain("seat.out", name=name, total=player.total)
    if player.status is Status.LEFT:
        return words.plain("seat.left", name=name, total=player.total)
    if player.seat == turn:
        key = "seat.turn_away" if player.is_away else "seat.turn"
    else:
        key = "seat.in_away" if player.is_away else "seat.in"
    return words.plain(
        key,
        name=name,
        cards=words.plain("count.last_card")
        if player.cards == 1
        else words.plain_plural("count.cards", player.cards),
        total=player.total,
    )


def _waiting_line(view: TableView, words: Words) -> str | None:
    if not view.waiting:
        return None
    return words.plain("table.waiting", names=", ".join(words.name(player.name) for player in view.waiting))


def _host_line(view: TableView, words: Words) -> str | None:
    """Who is host now, where it is no longer the first who sat down."""
    if not view.players or view.players[0].is_host:
        return None
    return words.plain("table.host", name=words.name(view.host_name))


def _footer(view: TableView, now: RoundView, words: Words) -> str | None:
    deadline = turn_deadline(view, words)
    commitment = (
        None
        if now.commitment is None
        else words("table.commitment", digits=now.commitment[:SHORT_COMMITMENT])
    )
    parts = [part for part in (deadline, commitment) if part is not None]
    return Html("   ".join(parts)) if parts else None
