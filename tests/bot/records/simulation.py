"""Whole matches played at random through the real table service into a real database, for the records.

    python -m tests.bot.records.simulation --matches 1000

plays so many, makes the records anew from the logs, and compares them with those that were kept.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

from bot.records.values import EVERYWHERE, MatchRecord
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables import transitions
from bot.tables.context import Timings, TransitionContext
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.rebuilding import rebuild_records
from bot.tables.service import Tables
from bot.tables.transitions import AppliedMove, Change, seat_id
from bot.tables.transitions.lobby import seat
from bot.tables.transitions.playing import play_on
from engine import PRESETS, Deal, Join, Leave, Match, Move, Rules, Status, apply, legal
from engine.players import Level

CHATS = (-1, -2, -3)
CROWD = range(1, 25)
COMPUTER = Player(-1, "🤖 Клара", level=Level.EASY)
LEAVING, JOINING = 0.004, 0.1
"""The chance that somebody leaves before a move, and that somebody joins before a deal."""


def random_rules(chance: Random) -> Rules:
    """A preset, with a limit that ends the match soon."""
    return Rules.from_document(
        {"preset": chance.choice(list(PRESETS)), "limit": chance.choice((50, 70, 101))}
    )


class Simulation:
    """Matches at random; the same from the same `chance`."""

    def __init__(self, storage: Storage, chance: Random) -> None:
        self._storage = storage
        self._chance = chance
        self._now = count(1_000_000)
        self._tables = Tables(
            storage,
            TableQueries(storage, lambda: float(next(self._now))),
            Timings(),
            chance.randbytes,
        )

    async def play(self, matches: int) -> None:
        """Play so many matches, one after the other; some are stopped."""
        for _ in range(matches):
            await self._play_one()

    async def _play_one(self) -> None:
        chance = self._chance
        rules = random_rules(chance)
        people = [Player(user_id, f"N{user_id}") for user_id in chance.sample(CROWD, chance.randint(2, 5))]
        guests = people[1 : rules.max_seats]
        if chance.random() < 0.2 and len(people) < rules.max_seats:
            guests.append(COMPUTER)
        chat_id = chance.choice(CHATS)
        opened = await self._tables.open(chat_id, 0, people[0], TableSettings(rules))
        for visitor in guests:
            await self._tables.change(opened.table_id, seat, visitor)
        await self._tables.act(opened.table_id, people[0].user_id, transitions.start, is_admin=True)
        if chance.random() < 0.05:
            await self._tables.act(opened.table_id, people[0].user_id, transitions.stop, is_admin=True)
            return
        await self._tables.change(opened.table_id, self._played_out)

    def _played_out(self, table: Table, moment: TransitionContext) -> Change:
        """The table after all its moves at once: a commit for each would take the time of as many syncs."""
        assert table.match is not None
        others = [user_id for user_id in CROWD if table.seat_of(user_id) is None]
        self._chance.shuffle(others)
        moves = list(self._moves(table.match, len(others)))
        newcomers = len({move.player for move in moves if isinstance(move, Join)} - set(_ids(table)))
        players = (*table.players, *(Player(user_id, f"N{user_id}") for user_id in others[:newcomers]))
        return play_on(replace(table, players=players), moment, [AppliedMove(move, None) for move in moves])

    def _moves(self, match: Match, most_newcomers: int) -> Iterator[Move]:
        """Moves at random to the match's end, with people leaving, coming and coming back."""
        chance, first = self._chance, len(match.seats)
        while match.winner is None:
            move: Move
            if chance.random() < LEAVING:
                move = Leave(chance.choice(match.seats_in()))
            elif match.round is not None:
                move = chance.choice(legal(match, match.round.turn.seat))
            elif chance.random() < JOINING and len(match.seats_in()) < match.rules.max_seats:
                left = [seat.id for seat in match.seats if seat.status is Status.LEFT]
                is_room = len(match.seats) - first < most_newcomers
                move = Join(chance.choice([*left, *([seat_id(len(match.seats))] if is_room else [])]))
            else:
                move = Deal(chance.randbytes(32))
            match = apply(match, move).match
            yield move


def _ids(table: Table) -> list[str]:
    return [seat_id(seat) for seat in range(len(table.players))]


async def state_of(storage: Storage) -> tuple[tuple[MatchRecord, ...], list[object]]:
    """All records, and all ratings."""
    ratings: list[object] = [await storage.records.ratings(chat_id) for chat_id in (*CHATS, EVERYWHERE)]
    return await storage.records.matches(), ratings


async def _main(matches: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(Path(folder) / "101.sqlite3")
        try:
            storage = Storage(database)
            began = time.perf_counter()
            await Simulation(storage, Random(seed)).play(matches)
            played = time.perf_counter()
            kept = await state_of(storage)
            rebuilt = await rebuild_records(storage)
            is_equal = await state_of(storage) == kept
            ended = time.perf_counter()
        finally:
            await database.close()
    print(f"{matches} matches played in {played - began:.1f} s; {len(kept[0])} of them count")
    print(f"made anew in {ended - played:.1f} s: {rebuilt.matches}, {'equal' if is_equal else 'NOT EQUAL'}")
    return 0 if is_equal and not rebuilt.unreadable else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=101)
    chosen = parser.parse_args()
    sys.exit(asyncio.run(_main(chosen.matches, chosen.seed)))
