"""Stores messages other than the tables' own: one for each chat (or topic) and slot.

A slot is a kind of message, and what distinguishes it from others of its kind. The kinds and their lifetimes
are not defined here.
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

    `table_id`: the table it is about, empty if none; `stage`: the stage that table had reached then.
    """

    chat_id: int
    thread_id: int
    kind: str
    message_id: int
    table_id: str = ""
    stage: str = ""


_REPLACED = "replaced:"
"""What the slot of a message begins with that another has replaced; its id follows."""
_SELECT = "SELECT chat_id, thread_id, kind, message_id, table_id, stage FROM replies"


class ReplyStore:
    """The repository of such messages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, chat_id: int, message_id: int) -> str | None:
        """Return this message's slot; None if it has none, or a later message has replaced it."""
        row = await self._database.fetch_one(
            "SELECT kind FROM replies WHERE chat_id = ? AND message_id = ? AND kind NOT GLOB ?",
            (chat_id, message_id, _REPLACED + "*"),
        )
        return None if row is None else str(row[0])

    async def replace(self, reply: Reply) -> int | None:
        """Put this message into its slot, and out of another; return the id of the one it replaces.

        That one is kept as replaced until it is dropped.
        """

        async def swap(connection: aiosqlite.Connection) -> int | None:
            place = (reply.chat_id, reply.thread_id, reply.kind)
            await connection.execute(
                "DELETE FROM replies WHERE chat_id = ? AND message_id = ? AND kind <> ?",
                (reply.chat_id, reply.message_id, reply.kind),
            )
            earlier = await connection.execute_fetchall(
                "SELECT message_id FROM replies WHERE chat_id = ? AND thread_id = ? AND kind = ?", place
            )
            await connection.execute(
                "UPDATE replies SET kind = ? || message_id"
                " WHERE chat_id = ? AND thread_id = ? AND kind = ? AND message_id <> ?",
                (_REPLACED, *place, reply.message_id),
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
        """Remove this message from its slot."""
        await self._database.execute(
            "DELETE FROM replies WHERE chat_id = ? AND message_id = ?", (chat_id, message_id)
        )

    async def replaced(self) -> list[Reply]:
        """Return the messages that were replaced in their slots and may not have been removed yet."""
        rows = await self._database.fetch_all(_SELECT + " WHERE kind GLOB ?", (_REPLACED + "*",))
        return [Reply(*row) for row in rows]

    async def of_table(self, table_id: str) -> list[Reply]:
        """Return the messages about a table."""
        rows = await self._database.fetch_all(_SELECT + " WHERE table_id = ?", (table_id,))
        return [Reply(*row) for row in rows]

    async def in_chats(self, chat_ids: Iterable[int]) -> list[Reply]:
        """Return the messages in these chats."""
        ids = json.dumps(list(chat_ids))
        rows = await self._database.fetch_all(_SELECT + " JOIN json_each(?) ON chat_id = value", (ids,))
        return [Reply(*row) for row in rows]

    async def tables(self) -> tuple[str, ...]:
        """Return the ids of the tables that have messages about them."""
        rows = await self._database.fetch_all("SELECT DISTINCT table_id FROM replies WHERE table_id <> ''")
        return tuple(table_id for (table_id,) in rows)
