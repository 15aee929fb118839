"""Personal deep links: a token that stands for one person and one table.

Knowing a token is not enough to use it: `find` says for whom it was made, and the caller compares.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple

import aiosqlite

from bot.storage.database import Database

LIFETIME_SECONDS = 24 * 60 * 60.0


class Invite(NamedTuple):
    """What a token stands for; `is_used`: its seat has been taken."""

    table_id: str
    user_id: int
    is_used: bool = False


def new_token() -> str:
    """128 random bits in 22 characters of those a deep link may have (A-Z a-z 0-9 _ -)."""
    return secrets.token_urlsafe(16)


class InviteStore:
    """The repository of invites. `make_token` makes tokens nobody can guess, fit for a deep link."""

    def __init__(self, database: Database, make_token: Callable[[], str] = new_token) -> None:
        self._database = database
        self._make_token = make_token

    async def create(self, table_id: str, user_id: int, now: float) -> str:
        """A token for this person and this table that lives for a day from `now` (unix seconds).

        Who has a living one that is not used gets the same again. Whether there is such a table is not asked
        here: whoever uses the token finds out.
        """
        token = self._make_token()

        async def insert(connection: aiosqlite.Connection) -> str:
            await connection.execute("DELETE FROM invites WHERE expires_at <= ?", (now,))
            ((stored,),) = await connection.execute_fetchall(
                "INSERT INTO invites (token, table_id, user_id, expires_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (table_id, user_id) DO UPDATE SET expires_at = excluded.expires_at, used = 0,"
                " token = CASE WHEN used THEN excluded.token ELSE token END"
                " RETURNING token",
                (token, table_id, user_id, now + LIFETIME_SECONDS),
            )
            return str(stored)

        return await self._database.write(insert)

    async def find(self, token: str, now: float) -> Invite | None:
        """Whom and which table a token stands for; None if it is made up or has expired.

        A used one is found too: a second press of Start must do no harm.
        """
        row = await self._database.fetch_one(
            "SELECT table_id, user_id, used FROM invites WHERE token = ? AND expires_at > ?", (token, now)
        )
        return None if row is None else Invite(row[0], row[1], bool(row[2]))

    async def use(self, token: str) -> None:
        """The seat has been taken: the token seats nobody any more."""
        await self._database.execute("UPDATE invites SET used = 1 WHERE token = ?", (token,))

    async def drop(self, user_id: int, chat_id: int) -> None:
        """Forget this person's invitations to tables of a chat."""
        await self._database.execute(
            "DELETE FROM invites WHERE user_id = ? AND table_id IN (SELECT id FROM tables WHERE chat_id = ?)",
            (user_id, chat_id),
        )
