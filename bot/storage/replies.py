"""The latest answer of each kind in each chat: a repeated `/score` or `/rules` takes the last one's place."""

from __future__ import annotations

import aiosqlite

from bot.storage.database import Database


class ReplyStore:
    """The repository of answers that their next replaces. What the kinds are is the handlers' business."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, chat_id: int, message_id: int) -> str | None:
        """The kind this message is the latest answer of; None if it is none."""
        row = await self._database.fetch_one(
            "SELECT kind FROM replies WHERE chat_id = ? AND message_id = ?", (chat_id, message_id)
        )
        return None if row is None else str(row[0])

    async def replace(self, chat_id: int, thread_id: int, kind: str, message_id: int) -> int | None:
        """Keep the latest answer of this kind (thread 0: no topic); the message id of the one before."""

        async def swap(connection: aiosqlite.Connection) -> int | None:
            place = (chat_id, thread_id, kind)
            earlier = await connection.execute_fetchall(
                "SELECT message_id FROM replies WHERE chat_id = ? AND thread_id = ? AND kind = ?", place
            )
            await connection.execute(
                "INSERT INTO replies (chat_id, thread_id, kind, message_id) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (chat_id, thread_id, kind) DO UPDATE SET message_id = excluded.message_id",
                (*place, message_id),
            )
            return next((int(id_) for (id_,) in earlier), None)

        return await self._database.write(swap)
