"""Stores what the bot's messages show: the screen of each one, and since when.

What the keys, digests and modes mean is the reconciler's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import TypeAlias

import aiosqlite

from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class Shown:
    """One message.

    `key` says which of the table's screens it is; `shown_at` is unix seconds; `recalls`: how many reminders
    its reader had had by then; `picture` is the digest of its picture, empty for a text.
    """

    table_id: str
    key: str
    chat_id: int
    message_id: int
    digest: str
    mode: str
    shown_at: float
    recalls: int = 0
    picture: str = ""


MOST_TABLES = 16
"""At most so many tables can have changed while somebody could not be written to; more are not looked at."""
ShownKey: TypeAlias = tuple[str, str]
"""Where a message is kept: its table's id and its key."""

_SELECT = "SELECT table_id, key, chat_id, message_id, digest, mode, shown_at, recalls, picture FROM shown"
_PUT = (
    "INSERT INTO shown (table_id, key, chat_id, message_id, digest, mode, shown_at, recalls, picture)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (table_id, key) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id,"
    " digest = excluded.digest, mode = excluded.mode, shown_at = excluded.shown_at,"
    " recalls = excluded.recalls, picture = excluded.picture"
)


class ShownStore:
    """The repository of shown messages, one for each table and key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_table(self, table_id: str) -> dict[str, Shown]:
        """Return all messages of a table, by key."""
        rows = await self._database.fetch_all(_SELECT + " WHERE table_id = ?", (table_id,))
        return {shown.key: shown for shown in (Shown(*row) for row in rows)}

    async def latest_tables_in(self, chat_id: int) -> tuple[str, ...]:
        """Return the tables with the newest messages in a chat: those that may not be up to date there."""
        rows = await self._database.fetch_all(
            "SELECT table_id FROM shown WHERE chat_id = ? GROUP BY table_id"
            " ORDER BY max(message_id) DESC LIMIT ?",
            (chat_id, MOST_TABLES),
        )
        return tuple(table_id for (table_id,) in rows)

    async def change(self, changes: Mapping[ShownKey, Shown | None]) -> None:
        """Store each message under its key, replacing what was there; None: remove it.

        All in one transaction, so that where one message replaces another, neither is lost.
        """
        kept = [astuple(shown) for shown in changes.values() if shown is not None]
        removed = [place for place, shown in changes.items() if shown is None]

        async def change(connection: aiosqlite.Connection) -> None:
            await connection.executemany(_PUT, kept)
            await connection.executemany("DELETE FROM shown WHERE table_id = ? AND key = ?", removed)

        await self._database.write(change)
