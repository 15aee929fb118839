"""Where the messages are that belong to no table's play: one for each chat (or topic) and slot.

A slot is a kind of message, and what tells it from others of its kind. What the kinds are, and what ends
each, is not this repository's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import aiosqlite

from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class Reply:
    """One such message. `thread_id` is 0 outside of topics.

    `table_id`: the table it is about, empty if it is about none; `stage`: how far that had come then.
    """

    chat_id: int
    thread_id: int
    kind: str
    message_id: int
    table_id: str = ""
    stage: str = ""


_SELECT = "SELECT chat_id, thread_id, kind, message_id, table_id, stage FROM replies"


class ReplyStore:
    """The repository of such messages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, chat_id: int, message_id: int) -> str | None:
        """The slot this message has; None if it has none, or has lost it to a later one."""
        row = await self._database.fetch_one(
            "SELECT kind FROM replies WHERE chat_id = ? AND message_id = ?", (chat_id, message_id)
        )
        return None if row is None else str(row[0])

    async def replace(self, reply: Reply) -> int | None:
        """Let this message have its slot; the id of the one that had it."""

        async def swap(connection: aiosqlite.Connection) -> int | None:
            place = (reply.chat_id, reply.thread_id, reply.kind)
            earlier = await connection.execute_fetchall(
                "SELECT message_id FROM replies WHERE chat_id = ? AND thread_id = ? AND kind = ?", place
            )
            await connection.execute(
                "INSERT INTO replies (chat_id, thread_id, kind, message_id, table_id, stage)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (chat_id, thread_id, kind) DO UPDATE SET"
                " message_id = excluded.message_id, table_id = excluded.table_id, stage = excluded.stage",
                (*place, reply.message_id, reply.table_id, reply.stage),
            )
            return next((int(id_) for (id_,) in earlier), None)

        return await self._database.write(swap)

    async def drop(self, chat_id: int, message_id: int) -> None:
        """This message has no slot any more."""
        await self._database.execute(
            "DELETE FROM replies WHERE chat_id = ? AND message_id = ?", (chat_id, message_id)
        )

    async def of_table(self, table_id: str) -> list[Reply]:
        """The messages that are about a table."""
        rows = await self._database.fetch_all(_SELECT + " WHERE table_id = ?", (table_id,))
        return [Reply(*row) for row in rows]

    async def in_chats(self, chat_ids: Iterable[int]) -> list[Reply]:
        """The messages in these chats."""
        ids = json.dumps(list(chat_ids))
        rows = await self._database.fetch_all(_SELECT + " JOIN json_each(?) ON chat_id = value", (ids,))
        return [Reply(*row) for row in rows]

    async def tables(self) -> tuple[str, ...]:
        """The tables that there are messages about."""
        rows = await self._database.fetch_all("SELECT DISTINCT table_id FROM replies WHERE table_id <> ''")
        return tuple(table_id for (table_id,) in rows)
