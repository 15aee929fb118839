"""Queries over finished matches: leaderboards, a player's own record, results against each other player.

Read only; `bot.storage.match_records` writes the matches. Computer players never appear, and hidden players
appear in nothing that others see. A chat of `EVERYWHERE` means all chats.
"""

from __future__ import annotations

from bot.records.ratings import Rating
from bot.records.values import EVERYWHERE, Duel, Ranked, Summary
from bot.storage.database import Database
from bot.storage.match_records import PLACE_COLUMNS, place_of


class StatisticsStore:
    """Read-only queries over the finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, chat_id: int) -> tuple[Ranked, ...]:
        """Return everybody who has played in this chat, except hidden players; the strongest first."""
        return await self._ranked(
            chat_id,
            "SELECT user_id, count(*), sum(place = 1) FROM match_places JOIN matches ON n = match"
            " WHERE chat_id = ?2 AND is_computer = 0 GROUP BY user_id",
            chat_id,
        )

    async def companions(self, user_id: int) -> tuple[Ranked, ...]:
        """Rank this person and all they have played with, except hidden players, over all chats."""
        return await self._ranked(
            EVERYWHERE,
            "SELECT user_id, count(*), sum(place = 1) FROM match_places WHERE is_computer = 0 AND user_id IN"
            " (SELECT theirs.user_id FROM match_places AS own JOIN match_places AS theirs USING (match)"
            " WHERE own.user_id = ?2) GROUP BY user_id",
            user_id,
        )

    async def has_played(self, chat_id: int, user_id: int | None = None) -> bool:
        """Return whether anybody (or this person) has finished a counted match here, hidden or not."""
        row = await self._database.fetch_one(
            "SELECT 1 FROM ratings WHERE chat_id = ?1 AND (?2 IS NULL OR user_id = ?2) LIMIT 1",
            (chat_id, user_id),
        )
        return row is not None

    async def summary(self, user_id: int, chat_id: int) -> Summary | None:
        """Return a player's record in a chat, or everywhere; None without a finished match that counts."""
        rows = await self._database.fetch_all(
            f"SELECT seats, {PLACE_COLUMNS} FROM match_places JOIN matches ON n = match"  # noqa: S608 - names of our own
            " WHERE user_id = ?1 AND ?2 IN (matches.chat_id, 0)",
            (user_id, chat_id),
        )
        rating = await self._database.fetch_one(
            "SELECT mu, sigma FROM ratings WHERE chat_id = ? AND user_id = ?", (chat_id, user_id)
        )
        if not rows or rating is None:
            return None
        return Summary.of([(place_of(values), seats) for seats, *values in rows], Rating(*rating))

    async def duels(self, user_id: int, chat_id: int) -> tuple[Duel, ...]:
        """Return results against each opponent, except hidden players; the most frequent one first."""
        rows = await self._database.fetch_all(
            "SELECT theirs.user_id, coalesce(name, ''), sum(own.place < theirs.place),"
            " sum(own.place > theirs.place), count(*)"
            " FROM match_places AS own JOIN match_places AS theirs USING (match) JOIN matches ON n = match"
            " LEFT JOIN people ON people.user_id = theirs.user_id"
            " WHERE own.user_id = ?1 AND theirs.user_id <> ?1 AND theirs.is_computer = 0"
            " AND coalesce(hidden, 0) = 0 AND ?2 IN (matches.chat_id, 0)"
            " GROUP BY theirs.user_id ORDER BY 5 DESC, 3 DESC, theirs.user_id",
            (user_id, chat_id),
        )
        return tuple(Duel(*row) for row in rows)

    async def _ranked(self, scope: int, played: str, whose: int) -> tuple[Ranked, ...]:
        """Rank those the query `played` finds (user id, matches, wins) by their ratings in this scope."""
        rows = await self._database.fetch_all(
            f"WITH played (user_id, matches, wins) AS ({played})"  # noqa: S608 - one of the queries above
            " SELECT user_id, coalesce(name, ''), mu, sigma, matches, wins FROM played"
            " JOIN ratings USING (user_id) LEFT JOIN people USING (user_id)"
            " WHERE ratings.chat_id = ?1 AND coalesce(hidden, 0) = 0",
            (scope, whose),
        )
        ranked = [
            Ranked(user_id, name, Rating(mu, sigma), *counts) for user_id, name, mu, sigma, *counts in rows
        ]
        return tuple(sorted(ranked, key=lambda it: it.order))
