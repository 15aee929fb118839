"""Tables for tests of what people see, in a line or two: a position in the notation, played on by real moves.

    view = scene("p1: 7S KD | p2: 10C 9D | stock: 9H 6H | discard: JS", "p1 7S").seen_by("p2")

Everything goes through `bot.tables.transitions` and `view_table`, as in the bot. The people are called as in
`NAMES`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.locales import load_catalogues
from bot.screens.screen import Context, Rows, Screen
from bot.tables import transitions
from bot.tables.lifecycle import Deadline, DeadlineKind, Phase
from bot.tables.model import Table
from bot.tables.moment import Moment, Pace
from bot.tables.moving import forced_move
from bot.tables.player import Player
from bot.tables.settings import TableSettings
from bot.tables.view import TableView, view_table
from engine import Draw, Leave, Pass, Play, Rules, parse_move
from tests.builders import position

CATALOGUES = load_catalogues()
RU, EN = CATALOGUES["ru"], CATALOGUES["en"]

NAMES = ("Аня", "Борис", "Вера", "Гена", "Дина", "Егор", "Жанна", "Захар", "Инна", "Костя")
GROUP = "Книжный клуб"
CTX = Context(bot_username="sto_odno_bot", table_url="https://t.me/c/1234567890/42")
PACE = Pace()
NOW = 1_790_000_000.0
"""Unix seconds: every table here was opened then, and each of its moves is made five seconds after the last."""

_STEP = 5.0
_TURN_SECONDS = 60


@dataclass(frozen=True)
class Scene:
    """A table at a moment."""

    table: Table
    now: float = NOW

    def seen_by(self, player: str | None = None) -> TableView:
        """As `p1` … see it, or None: as the group does."""
        return view_table(self.table, None if player is None else _user_id(player), GROUP)

    def then(self, *moves: str) -> Scene:
        """Played on: moves in the notation (`p1 7S`, `p2 draw`, `p3 leave`), and `p4 sit`, `p1 stop`, `deal`, `time`."""
        scene = self
        for move in moves:
            scene = Scene(_played(scene.table, move, scene.now + _STEP), scene.now + _STEP)
        return scene


def scene(text: str, *moves: str, names: Sequence[str] = NAMES, **settings: object) -> Scene:
    """A running round at a position (see `tests.builders.document`), the first player being the host."""
    match = position(text, **settings)
    people = tuple(Player(seat + 1, names[seat]) for seat in range(len(match.seats)))
    table = replace(
        _opened(match.rules, people[0]), players=people, match=match, phase=Phase.PLAYING, started_at=NOW
    )
    if forced_move(match) is None:
        deadline = Deadline(DeadlineKind.TURN, NOW + _TURN_SECONDS)
    else:
        deadline = Deadline(DeadlineKind.FORCED, NOW + PACE.forced)
    return Scene(replace(table, deadline=deadline)).then(*moves)


def lobby_of(count: int, names: Sequence[str] = NAMES, **settings: object) -> Scene:
    """A lobby with so many people."""
    opened = Scene(_opened(Rules.from_document(settings), Player(1, names[0])))
    table = opened.table
    for seat in range(1, count):
        table = transitions.sit(table, Player(seat + 1, names[seat]), _moment(NOW)).table
    return Scene(table)


def dealt(count: int, names: Sequence[str] = NAMES, **settings: object) -> Scene:
    """A match whose first round has just been dealt."""
    return lobby_of(count, names, **settings).then("p1 start")


def played_out(scene: Scene, choose: int = 0, limit: int = 5000) -> Scene:
    """The match played to its end: each move the one at `choose` of those there are, every deal from the clock."""
    for n in range(limit):
        table = scene.table
        if table.phase is Phase.OVER:
            return scene
        if table.phase is Phase.BETWEEN:
            scene = scene.then("deal")
            continue
        view = scene.seen_by(f"p{_turn(table) + 1}")
        assert view.game is not None
        move = view.game.legal[(choose + n) % len(view.game.legal)]
        now = scene.now + _STEP
        scene = Scene(_made(table, move, now), now)
    raise AssertionError("the match does not end")


def labels(rows: Rows) -> list[str]:
    """The rows of buttons as text: one string for each row."""
    return [" | ".join(button.text for button in row) for row in rows]


def lines(screen: Screen) -> list[str]:
    """The screen's text line by line."""
    return screen.text.split("\n")


def _opened(rules: Rules, host: Player) -> Table:
    settings = TableSettings(rules, _TURN_SECONDS)
    return transitions.open_lobby("k3f9x2", -1001234567890, 0, host, settings, _moment(NOW))


def _user_id(player: str) -> int:
    return int(player.removeprefix("p"))


def _turn(table: Table) -> int:
    assert table.match is not None
    assert table.match.round is not None
    return table.match.round.turn


def _played(table: Table, move: str, now: float) -> Table:
    moment = _moment(now)
    match move.split():
        case ["deal"] | ["time"]:
            assert table.deadline is not None
            return transitions.expire(table, table.deadline, moment).table
        case [player, "sit"]:
            user_id = _user_id(player)
            return transitions.sit(table, Player(user_id, NAMES[user_id - 1]), moment).table
        case [player, "start"]:
            return transitions.start(table, _user_id(player), moment, is_admin=True).table
        case [player, "stop"]:
            return transitions.stop(table, _user_id(player), moment, is_admin=True).table
        case _:
            assert table.match is not None
            made = parse_move(table.match, move)
            assert isinstance(made, Play | Draw | Pass | Leave)
            return _made(table, made, now)


def _made(table: Table, move: Play | Draw | Pass | Leave, now: float) -> Table:
    assert table.match is not None
    user_id, stamp, moment = move.seat + 1, transitions.stamp_of(table.match), _moment(now)
    match move:
        case Play(card=card, suit=suit):
            return transitions.lay(table, user_id, stamp, card, suit, moment).table
        case Draw():
            return transitions.take(table, user_id, stamp, moment).table
        case Pass():
            return transitions.pass_turn(table, user_id, stamp, moment).table
        case Leave():
            return transitions.leave(table, user_id, moment).table


def _moment(now: float) -> Moment:
    """A moment with chance of its own, the same in every run."""
    return Moment(now, hashlib.sha256(str(now).encode()).digest(), PACE)
