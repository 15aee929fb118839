"""Reads tables: their last committed state, what people may see of them, and which tables there are.

Nothing here changes a table; `service` does.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.storage import Storage
from bot.tables import transitions
from bot.tables.cache import TableCache
from bot.tables.codec import load_table
from bot.tables.export import export
from bot.tables.lifecycle import Stage, TablePhase, stage_of
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from bot.tables.turns import ComputerTurn, computer_turn
from bot.tables.view import TableView, view_table
from engine.codec import load_move


@dataclass(frozen=True, slots=True)
class TableLocation:
    """The chat and topic of a table, and the revision of the views next to it."""

    table_id: str
    revision: int
    chat_id: int
    thread_id: int


@dataclass(frozen=True, slots=True)
class Course:
    """The progress of a table, and the user ids of the people at it (no computers).

    `round`: the last one that was dealt. `playing`: those who are in it; `people`: all with a place.
    """

    stage: Stage
    round: int
    playing: frozenset[int]
    people: frozenset[int]


class TableQueries:
    """Answers questions about tables. `now` gives unix seconds."""

    def __init__(self, storage: Storage, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self.now = now
        self.cache = TableCache(now)
        """The recently used tables; `Tables` puts here what it commits."""

    # ------------------------------------------------------------------------------------------- one table

    async def load(self, table_id: str) -> Table:
        """Return the last committed table. Raises Refusal: table_gone."""
        table = self.cache.get(table_id)
        if table is not None:
            return table
        row = await self._storage.tables.load(table_id)
        if row is None:
            raise Refusal(Refused.TABLE_GONE)
        table = load_table(row)
        newer = self.cache.get(table_id)
        if newer is not None and newer.revision >= table.revision:
            return newer
        return self.cache.keep(table)

    async def view(self, table_id: str, user_id: int | None) -> TableView:
        """Return the table as this person sees it (None: as the group does). Raises Refusal: table_gone."""
        table = await self.load(table_id)
        return view_table(table, user_id, *await self._names_of(table))

    async def views(self, table_id: str) -> tuple[TableLocation, TableView, dict[int, TableView]]:
        """Return all views of one committed state: the group's, and one for each person.

        Raises Refusal: table_gone.
        """
        table = await self.load(table_id)
        names = await self._names_of(table)
        people = [player.user_id for player in (*table.players, *table.waiting) if not player.is_computer]
        return (
            _place(table),
            view_table(table, None, *names),
            {user_id: view_table(table, user_id, *names) for user_id in people},
        )

    async def _names_of(self, table: Table) -> tuple[str, str]:
        """Return the names of the table's group and topic; empty where unknown or there is none."""
        chat = await self._storage.chats.get(table.chat_id)
        topic = await self._storage.topics.name(table.chat_id, table.thread_id) if table.thread_id else None
        return "" if chat is None else chat.title, topic or ""

    async def check_voice(self, table_id: str, user_id: int) -> None:
        """Raise a Refusal unless this person may say something to the table."""
        transitions.require_voice(await self.load(table_id), user_id)

    async def computer_turn(self, table_id: str) -> ComputerTurn | None:
        """Return the turn of the computer player to move; None if there is none, or its move is forced.

        Raises Refusal: table_gone.
        """
        return computer_turn(await self.load(table_id))

    async def location_of(self, table_id: str) -> TableLocation:
        """Return the chat and topic of a table. Raises Refusal: table_gone."""
        return _place(await self.load(table_id))

    async def course_of(self, table_id: str) -> Course:
        """Return how far a table has come, and who is at it. Raises Refusal: table_gone."""
        table = await self.load(table_id)
        seated = [player for player in table.players if table.is_in(player.user_id)]
        return Course(
            stage=stage_of(table.phase, has_match=table.match is not None),
            round=0 if table.match is None else table.match.number,
            playing=frozenset(it.user_id for it in table.people_in()),
            people=frozenset(it.user_id for it in (*seated, *table.waiting) if not it.is_computer),
        )

    async def chat_of(self, table_id: str) -> int:
        """Return the chat of a table. Raises Refusal: table_gone."""
        return (await self.load(table_id)).chat_id

    async def export(self, table_id: str) -> dict[str, Any]:
        """Return a match that is over, for the engine to replay. Raises Refusal: match_running, no_table."""
        table = await self.load(table_id)
        if table.phase is not TablePhase.OVER:
            raise Refusal(Refused.MATCH_RUNNING)
        if table.match is None:
            raise Refusal(Refused.NO_TABLE)
        log = await self._storage.tables.move_log(table_id)
        return export(table, [load_move(json.loads(logged.move)) for logged in log])

    def forget_idle(self) -> None:
        """Drop tables from the cache that have not been used for a while."""
        self.cache.forget_idle()

    # ---------------------------------------------------------------------------------------- which there are

    async def at(self, chat_id: int, thread_id: int) -> str | None:
        """Return the running table of a chat or topic."""
        return await self._storage.tables.running_at(chat_id, thread_id)

    async def running_in(self, chat_id: int) -> tuple[str, ...]:
        """Return the running tables of a chat, in any topic."""
        return await self._storage.tables.running_in(chat_id)

    async def latest_at(self, chat_id: int, thread_id: int) -> str | None:
        """Return the table opened last in a chat or topic, running or over."""
        return await self._storage.tables.latest_at(chat_id, thread_id)

    async def running_of(self, user_id: int) -> tuple[str, ...]:
        """Return the running tables this person is at."""
        return await self._storage.tables.running_of(user_id)

    async def latest_of(self, user_id: int) -> str | None:
        """Return the table this person was at last."""
        return await self._storage.tables.latest_of(user_id)

    async def latest_over_at(self, chat_id: int, thread_id: int) -> str | None:
        """Return the table in a chat or topic whose match was over last."""
        return await self._storage.tables.latest_over_at(chat_id, thread_id)

    async def latest_over_of(self, user_id: int) -> str | None:
        """Return the table this person was at last of those whose match is over."""
        return await self._storage.tables.latest_over_of(user_id)

    async def due_within(self, seconds: float) -> tuple[str, ...]:
        """Return the tables with a deadline or the end of a vote within so many seconds."""
        return await self._storage.tables.due(self.now() + seconds)


def _place(table: Table) -> TableLocation:
    return TableLocation(table.id, table.revision, table.chat_id, table.thread_id)
