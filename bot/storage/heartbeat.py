"""Stores when the bot was last alive, so that the next start knows how long nobody could play."""

from __future__ import annotations

from bot.storage.database import Database


class HeartbeatStore:
    """The repository of the heartbeat, a single timestamp."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, now: float) -> None:
        """Record that the bot is alive at `now` (unix seconds)."""
        await self._database.execute(
            "INSERT INTO heartbeat (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
            (now,),
        )

    async def last(self) -> float | None:
        """Return the last heartbeat; None if there has been none."""
        row = await self._database.fetch_one("SELECT at FROM heartbeat")
        return None if row is None else float(row[0])
