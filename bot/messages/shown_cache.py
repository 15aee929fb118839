"""The cache of shown messages: changed in memory first, then written to the database in batches.

Each call to Telegram changes a row or two, and a commit takes as long for a hundred rows as for one. So
changes made during a commit go together into the next one, and so do those that failed to be written.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.messages.table_messages import UNKNOWN, TableMessages, superseded_key
from bot.storage.errors import StorageError
from bot.storage.shown import Shown, ShownKey, ShownStore


class ShownCache:
    """Keeps tables' shown messages and the stored ones equal.

    Methods return when the change is written. They raise StorageError.
    """

    def __init__(self, store: ShownStore) -> None:
        self._store = store
        self._waiting: dict[ShownKey, Shown | None] = {}
        self._under_way: dict[ShownKey, Shown | None] = {}
        self._next: asyncio.Task[None] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def load(self, table_messages: TableMessages) -> None:
        """Load the shown messages of a table, unless they are known."""
        if table_messages.shown is None:
            unwritten = self._unwritten(table_messages.table_id)
            stored = await self._store.of_table(table_messages.table_id)
            if table_messages.shown is None:
                table_messages.shown = {key: it for key, it in (stored | unwritten).items() if it is not None}

    async def put(self, table_messages: TableMessages, *messages: Shown) -> None:
        """Record these messages, in place of others under their keys.

        One that an earlier edit may yet undo is stored as unknown: the next process has to know of that.
        """
        table_messages.put(*messages)
        await self._write(
            {
                (table_messages.table_id, it.key): it if table_messages.is_sure_of(it.key) else _unknown(it)
                for it in messages
            }
        )

    async def doubt(self, table_messages: TableMessages, key: str) -> None:
        """Store that it is not known what this message shows, until it is put again."""
        shown = (table_messages.shown or {}).get(key)
        if shown is not None:
            await self._write({(table_messages.table_id, key): _unknown(shown)})

    async def replace(self, table_messages: TableMessages, new: Shown) -> None:
        """Record a message in place of another, which is to be deleted. Both stay on record."""
        old = (table_messages.shown or {})[new.key]
        await self.put(table_messages, new, replace(old, key=superseded_key(old)))

    async def supersede(self, table_messages: TableMessages, key: str) -> None:
        """Have the message under this key deleted, and sent anew if it is desired."""
        old = (table_messages.shown or {})[key]
        table_messages.drop(key)
        superseded = replace(old, key=superseded_key(old))
        table_messages.put(superseded)
        await self._write(
            {(table_messages.table_id, key): None, (table_messages.table_id, superseded.key): superseded}
        )

    async def drop(self, table_messages: TableMessages, key: str) -> None:
        """Take a message off the record."""
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
        """A table's changes that may not be written yet, by key."""
        changes = self._under_way | self._waiting
        return {key: shown for (of_table, key), shown in changes.items() if of_table == table_id}


def _unknown(shown: Shown) -> Shown:
    return replace(shown, digest=UNKNOWN)
