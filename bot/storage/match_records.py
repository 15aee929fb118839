"""Finished matches as rows: who came in where, and the ratings that follow.

A match is written in the transaction that ends it (`record`, called by the tables' repository), so neither
is ever there without the other. Matches are numbered in the order in which they ended, which is the order in
which they are rated. Which matches count, and for what, is decided in `bot.tables.record`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple

import aiosqlite

from bot.records.ratings import Rating, rated
from bot.records.values import EVERYWHERE, MatchRecord, PlaceRecord
from bot.storage.database import Database


class RecordStore:
    """The repository of finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def matches(self) -> tuple[MatchRecord, ...]:
        """All matches, in the order in which they ended."""

        async def read(connection: aiosqlite.Connection) -> tuple[MatchRecord, ...]:
            return await _matches(connection)

        return await self._database.read(read)

    async def ratings(self, chat_id: int) -> dict[int, Rating]:
        """Everybody's rating in a chat, or `EVERYWHERE`, by user id."""
        rows = await self._database.fetch_all(
            "SELECT user_id, mu, sigma FROM ratings WHERE chat_id = ?", (chat_id,)
        )
        return {user_id: Rating(mu, sigma) for user_id, mu, sigma in rows}

    async def replace(self, matches: Iterable[MatchRecord]) -> None:
        """Put these matches, in this order, in the place of all there are, and rate everybody anew."""

        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute("DELETE FROM match_places")
            await connection.execute("DELETE FROM matches")
            await connection.execute("DELETE FROM ratings")
            for match in matches:
                await record(connection, match)

        await self._database.write(work)


async def record(connection: aiosqlite.Connection, match: MatchRecord) -> None:
    """Write a match that has just ended, and rate those who played it; within somebody's transaction."""
    written = await connection.execute(
        "INSERT INTO matches (table_id, chat_id, ended_at, rounds, seats) VALUES (?, ?, ?, ?, ?)",
        (match.table_id, match.chat_id, match.ended_at, match.rounds, len(match.places)),
    )
    number = written.lastrowid
    await connection.executemany(
        "INSERT INTO match_places (match, user_id, is_computer, place, fate, total, rounds, rounds_won,"
        " points, worst, queens, out_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(number, *astuple(place)) for place in match.places],
    )
    for scope in (match.chat_id, EVERYWHERE):
        known = await connection.execute_fetchall(
            "SELECT user_id, mu, sigma FROM ratings JOIN match_places USING (user_id)"
            " WHERE chat_id = ? AND match = ?",
            (scope, number),
        )
        before = {user_id: Rating(mu, sigma) for user_id, mu, sigma in known}
        await _put_ratings(connection, scope, _after(match.places, before))


async def move_records(connection: aiosqlite.Connection, old_chat_id: int, new_chat_id: int) -> None:
    """Hand a chat's matches on to the id it has now, within somebody's transaction; twice does no harm.

    Where matches have ended under both ids, the chat is rated anew, in the order of all of them.
    """
    await connection.execute("UPDATE matches SET chat_id = ? WHERE chat_id = ?", (new_chat_id, old_chat_id))
    await connection.execute("DELETE FROM ratings WHERE chat_id IN (?, ?)", (old_chat_id, new_chat_id))
    ratings: dict[int, Rating] = {}
    for match in await _matches(connection, new_chat_id):
        ratings |= _after(match.places, ratings)
    await _put_ratings(connection, new_chat_id, ratings)


def _after(places: Sequence[PlaceRecord], before: Mapping[int, Rating]) -> dict[int, Rating]:
    """What a match makes of the ratings of the people in it. Computers are not rated, nor do they count."""
    people = [place for place in places if not place.is_computer]
    ratings = [before.get(place.user_id, Rating()) for place in people]
    after = rated(ratings, [place.place for place in people])
    return {place.user_id: rating for place, rating in zip(people, after, strict=True)}


async def _put_ratings(connection: aiosqlite.Connection, chat_id: int, ratings: Mapping[int, Rating]) -> None:
    await connection.executemany(
        "INSERT INTO ratings (chat_id, user_id, mu, sigma) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (chat_id, user_id) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma",
        [(chat_id, user_id, rating.mu, rating.sigma) for user_id, rating in ratings.items()],
    )


async def _matches(connection: aiosqlite.Connection, chat_id: int | None = None) -> tuple[MatchRecord, ...]:
    """The matches of a chat, or all, in the order in which they ended."""
    matches = await connection.execute_fetchall(
        "SELECT n, table_id, chat_id, ended_at, rounds FROM matches"
        " WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY n",
        (chat_id,),
    )
    places: dict[int, list[PlaceRecord]] = {}
    for number, user_id, is_computer, *fields in await connection.execute_fetchall(
        "SELECT match, user_id, is_computer, place, fate, total, match_places.rounds, rounds_won, points,"
        " worst, queens, out_in FROM match_places JOIN matches ON n = match"
        " WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY match, place, user_id",
        (chat_id,),
    ):
        places.setdefault(number, []).append(PlaceRecord(user_id, bool(is_computer), *fields))
    return tuple(
        MatchRecord(table_id, place, ended_at, rounds, tuple(places[number]))
        for number, table_id, place, ended_at, rounds in matches
    )
