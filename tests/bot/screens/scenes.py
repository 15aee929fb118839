"""Tables for tests of what people see, in a line or two: a position in the notation, played on by real moves.

    view = scene("p1: 7S KD | p2: 10C 9D | stock: 9H 6H | discard: JS", "p1 7S").seen_by("p2")

Everything goes through `bot.tables.transitions` and `view_table`, as in the bot. The people are called as in
`NAMES`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.buttons import decode
from bot.locales import load_catalogues
from bot.screens.screen import Context, Rows, Screen
from bot.settings import TableSettings
from bot.tables import transitions
from bot.tables.automatic_moves import forced_move
from bot.tables.context import Timings, TransitionContext
from bot.tables.lifecycle import Deadline, DeadlineKind, TablePhase
from bot.tables.model import Table
from bot.tables.player import AWAY_AFTER, Player
from bot.tables.transitions.playing import normalize_phase
from bot.tables.view import TableView, view_table
from engine import Draw, Leave, Pass, Play, Rules, legal, parse_card, parse_move, parse_suit, turn_stamp
from tests.builders import position

CATALOGUES = load_catalogues()
LANGUAGES = pytest.mark.parametrize("tr", CATALOGUES.values(), ids=CATALOGUES.keys())
RU, EN = CATALOGUES["ru"], CATALOGUES["en"]

NAMES = ("Аня", "Борис", "Вера", "Гена", "Дина", "Егор", "Жанна", "Захар", "Инна", "Костя")
GROUP = "Книжный клуб"
CTX = Context(bot_username="sto_odno_bot", table_url="https://t.me/c/1234567890/42")
PACE = Timings()
NOW = 1_790_000_000.0
"""Unix seconds: when every table here is opened; each move comes five seconds after the last."""

_STEP = 5.0
_TURN_SECONDS = 60


@dataclass(frozen=True)
class Scene:
    """A table at a moment."""

    table: Table
    now: float = NOW

    def seen_by(self, player: str | None = None) -> TableView:
        """Return the view of `p1` …, or None: the group's."""
        return view_table(self.table, None if player is None else _user_id(player), GROUP)

    def then(self, *moves: str) -> Scene:
        """Played on.

        By the notation (`p1 7S`, `p2 draw`, `p3 leave`); `p4 sit`, `p1 stop`, `p1 here`; `p2 away`: their
        turns are played for them; `p1 calls p2` or `p1 calls` for a vote, `p2 aye`, `p2 no`; `p1 kicks p2`,
        `p3 recalls p2` for a vote on it; `p2 aside QS:H`; `p2 says …`; `time`: the deadline comes, or where
        the table sleeps, its first player wakes it.
        """
        scene = self
        for move in moves:
            scene = Scene(_played(scene.table, move, scene.now + _STEP), scene.now + _STEP)
        return scene

    def moved(self, choice: int) -> Scene:
        """Make the legal move at `choice` (modulo their number), or the next deal."""
        match, now = self.table.match, self.now + _STEP
        if match is None or match.round is None:
            return self.then("time")
        moves = legal(match, match.round.turn.seat)
        return Scene(_made(self.table, moves[choice % len(moves)], now), now)


def scene(text: str, *moves: str, names: Sequence[str] = NAMES, **settings: Any) -> Scene:
    """A running round at a position (see `tests.builders.document`), the first player being the host."""
    match = position(text, **settings)
    people = tuple(Player(seat + 1, names[seat]) for seat in range(len(match.seats)))
    chosen = TableSettings(match.rules, _TURN_SECONDS)
    table = replace(
        _opened(chosen, people[0]), players=people, match=match, phase=TablePhase.PLAYING, started_at=NOW
    )
    if forced_move(match) is None:
        deadline = Deadline(DeadlineKind.TURN, NOW + _TURN_SECONDS)
    else:
        deadline = Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    return Scene(replace(table, deadline=deadline)).then(*moves)


def lobby_of(
    count: int,
    names: Sequence[str] = NAMES,
    *,
    cut: bool = False,
    turn_seconds: int | None = _TURN_SECONDS,
    **settings: Any,
) -> Scene:
    """A lobby with so many people."""
    chosen = TableSettings(Rules.from_document(settings), turn_seconds, cut)
    table = _opened(chosen, Player(1, names[0]))
    for seat in range(1, count):
        table = transitions.sit(table, _ctx(NOW), seat + 1, names[seat]).table
    return Scene(table)


