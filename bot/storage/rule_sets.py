"""Stores rules that groups have saved by name; each has a token by which other groups can find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import aiosqlite

from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class StoredRuleSet:
    """Saved rules (JSON, opaque here) of a chat, under a name that is unique in it."""

    token: str
    chat_id: int
    name: str
    rules: str


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Return 40 random bits in 10 characters: short enough for a button, too many to be guessed."""
    return entropy(5).hex()


class RuleSetStore:
    """The repository of saved rules."""

    def __init__(self, database: Database, make_token: Callable[[], str]) -> None:
        self._database = database
        self._make_token = make_token

    async def save(self, chat_id: int, name: str, rules: str, now: float) -> StoredRuleSet:
        """Save rules, replacing any that the chat has saved under the same name."""
        token = self._make_token()

        async def save(connection: aiosqlite.Connection) -> StoredRuleSet:
            ((stored,),) = await connection.execute_fetchall(
                "INSERT INTO rule_sets (token, chat_id, name, rules, saved_at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (chat_id, name) DO UPDATE SET rules = excluded.rules,"
                " saved_at = excluded.saved_at RETURNING token",
                (token, chat_id, name, rules, now),
            )
            return StoredRuleSet(str(stored), chat_id, name, rules)

        return await self._database.write(save)

    async def of_chat(self, chat_id: int) -> tuple[StoredRuleSet, ...]:
        """Return all rules a chat has saved, by name."""
        rows = await self._database.fetch_all(
            "SELECT token, chat_id, name, rules FROM rule_sets WHERE chat_id = ? ORDER BY name", (chat_id,)
        )
        return tuple(StoredRuleSet(*row) for row in rows)

    async def find(self, token: str) -> StoredRuleSet | None:
        """Return the rules for a token; None if there never were any, or they were deleted."""
        row = await self._database.fetch_one(
            "SELECT token, chat_id, name, rules FROM rule_sets WHERE token = ?", (token,)
        )
        return None if row is None else StoredRuleSet(*row)

    async def delete(self, chat_id: int, token: str) -> bool:
        """Delete rules that this chat has saved; False if there are none (any more)."""
        deleted = await self._database.execute(
            "DELETE FROM rule_sets WHERE chat_id = ? AND token = ?", (chat_id, token)
        )
        return deleted > 0
