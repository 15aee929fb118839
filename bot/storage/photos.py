"""Caches Telegram's file ids, so that a picture is uploaded only once.

What the digests are made from is the reconciler's business. File ids do not expire
(https://core.telegram.org/bots/api#sending-files), so only the space they take is bounded here.
"""

from __future__ import annotations

from collections.abc import Mapping

import aiosqlite

from bot.storage.database import Database

MOST_PHOTOS = 4096
"""Those uploaded longest ago go first."""


class PhotoStore:
    """The repository of file ids, by the digest of what is in the picture."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, digest: str) -> str | None:
        """The file id of this picture; None if it is not known."""
        row = await self._database.fetch_one("SELECT file_id FROM photos WHERE digest = ?", (digest,))
        return None if row is None else str(row[0])

    async def change(self, changes: Mapping[str, str | None], now: float) -> None:
        """Store these file ids, by digest, as uploaded now (unix seconds); None: forget it."""
        kept = [(digest, file_id, now) for digest, file_id in changes.items() if file_id is not None]
        removed = [(digest,) for digest, file_id in changes.items() if file_id is None]

        async def change(connection: aiosqlite.Connection) -> None:
            await connection.executemany(
                "INSERT INTO photos (digest, file_id, uploaded_at) VALUES (?, ?, ?) ON CONFLICT (digest)"
                " DO UPDATE SET file_id = excluded.file_id, uploaded_at = excluded.uploaded_at",
                kept,
            )
            await connection.executemany("DELETE FROM photos WHERE digest = ?", removed)
            await connection.execute(
                "DELETE FROM photos WHERE digest IN"
                " (SELECT digest FROM photos ORDER BY uploaded_at DESC LIMIT -1 OFFSET ?)",
                (MOST_PHOTOS,),
            )

        await self._database.write(change)
