"""Stores the names of forum topics, as far as Telegram has told."""

from __future__ import annotations

from bot.storage.database import Database


class TopicStore:
    """The repository of topics' names, by chat and thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def name(self, chat_id: int, thread_id: int) -> str | None:
        """The topic's name; None if it is not known."""
        row = await self._database.fetch_one(
            "SELECT name FROM topics WHERE chat_id = ? AND thread_id = ?", (chat_id, thread_id)
        )
        return None if row is None else str(row[0])

    async def see(self, chat_id: int, thread_id: int, name: str) -> bool:
        """Store a topic's name; return whether it is new."""
        if await self.name(chat_id, thread_id) == name:
            return False
        await self._database.execute(
            "INSERT INTO topics (chat_id, thread_id, name) VALUES (?, ?, ?)"
            " ON CONFLICT (chat_id, thread_id) DO UPDATE SET name = excluded.name",
            (chat_id, thread_id, name),
        )
        return True
