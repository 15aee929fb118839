"""Stores finished matches: everybody's places and ratings.

A match is written in the transaction that ends it (`record`, called by the tables' repository), so neither
exists without the other. Matches are numbered in the order in which they ended, and rated in that order.
`bot.tables.record` decides which matches count, and `MatchRecord` how a match changes ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields
from typing import Any, Final

import aiosqlite

from bot.records.ratings import Rating
from bot.records.values import EVERYWHERE, MatchRecord, PlaceRecord
from bot.storage.database import Database

PLACE_COLUMNS: Final = ", ".join(f"match_places.{field.name}" for field in fields(PlaceRecord))
"""What `place_of` makes a record of."""
_PLACE: Final = tuple(field.name for field in fields(PlaceRecord))
_MATCH: Final = tuple(field.name for field in fields(MatchRecord) if field.name != "places")


class RecordStore:
    """The repository of finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def matches(self) -> tuple[MatchRecord, ...]:
        """Return all matches, in the order in which they ended."""

        async def read(connection: aiosqlite.Connection) -> tuple[MatchRecord, ...]:
            return await _matches(connection)

        return await self._database.read(read)

    async def ratings(self, chat_id: int) -> dict[int, Rating]:
        """Return everybody's rating in a chat, or `EVERYWHERE`, by user id."""
        rows = await self._database.fetch_all(
            "SELECT user_id, mu, sigma FROM ratings WHERE chat_id = ?", (chat_id,)
        )
        return {user_id: Rating(mu, sigma) for user_id, mu, sigma in rows}

    async def replace(self, matches: Iterable[MatchRecord]) -> None:
        """Replace all matches by these, in this order, and rate everybody again."""

        async def work(connection: aiosqlite.Connection) -> None:
            await connection.execute("DELETE FROM match_places")
            await connection.execute("DELETE FROM matches")
            await connection.execute("DELETE FROM ratings")
            for match in matches:
                await record(connection, match)

        await self._database.write(work)


async def record(connection: aiosqlite.Connection, match: MatchRecord) -> None:
    """Store a match that has just ended, and rate its players; within the caller's transaction."""
    values = {name: getattr(match, name) for name in _MATCH} | {"seats": len(match.places)}
    number = (await connection.execute(_insert("matches", values), tuple(values.values()))).lastrowid
    await connection.executemany(
        _insert("match_places", ("match", *_PLACE)), [(number, *astuple(place)) for place in match.places]
    )
    for scope in (match.chat_id, EVERYWHERE):
        known = await connection.execute_fetchall(
            "SELECT user_id, mu, sigma FROM ratings JOIN match_places USING (user_id)"
            " WHERE chat_id = ? AND match = ?",
            (scope, number),
        )
        before = {user_id: Rating(mu, sigma) for user_id, mu, sigma in known}
        await _put_ratings(connection, scope, match.ratings_after(before))


async def move_records(connection: aiosqlite.Connection, old_chat_id: int, new_chat_id: int) -> None:
    """Move a chat's matches to its new id, within the caller's transaction; idempotent.

    If matches have ended under both ids, the chat is rated again, in the order of all of them.
    """
    await connection.execute("UPDATE matches SET chat_id = ? WHERE chat_id = ?", (new_chat_id, old_chat_id))
    await connection.execute("DELETE FROM ratings WHERE chat_id IN (?, ?)", (old_chat_id, new_chat_id))
    ratings: dict[int, Rating] = {}
    for match in await _matches(connection, new_chat_id):
        ratings |= match.ratings_after(ratings)
    await _put_ratings(connection, new_chat_id, ratings)


def place_of(values: Iterable[Any]) -> PlaceRecord:
    """Return a row of `PLACE_COLUMNS` as a record."""
    fields_of = dict(zip(_PLACE, values, strict=True))
    return PlaceRecord(**fields_of | {"is_computer": bool(fields_of["is_computer"])})


def _insert(table: str, columns: Iterable[str]) -> str:
    names = tuple(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608 - names of our own


async def _put_ratings(connection: aiosqlite.Connection, chat_id: int, ratings: Mapping[int, Rating]) -> None:
    await connection.executemany(
        "INSERT INTO ratings (chat_id, user_id, mu, sigma) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (chat_id, user_id) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma",
        [(chat_id, user_id, rating.mu, rating.sigma) for user_id, rating in ratings.items()],
    )


async def _matches(connection: aiosqlite.Connection, chat_id: int | None = None) -> tuple[MatchRecord, ...]:
    """Return the matches of a chat, or all, in the order in which they ended."""
    places: dict[int, list[PlaceRecord]] = {}
    for number, *values in await connection.execute_fetchall(
        f"SELECT match, {PLACE_COLUMNS} FROM match_places JOIN matches ON n = match"  # noqa: S608 - names of our own
        " WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY match, place, user_id",
        (chat_id,),
    ):
        places.setdefault(number, []).append(place_of(values))
    matches = await connection.execute_fetchall(
        f"SELECT n, {', '.join(_MATCH)} FROM matches WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY n",  # noqa: S608 - the same
        (chat_id,),
    )
    return tuple(
        MatchRecord(**dict(zip(_MATCH, values, strict=True)), places=tuple(places[number]))
        for number, *values in matches
    )
