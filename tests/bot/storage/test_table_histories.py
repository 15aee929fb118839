"""Compares the store of tables with a plain model of it, over random histories."""

import dataclasses
import random
from collections.abc import Callable

import pytest

from bot.storage import Storage
from bot.storage.tables import TableExists, TableRow, TableStore
from tests.bot.storage.rows import move, table

IDS = [f"t{number}" for number in range(10)]
PLACES = [(chat_id, thread_id) for chat_id in (-1, -2, -3) for thread_id in (0, 5)]
NOBODY = 5
PEOPLE = range(NOBODY)


class Model:
    """The contents of the store as plain values; moments and ids never tie."""

    def __init__(self) -> None:
        self.rows: dict[str, TableRow] = {}
        self.log: dict[str, list[str]] = {}

    def is_taken(self, row: TableRow) -> bool:
        place = (row.chat_id, row.thread_id)
        return row.running and any(it.id != row.id for it in self.running() if place_of(it) == place)

    def store(self, row: TableRow, moves: list[str]) -> None:
        self.rows[row.id] = row
        self.log.setdefault(row.id, []).extend(moves)

    def shift(self, by: float) -> None:
        for row in self.rows.values():
            moments = {
                name: at + by for name in ("deadline_at", "vote_at") if (at := getattr(row, name)) is not None
            }
            self.rows[row.id] = dataclasses.replace(row, **moments)

    def running(self) -> list[TableRow]:
        """In the order of their creation."""
        return sorted((row for row in self.rows.values() if row.running), key=lambda row: row.created_at)

    def latest(self, by: str, fits: Callable[[TableRow], bool]) -> str | None:
        fitting = [row for row in self.rows.values() if fits(row)]
        return max(fitting, key=lambda row: getattr(row, by)).id if fitting else None

    def moments(self) -> list[tuple[float, str]]:
        """Deadlines and ends of votes, the earliest first."""
        both = [(at, row.id) for row in self.rows.values() for at in (row.deadline_at, row.vote_at)]
        return sorted((at, table_id) for at, table_id in both if at is not None)


def place_of(row: TableRow) -> tuple[int, int]:
    return row.chat_id, row.thread_id


def ids(rows: list[TableRow]) -> tuple[str, ...]:
    return tuple(row.id for row in rows)


async def check(tables: TableStore, model: Model) -> None:
    """Ask the store every question, and compare the answers."""
    running = model.running()
    for table_id in IDS:
        assert await tables.load(table_id) == model.rows.get(table_id)
        log = await tables.move_log(table_id)
        assert [logged.move for logged in log] == model.log.get(table_id, [])
        assert [logged.n for logged in log] == list(range(1, len(log) + 1))

    def is_over_match(row: TableRow) -> bool:
        return not row.running and bool(model.log[row.id])

    for user_id in (*PEOPLE, NOBODY):
        assert await tables.running_of(user_id) == ids([it for it in running if user_id in it.people])
        assert await tables.latest_of(user_id) == model.latest(
            "updated_at",
            lambda row: user_id in row.people,  # noqa: B023 - called at once
        )
        assert await tables.latest_over_of(user_id) == model.latest(
            "updated_at",
            lambda row: is_over_match(row) and user_id in row.people,  # noqa: B023
        )
    for place in (*PLACES, (-9, 0)):
        here = [it for it in running if place_of(it) == place]
        assert await tables.running_at(*place) == (here[0].id if here else None)
        assert set(await tables.running_in(place[0])) == {it.id for it in running if it.chat_id == place[0]}
        assert await tables.latest_at(*place) == model.latest(
            "created_at",
            lambda row: place_of(row) == place,  # noqa: B023
        )
        assert await tables.latest_over_at(*place) == model.latest(
            "updated_at",
            lambda row: is_over_match(row) and place_of(row) == place,  # noqa: B023
        )
    assert set(await tables.unchanged_since(-2.0, -1.0)) == {row.id for row in running}
    moments = model.moments()
    assert await tables.next_deadline() == ((moments[0][1], moments[0][0]) if moments else None)
    assert await tables.due(50.0) == tuple(dict.fromkeys(id_ for at, id_ in moments if at <= 50.0))


@pytest.mark.parametrize("seed", range(4))
async def test_any_history_leaves_what_a_plain_model_holds(storage: Storage, seed: int) -> None:
    tables = storage.tables
    chance = random.Random(seed)
    model = Model()
    await check(tables, model)
    for step in range(120):
        chat_id, thread_id = chance.choice(PLACES)
        row = table(
            id=chance.choice(IDS),
            chat_id=chat_id,
            thread_id=thread_id,
            running=chance.random() < 0.6,
            deadline_at=chance.choice([None, chance.uniform(0, 100)]),
            vote_at=chance.choice([None, chance.uniform(0, 100)]),
            people=tuple(chance.choices(PEOPLE, k=chance.randrange(5))),
            document=str(step),
            created_at=float(step),
            updated_at=float(step),
        )
        moves = [f"{step}.{number}" for number in range(chance.randrange(3))]
        known = model.rows.get(row.id)
        if known is None:
            writing = tables.create(row, [move(text) for text in moves])
        else:
            revision = known.revision + chance.randrange(1, 3)
            row = dataclasses.replace(row, revision=revision, created_at=known.created_at)
            writing = tables.commit(row, known.revision, [move(text) for text in moves])
        if model.is_taken(row):
            with pytest.raises(TableExists, match=f"chat {chat_id}, topic {thread_id}"):
                await writing
        else:
            await writing
            model.store(row, moves)
        if chance.random() < 0.1:
            await tables.shift_deadlines(5.0)
            model.shift(5.0)
        if step % 10 == 9:
            await check(tables, model)
