"""Who wants to be called, and in which group, when a table is opened there; and when he was last."""

from __future__ import annotations

import json
from collections.abc import Collection

import aiosqlite

from bot.storage.database import Database


class BellStore:
    """The repository of bells: one for each person and group that has one. Times are unix seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, user_id: int, chat_id: int) -> None:
        """This person wants to be called; to say so twice changes nothing."""
        await self._database.execute(
            "INSERT INTO bells (user_id, chat_id, rung_at) VALUES (?, ?, NULL) ON CONFLICT DO NOTHING",
            (user_id, chat_id),
        )

    async def remove(self, user_id: int, chat_id: int) -> bool:
        """This person does not want to be called (any more). Did he?"""
        removed = await self._database.execute(
            "DELETE FROM bells WHERE user_id = ? AND chat_id = ?", (user_id, chat_id)
        )
        return removed > 0

    async def has(self, user_id: int, chat_id: int) -> bool:
        """Does this person want to be called?"""
        row = await self._database.fetch_one(
            "SELECT 1 FROM bells WHERE user_id = ? AND chat_id = ?", (user_id, chat_id)
        )
        return row is not None

    async def ring(self, chat_id: int, but: Collection[int], since: float, now: float) -> tuple[int, ...]:
        """Who is to be called now: all but these people, and but those who were called after `since`.

        They count as called from now on.
        """

        async def call(connection: aiosqlite.Connection) -> tuple[int, ...]:
            rows = await connection.execute_fetchall(
                "UPDATE bells SET rung_at = ? WHERE chat_id = ? AND (rung_at IS NULL OR rung_at <= ?)"
                " AND user_id NOT IN (SELECT value FROM json_each(?)) RETURNING user_id",
                (now, chat_id, since, json.dumps(list(but))),
            )
            return tuple(sorted(int(user_id) for (user_id,) in rows))

        return await self._database.write(call)
