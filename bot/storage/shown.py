"""What the bot's messages show: which screen each one carries, and since when.

What the keys, digests and modes mean is the presenter's business.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import aiosqlite

from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class Shown:
    """One message. `key` says which of the table's screens it is; `shown_at` is unix seconds."""

    table_id: str
    key: str
    chat_id: int
    message_id: int
    digest: str
    mode: str
    shown_at: float


_SELECT = "SELECT table_id, key, chat_id, message_id, digest, mode, shown_at FROM shown"
_PUT = (
    "INSERT INTO shown (table_id, key, chat_id, message_id, digest, mode, shown_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (table_id, key) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id,"
    " digest = excluded.digest, mode = excluded.mode, shown_at = excluded.shown_at"
)


class ShownStore:
    """The repository of shown messages; each has its table and key to itself."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_table(self, table_id: str) -> dict[str, Shown]:
        """All messages of a table, by key."""
        rows = await self._database.fetch_all(_SELECT + " WHERE table_id = ?", (table_id,))
        return {shown.key: shown for shown in (Shown(*row) for row in rows)}

    async def put(self, shown: Shown) -> None:
        """Keep this message under its key, in place of what was kept there."""
        await self._database.execute(_PUT, astuple(shown))

    async def replace(self, shown: Shown, retired: Shown) -> None:
        """Keep this message under its key, and the one it replaces under another.

        In one transaction, so that a message which is still to be deleted is never forgotten.
        """

        async def put_both(connection: aiosqlite.Connection) -> None:
            await connection.executemany(_PUT, [astuple(retired), astuple(shown)])

        await self._database.write(put_both)

    async def remove(self, table_id: str, key: str) -> None:
        """Forget a message; one that is not there is fine."""
        await self._database.execute("DELETE FROM shown WHERE table_id = ? AND key = ?", (table_id, key))

    async def find(self, chat_id: int, message_id: int) -> Shown | None:
        """What this message shows; where several keys have it (an edit has changed its part), the latest."""
        row = await self._database.fetch_one(
            _SELECT + " WHERE chat_id = ? AND message_id = ? ORDER BY shown_at DESC, key LIMIT 1",
            (chat_id, message_id),
        )
        return None if row is None else Shown(*row)
