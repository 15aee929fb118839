"""Stores which profile (menus, descriptions) was last set in Telegram, so that it is not set twice."""

from __future__ import annotations

from bot.storage.database import Database


class PresentedStore:
    """The repository of a single digest. What it is made from is the caller's business."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, digest: str) -> None:
        """Store the digest of what has been set."""
        await self._database.execute(
            "INSERT INTO presented (id, digest) VALUES (1, ?)"
            " ON CONFLICT (id) DO UPDATE SET digest = excluded.digest",
            (digest,),
        )

    async def get(self) -> str | None:
        """Return the digest of what was set last; None if nothing was."""
        row = await self._database.fetch_one("SELECT digest FROM presented")
        return None if row is None else str(row[0])
