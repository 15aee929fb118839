"""Stores which of the bot's messages is pinned in each group or topic, and which screen it shows.

What the keys mean is the handlers' and the reconciler's business.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class Pin:
    """One pinned message; `thread_id` is 0 outside of topics."""

    chat_id: int
    thread_id: int
    table_id: str
    key: str
    message_id: int


class PinStore:
    """The repository of pins: one for each group or topic."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, chat_id: int, thread_id: int) -> Pin | None:
        """Return the pin there."""
        row = await self._database.fetch_one(
            "SELECT chat_id, thread_id, table_id, key, message_id FROM pins"
            " WHERE chat_id = ? AND thread_id = ?",
            (chat_id, thread_id),
        )
        return None if row is None else Pin(*row)

    async def put(self, pin: Pin) -> None:
        """Store this pin, replacing any other there."""
        await self._database.execute(
            "INSERT INTO pins (chat_id, thread_id, table_id, key, message_id) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (chat_id, thread_id) DO UPDATE SET table_id = excluded.table_id,"
            " key = excluded.key, message_id = excluded.message_id",
            astuple(pin),
        )

    async def drop(self, pin: Pin) -> None:
        """Forget this pin."""
        await self._database.execute(
            "DELETE FROM pins WHERE chat_id = ? AND thread_id = ? AND message_id = ?",
            (pin.chat_id, pin.thread_id, pin.message_id),
        )