def dealt(count: int, names: Sequence[str] = NAMES, **settings: Any) -> Scene:
    """A match whose first round has just been dealt."""
    return lobby_of(count, names, **settings).then("p1 start")


def played_out(scene: Scene, limit: int = 5000) -> Scene:
    """The match played to its end."""
    for n in range(limit):
        if scene.table.phase is TablePhase.OVER:
            return scene
        scene = scene.moved(n)
    raise AssertionError("the match does not end")


def labels(rows: Rows) -> list[str]:
    """The rows of buttons as text: one string for each row."""
    return [" | ".join(button.text for button in row) for row in rows]


def asked(screen: Screen) -> list[Any]:
    """Return what the buttons ask for; for links, their URL."""
    buttons = [button for row in screen.rows for button in row if button.data or button.url]
    return [decode(button.data) if button.data else button.url for button in buttons]


def lines(screen: Screen) -> list[str]:
    """The screen's text line by line; a space that does not break the line looks like any other."""
    return screen.text.replace("\u00a0", " ").split("\n")


def _opened(settings: TableSettings, host: Player) -> Table:
    return transitions.open_lobby("k3f9x2", -1001234567890, 0, host, settings, _ctx(NOW))


def _user_id(player: str) -> int:
    return int(player.removeprefix("p"))


def _played(table: Table, move: str, now: float) -> Table:
    ctx = _ctx(now)
    match move.split():
        case ["time"] if table.phase is TablePhase.ASLEEP:
            assert table.match is not None
            first = table.players[table.match.seats_in()[0]].user_id
            return transitions.mark_present(table, ctx, first).table
        case ["time"]:
            assert table.deadline is not None
            return transitions.expire(table, ctx, table.deadline).table
        case [player, "sit"]:
            user_id = _user_id(player)
            return transitions.sit(table, ctx, user_id, NAMES[user_id - 1]).table
        case [player, "here"]:
            return transitions.mark_present(table, ctx, _user_id(player)).table
        case [player, "away"]:
            seat = table.seat_of(_user_id(player))
            assert seat is not None
            return normalize_phase(table, table.with_misses(seat, AWAY_AFTER), ctx)
        case [player, "calls", *target]:
            concerned = _user_id(target[0]) if target else None
            return transitions.call_vote(table, ctx, _user_id(player), concerned).table
        case [player, "kicks", target]:
            return transitions.kick(table, ctx, _user_id(player), _user_id(target), is_admin=True).table
        case [player, "recalls", target]:
            calling, back = _user_id(player), _user_id(target)
            return transitions.call_vote(table, ctx, calling, back, returns=True).table
        case [player, "aside", card]:
            assert table.match is not None
            code, _, suit = card.partition(":")
            ordered = parse_suit(suit) if suit else None
            number, user_id = table.match.number, _user_id(player)
            return transitions.set_premove(table, ctx, user_id, number, parse_card(code), ordered).table
        case [player, "says", *words]:
            return transitions.say(table, ctx, _user_id(player), " ".join(words)).table
        case [player, "aye" | "no" as answer]:
            assert table.vote is not None
            voter, number = _user_id(player), table.vote.number
            return transitions.cast_vote(table, ctx, voter, number, aye=answer == "aye").table
        case [player, "start"]:
            return transitions.start(table, ctx, _user_id(player), is_admin=True).table
        case [player, "stop"]:
            return transitions.stop(table, ctx, _user_id(player), is_admin=True).table
        case _:
            assert table.match is not None
            made = parse_move(table.match, move)
            assert isinstance(made, Play | Draw | Pass | Leave)
            return _made(table, made, now)


def _made(table: Table, move: Play | Draw | Pass | Leave, now: float) -> Table:
    assert table.match is not None
    user_id, stamp, ctx = move.seat + 1, turn_stamp(table.match), _ctx(now)
    match move:
        case Play(card=card, suit=suit):
            return transitions.lay(table, ctx, user_id, stamp, card, suit).table
        case Draw():
            return transitions.take(table, ctx, user_id, stamp).table
        case Pass():
            return transitions.pass_turn(table, ctx, user_id, stamp).table
        case Leave():
            return transitions.leave(table, ctx, user_id).table


def _ctx(now: float) -> TransitionContext:
    """A moment with chance of its own, the same in every run."""
    return TransitionContext(now, hashlib.sha256(str(now).encode()).digest(), PACE)
