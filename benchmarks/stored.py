"""Fills a database with running tables whose messages are all up to date.

The tables come from the table service's own transitions and the messages from the reconciler's own screens,
so a bot that starts on them finds nothing to do. The messages themselves need not exist.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import aiosqlite

from bot.locales import load_catalogues
from bot.messages.desired import DesiredMessage
from bot.messages.reconcile import Mode
from bot.messages.rendering import Renderer
from bot.messages.table_messages import TableMessages
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.shown import Shown
from bot.tables import transitions
from bot.tables.codec import dump_table
from bot.tables.context import Timings, TransitionContext
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from engine import Draw, Pass, Play, Stamp, legal, turn_stamp
from engine.shuffle import SEED_BYTES

SEATS = 4
MOVES = 12
"""Moves made at each table, so that hands, history and discard pile are those of a round in progress."""
FIRST_CHAT = -1_009_000_000_000
FIRST_USER = 900_000_000
"""The first of the user ids, which no sandbox assigns."""
NAMES = ("Анна", "Борис", "Вера", "Геннадий")
MESSAGE = 1000


async def fill(database: Path, tables: int, bot_username: str) -> None:
    """Add so many tables of four, without a clock, to the database of a stopped bot."""
    opened = await Database.open(database)
    try:
        storage = Storage(opened)
        chance = random.Random(tables)
        stored = [under_way(number, chance) for number in range(tables)]
        await _introduce(opened, stored)
        renderer = Renderer(storage, TableQueries(storage), load_catalogues(), bot_username)
        shown: list[Shown] = []
        for table in stored:
            await storage.tables.create(dump_table(table, time.time()))
            shown += await _all_shown(renderer, table)
        await storage.shown.change({(it.table_id, it.key): it for it in shown})
    finally:
        await opened.close()


def under_way(number: int, chance: random.Random) -> Table:
    """Return the table with this number, some moves into its first round."""
    people = [Player(FIRST_USER + SEATS * number + seat, NAMES[seat]) for seat in range(SEATS)]
    settings = TableSettings(turn_seconds=None)
    table = transitions.open_lobby(
        f"{number:010x}", FIRST_CHAT - number, 0, people[0], settings, _ctx(chance)
    )
    for visitor in people[1:]:
        table = transitions.sit(table, _ctx(chance), visitor.user_id, visitor.name).table
    table = transitions.start(table, _ctx(chance), people[0].user_id, is_admin=False).table
    for _ in range(MOVES):
        moved = _moved(table, chance)
        if moved.match is None or moved.match.round is None or moved.deadline is not None:
            break  # the round is over, or the next move is automatic, which would be work for the bot
        table = moved
    return replace(table, revision=MOVES)


def _moved(table: Table, chance: random.Random) -> Table:
    assert table.match is not None
    assert table.match.round is not None
    seat = table.match.round.turn.seat
    user, stamp, ctx = table.players[seat].user_id, _stamp(table), _ctx(chance)
    match chance.choice(legal(table.match, seat)):
        case Play(card=card, suit=suit):
            return transitions.lay(table, ctx, user, stamp, card, suit).table
        case Draw():
            return transitions.take(table, ctx, user, stamp).table
        case Pass():
            return transitions.pass_turn(table, ctx, user, stamp).table
        case other:
            raise AssertionError(f"{other} is no move of a turn")


def _stamp(table: Table) -> Stamp:
    assert table.match is not None
    return turn_stamp(table.match)


def _ctx(chance: random.Random) -> TransitionContext:
    return TransitionContext(time.time(), chance.randbytes(SEED_BYTES), Timings())


async def _introduce(database: Database, tables: list[Table]) -> None:
    """Store the tables' chats and people in one transaction; their own repositories take one each."""
    chats = [(table.chat_id, f"Клуб {table.id}") for table in tables]
    people = [(player.user_id, player.name) for table in tables for player in table.players]

    async def insert(connection: aiosqlite.Connection) -> None:
        await connection.executemany(
            "INSERT INTO chats (chat_id, title, kind, language) VALUES (?, ?, 'supergroup', 'ru')", chats
        )
        await connection.executemany(
            "INSERT INTO people (user_id, name, language_code, reachable) VALUES (?, ?, 'ru', 1)", people
        )

    await database.write(insert)


async def _all_shown(renderer: Renderer, table: Table) -> list[Shown]:
    """Return the shown messages of a table that is up to date.

    The hands link to the group's message, so they are rendered after it.
    """
    shown: dict[str, Shown] = {}
    for _ in range(2):
        desk = TableMessages(table.id, shown=shown)
        await renderer.render(desk)
        assert desk.desired is not None
        shown = {key: _as_shown(table.id, key, wanted) for key, wanted in desk.desired.items()}
    return list(shown.values())


def _as_shown(table_id: str, key: str, wanted: DesiredMessage) -> Shown:
    mode = Mode.NOTIFIED if wanted.screen.notifies else Mode.PLAIN
    return Shown(
        table_id,
        key,
        wanted.chat_id,
        MESSAGE,
        wanted.screen.digest,
        mode,
        time.time(),
        wanted.screen.recalls,
    )
