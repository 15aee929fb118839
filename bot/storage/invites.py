"""Stores personal deep links: tokens that each stand for one person and one table.

Knowing a token is not enough to use it: `find` says for whom it was made, and the caller compares.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import NamedTuple

import aiosqlite

from bot.storage.database import Database

LIFETIME_SECONDS = 24 * 60 * 60.0


class Invite(NamedTuple):
    """The person and table of a token; `is_used`: its seat has been taken."""

    table_id: str
    user_id: int
    is_used: bool = False


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Return 128 random bits in 22 of the characters a deep link may have (A-Z a-z 0-9 _ -)."""
    return base64.urlsafe_b64encode(entropy(16)).rstrip(b"=").decode()


class InviteStore:
    """The repository of invites. `make_token` makes tokens that fit a deep link and cannot be guessed."""

    def __init__(self, database: Database, make_token: Callable[[], str]) -> None:
        self._database = database
        self._make_token = make_token

    async def create(self, table_id: str, user_id: int, now: float) -> str:
        """Return a token for this person and table that is valid for a day from `now` (unix seconds).

        Returns the same token again while it is valid and unused. Does not check whether the table exists:
        that is checked when the token is used.
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
        """Return the person and table of a token; None if it does not exist or has expired.

        Used ones are found too, so that pressing Start twice does no harm.
        """
        row = await self._database.fetch_one(
            "SELECT table_id, user_id, used FROM invites WHERE token = ? AND expires_at > ?", (token, now)
        )
        return None if row is None else Invite(row[0], row[1], bool(row[2]))

    async def use(self, token: str) -> None:
        """Mark the token as used: its seat has been taken."""
        await self._database.execute("UPDATE invites SET used = 1 WHERE token = ?", (token,))

    async def drop(self, user_id: int, chat_id: int) -> None:
        """Delete this person's invites to tables of a chat."""
        await self._database.execute(
            "DELETE FROM invites WHERE user_id = ? AND table_id IN (SELECT id FROM tables WHERE chat_id = ?)",
            (user_id, chat_id),
        )
