"""The bot's committed state, read from a copy of its database, to compare messages with.

The copy is taken by another process than the bot's, while it runs or after it was killed, and changes nothing
of the original: a killed bot's write-ahead log is left for the bot to recover.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from bot.buttons import PickSuit
from bot.locales import load_catalogues, pick_language
from bot.messages.desired import DesiredMessage, Reader, board_key, desired_messages
from bot.messages.rendering import look_at
from bot.screens.screen import Context
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.shown import Shown
from bot.storage.tables import LoggedMove
from bot.tables.export import at_start
from bot.tables.model import Table
from bot.tables.queries import TableQueries
from engine import Deal, Event, Match, Move, apply, load_move, new_match
from engine.cards import sorted_deck

CATALOGUES = load_catalogues()
BOT_USERNAME = "sandbox_bot"


@dataclass(frozen=True, slots=True)
class Committed:
    """One table at one moment: state, log, shown messages on record, desired messages.

    Messages of unreachable people are in neither.
    """

    table: Table
    log: tuple[LoggedMove, ...]
    shown: dict[str, Shown]
    wanted: dict[str, DesiredMessage]

    @property
    def match(self) -> Match:
        """The match, which must have begun."""
        assert self.table.match is not None
        return self.table.match

    @property
    def mover(self) -> int:
        """The user id of the player to move."""
        assert self.match.round is not None
        return self.table.players[self.match.round.turn.seat].user_id

    @property
    def seeds(self) -> list[str]:
        """The seeds of all shuffles so far and of the next one, in hex."""
        dealt = [step.move for step in steps(self) if isinstance(step.move, Deal)]
        return [deal.seed.hex() for deal in dealt if deal.seed is not None] + [self.table.next_seed.hex()]

    def hand(self, user_id: int) -> tuple[int, ...]:
        """Return the cards in somebody's hand."""
        seat = self.table.seat_of(user_id)
        assert self.match.round is not None
        assert seat is not None
        return self.match.round.piles.hands[seat]


@dataclass(frozen=True, slots=True)
class Step:
    """A move in a table's log, with the match before and after it. `actor` is None for the clock."""

    at: float
    actor: int | None
    move: Move
    before: Match
    after: Match
    events: tuple[Event, ...]


async def committed(
    database: Path, chat: int, choosing: Mapping[int, Sequence[PickSuit]], thread: int = 0
) -> Committed:
    """Return the committed state of the table opened last in a chat or topic.

    `choosing`: for which wild people were last asked the suit at their tables, by user id; it counts at that
    table for the moment it was asked at.
    """
    async with copied(database) as storage:
        return await _read(storage, chat, thread, choosing)


async def all_committed(database: Path, chats: Iterable[int]) -> dict[int, Committed]:
    """Return the tables opened last in each of these chats, all as of one moment; nobody chooses a suit."""
    async with copied(database) as storage:
        return {chat: await _read(storage, chat, 0, {}) for chat in chats}


async def latest(storage: Storage, chat: int) -> Committed | None:
    """The table that was opened last in a chat, if there is one; nobody chooses a suit."""
    if await TableQueries(storage).latest_at(chat, 0) is None:
        return None
    return await _read(storage, chat, 0, {})


@asynccontextmanager
async def copied(database: Path) -> AsyncIterator[Storage]:
    """Copy the database as it is now, for reading."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        await asyncio.to_thread(_copy, database, copy)
        opened = await Database.open(copy)
        try:
            yield Storage(opened)
        finally:
            await opened.close()


def steps(state: Committed) -> list[Step]:
    """Replay the log: return each move with its effect on the match."""
    moves = [load_move(json.loads(logged.move)) for logged in state.log]
    match = new_match(state.table.settings.rules, at_start(state.table, moves))
    found = []
    for logged, move in zip(state.log, moves, strict=True):
        transition = apply(match, move)
        found.append(Step(logged.at, logged.actor, move, match, transition.match, tuple(transition.events)))
        match = transition.match
    return found


def misplaced_cards(state: Committed) -> list[str]:
    """Return where, at any step of the log, a card existed twice or not at all; empty if all is well."""
    deck = Counter(sorted_deck(state.table.settings.rules.deck))
    found = []
    for number, step in enumerate(steps(state), start=1):
        now = step.after.round
        if now is not None:
            held = [card for hand in now.piles.hands for card in hand]
            there = Counter([*held, *now.piles.stock, *now.piles.discard])
            if there != deck:
                found.append(f"move {number}: missing {deck - there}, too many {there - deck}")
    return found


def _copy(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reader,
        closing(sqlite3.connect(target)) as writer,
    ):
        reader.backup(writer)


async def _read(
    storage: Storage, chat: int, thread: int, choosing: Mapping[int, Sequence[PickSuit]]
) -> Committed:
    queries = TableQueries(storage)
    table_id = await queries.latest_at(chat, thread)
    assert table_id is not None, f"no table in chat {chat}"
    shown = await storage.shown.of_table(table_id)
    people = await storage.people.get_many({it.chat_id for it in shown.values() if it.chat_id > 0})
    return Committed(
        table=await queries.load(table_id),
        log=await storage.tables.move_log(table_id),
        shown={key: it for key, it in shown.items() if it.chat_id < 0 or people[it.chat_id].reachable},
        wanted=await _wanted(storage, queries, table_id, choosing),
    )


async def _wanted(
    storage: Storage, queries: TableQueries, table_id: str, choosing: Mapping[int, Sequence[PickSuit]]
) -> dict[str, DesiredMessage]:
    """Return the table's desired messages."""
    place, group, hands = await queries.views(table_id)
    chat = await storage.chats.get(place.chat_id)
    people = await storage.people.get_many(hands)
    readers = {
        user_id: Reader(
            tr=CATALOGUES[pick_language(person.language, person.language_code)],
            reachable=person.reachable,
            sound=person.settings.sound,
            hand_order=person.settings.hand_order,
        )
        for user_id, person in people.items()
    }
    board = (await storage.shown.of_table(table_id)).get(
        board_key(0 if group.game is None else group.game.number)
    )
    context = Context(
        bot_username=BOT_USERNAME,
        table_url=None if board is None else _message_url(board.chat_id, board.message_id),
        unreachable=frozenset(user_id for user_id, reader in readers.items() if not reader.reachable),
        look=look_at(chat, table_id),
    )
    tr = CATALOGUES[pick_language(None if chat is None else chat.language, None)]
    moment = None if group.game is None or group.game.round is None else group.game.round.stamp
    choices = {
        user_id: pick.card
        for user_id, picks in choosing.items()
        for pick in picks
        if (pick.table, pick.stamp) == (table_id, moment)
    }
    return desired_messages(place, group, hands, tr, readers, choices, context)


def _message_url(chat: int, message_id: int) -> str | None:
    """Only supergroups, whose ids begin with -100, have links to their messages."""
    inner = str(chat).removeprefix("-100")
    return None if inner == str(chat) else f"https://t.me/c/{inner}/{message_id}"
