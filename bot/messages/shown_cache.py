"""What is shown, written down: for every desk in memory first, then in the database.

Each call to Telegram changes a row or two, and a commit takes as long for a hundred rows as for one. So what
comes while a commit is under way goes together into the next; and so does what could not be written.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.messages.table_messages import TableMessages, superseded_key
from bot.storage.errors import StorageError
from bot.storage.shown import Shown, ShownKey, ShownStore


class ShownCache:
    """Keeps the desks' messages and the stored ones equal. Methods return when it is written; errors are the
    storage's."""

    def __init__(self, store: ShownStore) -> None:
        self._store = store
        self._waiting: dict[ShownKey, Shown | None] = {}
        self._under_way: dict[ShownKey, Shown | None] = {}
        self._next: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def load(self, table_messages: TableMessages) -> None:
        """Find out what is shown of a table, unless that is known."""
        if table_messages.shown is None:
            unwritten = self._unwritten(table_messages.table_id)
            stored = await self._store.of_table(table_messages.table_id)
            if table_messages.shown is None:
                table_messages.shown = {key: it for key, it in (stored | unwritten).items() if it is not None}

    async def put(self, table_messages: TableMessages, *messages: Shown) -> None:
        """These messages are there now, in place of what their keys stood for."""
        table_messages.put(*messages)
        await self._write({(table_messages.table_id, message.key): message for message in messages})

    async def replace(self, table_messages: TableMessages, new: Shown) -> None:
        """A message has taken the place of another, which is to be deleted. Neither is ever forgotten."""
        old = (table_messages.shown or {})[new.key]
        await self.put(table_messages, new, replace(old, key=superseded_key(old)))

    async def supersede(self, table_messages: TableMessages, key: str) -> None:
        """The message under this key is to be deleted, and to be sent anew if it is wanted."""
        old = (table_messages.shown or {})[key]
        table_messages.drop(key)
        retired = replace(old, key=superseded_key(old))
        table_messages.put(retired)
        await self._write(
            {(table_messages.table_id, key): None, (table_messages.table_id, retired.key): retired}
        )

    async def drop(self, table_messages: TableMessages, key: str) -> None:
        """A message is gone, or no longer ours to keep."""
        table_messages.drop(key)
        await self._write({(table_messages.table_id, key): None})

    async def _write(self, changes: dict[ShownKey, Shown | None]) -> None:
        self._waiting |= changes
        if self._next is None:
            self._next = asyncio.create_task(self._write_waiting())
        await asyncio.shield(self._next)

    async def _write_waiting(self) -> None:
        async with self._one_at_a_time:
            self._under_way, self._waiting, self._next = self._waiting, {}, None
            try:
                await self._store.change(self._under_way)
            except StorageError:
                self._waiting = self._under_way | self._waiting
                raise
            finally:
                self._under_way = {}

    def _unwritten(self, table_id: str) -> dict[str, Shown | None]:
        """By key, what is not known to be written yet of a table."""
        changes = self._under_way | self._waiting
        return {key: shown for (of_table, key), shown in changes.items() if of_table == table_id}
