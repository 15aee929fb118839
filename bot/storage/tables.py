"""Stores tables as rows: a document, the columns they are found by, and the log of their moves.

The document is opaque here. Whatever is searched by has a column of its own: place, phase, deadline, people.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import aiosqlite

from bot.records.values import MatchRecord
from bot.storage.database import Database
from bot.storage.errors import StorageError
from bot.storage.match_records import move_records, record


class StaleRevision(StorageError):
    """The table has been changed since it was loaded (or was never created): load it again."""


class TableExists(StorageError):
    """A table is running in this chat or topic already."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is stored.

    Times are unix seconds; `thread_id` is 0 outside of topics. `people` are the ids of those seated or
    waiting, each at least once. `deadline_at` and `vote_at` (when an open vote closes) can change without the
    document (`shift_deadlines`). The document holds everybody's cards, so it is left out of the repr.
    """

    id: str
    chat_id: int
    thread_id: int
    phase: str
    running: bool
    revision: int
    deadline_at: float | None
    document: str = field(repr=False)
    people: tuple[int, ...]
    created_at: float
    updated_at: float
    vote_at: float | None = None


@dataclass(frozen=True, slots=True)
class MoveToLog:
    """A move for a table's log: JSON, opaque here. `actor` is a user id, None if the clock made the move.

    The move may hold a shuffle's seed, so it is left out of the repr.
    """

    at: float
    actor: int | None
    move: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move in a table's log. `n` counts the table's moves from 1; `revision` is the one the move led to."""

    n: int
    at: float
    actor: int | None
    revision: int
    move: str = field(repr=False)


class UpcomingDeadline(NamedTuple):
    """The table whose deadline or vote comes first, and when (unix seconds)."""

    table_id: str
    at: float


