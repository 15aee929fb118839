"""Stores who is to be notified when a table opens in a group, and when each was last notified."""

from __future__ import annotations

import json
from collections.abc import Collection

import aiosqlite

from bot.storage.database import Database


class SubscriptionStore:
    """The repository of subscriptions, at most one for each person and group. Times are unix seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, user_id: int, chat_id: int) -> None:
        """Subscribe this person; does nothing if they are subscribed already."""
        await self._database.execute(
            "INSERT INTO bells (user_id, chat_id, rung_at) VALUES (?, ?, NULL) ON CONFLICT DO NOTHING",
            (user_id, chat_id),
        )

    async def remove(self, user_id: int, chat_id: int) -> bool:
        """Unsubscribe this person; return whether they were subscribed."""
        removed = await self._database.execute(
            "DELETE FROM bells WHERE user_id = ? AND chat_id = ?", (user_id, chat_id)
        )
        return removed > 0

    async def has(self, user_id: int, chat_id: int) -> bool:
        """Return whether this person is subscribed."""
        row = await self._database.fetch_one(
            "SELECT 1 FROM bells WHERE user_id = ? AND chat_id = ?", (user_id, chat_id)
        )
        return row is not None

    async def claim_due(
        self, chat_id: int, excluding: Collection[int], since: float, now: float
    ) -> tuple[int, ...]:
        """Return who is to be notified: subscribers except these people and those notified after `since`.

        They count as notified from now on.
        """

        async def claim(connection: aiosqlite.Connection) -> tuple[int, ...]:
            rows = await connection.execute_fetchall(
                "UPDATE bells SET rung_at = ? WHERE chat_id = ? AND (rung_at IS NULL OR rung_at <= ?)"
                " AND user_id NOT IN (SELECT value FROM json_each(?)) RETURNING user_id",
                (now, chat_id, since, json.dumps(list(excluding))),
            )
            return tuple(sorted(int(user_id) for (user_id,) in rows))

        return await self._database.write(claim)