class TableStore:
    """The repository of tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, row: TableRow, moves: Sequence[MoveToLog] = ()) -> None:
        """Store a new table. Raises TableExists if one is running in its place."""

        async def insert(connection: aiosqlite.Connection) -> None:
            with _one_running_table(row):
                await connection.execute(
                    "INSERT INTO tables (id, chat_id, thread_id, phase, running, revision, deadline_at,"
                    " vote_at, created_at, updated_at, people, document)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        row.id,
                        row.chat_id,
                        row.thread_id,
                        row.phase,
                        row.running,
                        row.revision,
                        row.deadline_at,
                        row.vote_at,
                        row.created_at,
                        row.updated_at,
                        json.dumps(row.people),
                        row.document,
                    ),
                )
            await _log(connection, row, moves)

        await self._database.write(insert)

    async def commit(
        self,
        row: TableRow,
        expected_revision: int,
        moves: Sequence[MoveToLog] = (),
        ended: MatchRecord | None = None,
    ) -> None:
        """Store a table's next state and log the moves that led to it, in one transaction.

        `ended` is the match that these moves ended, if it counts: it is recorded, and its players are rated.

        Compare-and-swap: raises StaleRevision unless the stored table has `expected_revision`. Raises
        TableExists if the row is running and another table runs in its place.
        """
        if row.revision <= expected_revision:
            raise ValueError(f"revision {row.revision} does not follow {expected_revision}")

        async def swap(connection: aiosqlite.Connection) -> None:
            with _one_running_table(row):
                updated = await connection.execute(
                    "UPDATE tables SET chat_id = ?, thread_id = ?, phase = ?, running = ?, revision = ?,"
                    " deadline_at = ?, vote_at = ?, settled = 0, updated_at = ?, people = ?, document = ?"
                    " WHERE id = ? AND revision = ?",
                    (
                        row.chat_id,
                        row.thread_id,
                        row.phase,
                        row.running,
                        row.revision,
                        row.deadline_at,
                        row.vote_at,
                        row.updated_at,
                        json.dumps(row.people),
                        row.document,
                        row.id,
                        expected_revision,
                    ),
                )
            if updated.rowcount != 1:
                raise StaleRevision(f"table {row.id} is not at revision {expected_revision} any more")
            await _log(connection, row, moves)
            if ended is not None:
                await record(connection, ended)

        await self._database.write(swap)

    async def load(self, table_id: str) -> TableRow | None:
        """Return the table with this id, as last committed."""
        row = await self._database.fetch_one(
            "SELECT id, chat_id, thread_id, phase, running, revision, deadline_at, document, people,"
            " created_at, updated_at, vote_at FROM tables WHERE id = ?",
            (table_id,),
        )
        if row is None:
            return None
        id_, chat_id, thread_id, phase, running, revision, deadline_at, document, people, *moments = row
        created_at, updated_at, vote_at = moments
        return TableRow(
            id=id_,
            chat_id=chat_id,
            thread_id=thread_id,
            phase=phase,
            running=bool(running),
            revision=revision,
            deadline_at=deadline_at,
            document=document,
            people=tuple(json.loads(people)),
            created_at=created_at,
            updated_at=updated_at,
            vote_at=vote_at,
        )

    async def running_at(self, chat_id: int, thread_id: int) -> str | None:
        """The id of the table that runs in this chat or topic."""
        return await self._find_id(
            "SELECT id FROM tables WHERE chat_id = ? AND thread_id = ? AND running = 1", (chat_id, thread_id)
        )

    async def running_in(self, chat_id: int) -> tuple[str, ...]:
        """Return the ids of the tables running in this chat, in any topic; the oldest first."""
        return await self._find_ids(
            "SELECT id FROM tables WHERE chat_id = ? AND running = 1 ORDER BY created_at, rowid", (chat_id,)
        )

    async def latest_at(self, chat_id: int, thread_id: int) -> str | None:
        """The id of the table that was opened last in this chat or topic, running or over."""
        return await self._find_id(
            "SELECT id FROM tables WHERE chat_id = ? AND thread_id = ?"
            " ORDER BY created_at DESC, rowid DESC LIMIT 1",
            (chat_id, thread_id),
        )

    async def running_of(self, user_id: int) -> tuple[str, ...]:
        """The ids of the running tables this person is at, the oldest first."""
        return await self._find_ids(
            "SELECT id FROM tables JOIN table_people ON table_people.table_id = tables.id"
            " WHERE table_people.user_id = ? AND table_people.running = 1"
            " ORDER BY created_at, tables.rowid",
            (user_id,),
        )

    async def latest_of(self, user_id: int) -> str | None:
        """The id of the table, running or over, that changed last of those this person is or was last at."""
        return await self._find_id(
            "SELECT id FROM tables JOIN table_people ON table_people.table_id = tables.id"
            " WHERE table_people.user_id = ? ORDER BY updated_at DESC, tables.rowid DESC LIMIT 1",
            (user_id,),
        )

    async def latest_over_at(self, chat_id: int, thread_id: int) -> str | None:
        """Return the id of the table in this chat or topic whose match ended last."""
        return await self._find_id(
            "SELECT id FROM tables WHERE chat_id = ? AND thread_id = ? AND running = 0"
            " AND EXISTS (SELECT 1 FROM table_moves WHERE table_moves.table_id = tables.id)"
            " ORDER BY updated_at DESC, rowid DESC LIMIT 1",
            (chat_id, thread_id),
        )

    async def latest_over_of(self, user_id: int) -> str | None:
        """The id of the table that ended last of those this person was at when a match on it was over."""
        return await self._find_id(
            "SELECT id FROM tables JOIN table_people ON table_people.table_id = tables.id"
            " WHERE table_people.user_id = ? AND table_people.running = 0"
            " AND EXISTS (SELECT 1 FROM table_moves WHERE table_moves.table_id = tables.id)"
            " ORDER BY updated_at DESC, tables.rowid DESC LIMIT 1",
            (user_id,),
        )

    async def unchanged_since(self, since: float, now: float) -> tuple[str, ...]:
        """Return the ids of the running tables that have not changed since, or are due by now.

        Their deadlines date from before; tables changed since `since` (unix seconds) have new ones.
        """
        return await self._find_ids(
            "SELECT id FROM tables WHERE running = 1 AND (updated_at NOT BETWEEN ?1 AND ?2"
            " OR deadline_at <= ?2 OR vote_at <= ?2) ORDER BY created_at, rowid",
            (since, now),
        )

    async def changed_at(self) -> dict[str, float]:
        """When each running table last changed (unix seconds)."""
        rows = await self._database.fetch_all("SELECT id, updated_at FROM tables WHERE running = 1")
        return dict(rows)

    async def over_ids(self) -> tuple[str, ...]:
        """The ids of the tables that are over, in the order in which they changed last."""
        return await self._find_ids("SELECT id FROM tables WHERE running = 0 ORDER BY updated_at, rowid")

    async def ids_to_reconcile(self) -> tuple[str, ...]:
        """Return the ids of running tables, and of finished ones not yet reconciled; the oldest first."""
        return await self._find_ids("SELECT id FROM tables WHERE settled = 0 ORDER BY created_at, rowid")

    async def mark_reconciled(self, table_id: str, revision: int) -> None:
        """Record that all of a table's messages are up to date as of this revision.

        Does nothing if the table is running or has changed since.
        """
        await self._database.execute(
            "UPDATE tables SET settled = 1 WHERE id = ? AND revision = ? AND running = 0 AND settled = 0",
            (table_id, revision),
        )

    async def cleared_round(self, table_id: str) -> int:
        """Return the last round of a table for which `set_cleared_round` was called; 0 before the first."""
        row = await self._database.fetch_one("SELECT cleared_round FROM tables WHERE id = ?", (table_id,))
        return 0 if row is None else int(row[0])

    async def set_cleared_round(self, table_id: str, number: int) -> None:
        """Record that whatever the deal of this round ends has ended, and so for all rounds before it."""
        await self._database.execute(
            "UPDATE tables SET cleared_round = ?2 WHERE id = ?1 AND cleared_round < ?2", (table_id, number)
        )

    async def next_deadline(self) -> UpcomingDeadline | None:
        """Return the earliest deadline or end of a vote."""
        row = await self._database.fetch_one(
            "SELECT id, at FROM (SELECT id, deadline_at AS at FROM tables WHERE deadline_at IS NOT NULL"
            " ORDER BY deadline_at, id LIMIT 1)"
            " UNION ALL SELECT id, at FROM (SELECT id, vote_at AS at FROM tables WHERE vote_at IS NOT NULL"
            " ORDER BY vote_at, id LIMIT 1)"
            " ORDER BY at, id LIMIT 1"
        )
        return None if row is None else UpcomingDeadline(*row)

    async def due(self, now: float) -> tuple[str, ...]:
        """Return the ids of the tables whose deadline or vote is due, the earliest first."""
        return await self._find_ids(
            "SELECT id FROM (SELECT id, deadline_at AS at FROM tables WHERE deadline_at <= ?1"
            " UNION ALL SELECT id, vote_at AS at FROM tables WHERE vote_at <= ?1)"
            " GROUP BY id ORDER BY min(at), id",
            (now,),
        )

    async def shift_deadlines(self, by: float) -> None:
        """Postpone every deadline and open vote by so many seconds; revisions stay the same."""
        await self._database.execute(
            "UPDATE tables SET deadline_at = deadline_at + ?1, vote_at = vote_at + ?1"
            " WHERE deadline_at IS NOT NULL OR vote_at IS NOT NULL",
            (by,),
        )

    async def put_off(self, table_id: str, until: float) -> None:
        """Postpone what is due for one table until `until` (unix seconds), whatever its document says."""
        await self._database.execute(
            "UPDATE tables SET deadline_at = CASE WHEN deadline_at < ?2 THEN ?2 ELSE deadline_at END,"
            " vote_at = CASE WHEN vote_at < ?2 THEN ?2 ELSE vote_at END WHERE id = ?1",
            (table_id, until),
        )

    async def move_over(self, old_chat_id: int, new_chat_id: int) -> None:
        """Move a chat's finished tables and its records to its new id.

        Revisions stay the same.
        """

        async def move(connection: aiosqlite.Connection) -> None:
            await connection.execute(
                "UPDATE tables SET chat_id = ? WHERE chat_id = ? AND running = 0", (new_chat_id, old_chat_id)
            )
            await move_records(connection, old_chat_id, new_chat_id)

        await self._database.write(move)

    async def move_log(self, table_id: str) -> tuple[LoggedMove, ...]:
        """Return all moves of a table, in order."""
        rows = await self._database.fetch_all(
            "SELECT n, at, actor, revision, move FROM table_moves WHERE table_id = ? ORDER BY n", (table_id,)
        )
        return tuple(LoggedMove(*row) for row in rows)

    async def _find_id(self, sql: str, values: tuple[int, ...]) -> str | None:
        row = await self._database.fetch_one(sql, values)
        return None if row is None else str(row[0])

    async def _find_ids(self, sql: str, values: tuple[int | float, ...] = ()) -> tuple[str, ...]:
        return tuple(id_ for (id_,) in await self._database.fetch_all(sql, values))


async def _log(connection: aiosqlite.Connection, row: TableRow, moves: Sequence[MoveToLog]) -> None:
    if moves:
        await connection.executemany(
            "INSERT INTO table_moves (table_id, n, at, actor, revision, move)"
            " SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4, ?5 FROM table_moves WHERE table_id = ?1",
            [(row.id, move.at, move.actor, row.revision, move.move) for move in moves],
        )


@contextmanager
def _one_running_table(row: TableRow) -> Iterator[None]:
    """Raise TableExists if the index `tables_running` refuses; all other unique ones are primary keys."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise TableExists(
            f"chat {row.chat_id}, topic {row.thread_id}: a table is running there already"
        ) from error
