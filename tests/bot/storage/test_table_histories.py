"""Tables beside a plain model of them: whatever has happened, both hold and find the same."""

import dataclasses
import random

import pytest

from bot.storage import Storage
from bot.storage.tables import TableExists, TableRow, TableStore
from tests.bot.storage.rows import move, table


class Model:
    """What the store should hold, in the plainest form."""

    def __init__(self) -> None:
        self.rows: dict[str, TableRow] = {}
        self.log: dict[str, list[str]] = {}

    def is_taken(self, row: TableRow) -> bool:
        return row.running and any(
            other.running and other.id != row.id and other.chat_id == row.chat_id
            for other in self.rows.values()
        )

    def store(self, row: TableRow, moves: list[str]) -> None:
        self.rows[row.id] = row
        self.log.setdefault(row.id, []).extend(moves)


async def check(tables: TableStore, model: Model) -> None:
    rows = model.rows.values()
    for row in rows:
        assert await tables.load(row.id) == row
        log = await tables.move_log(row.id)
        assert [logged.move for logged in log] == model.log[row.id]
        assert [logged.n for logged in log] == list(range(1, len(log) + 1))
    for user_id in range(6):
        assert set(await tables.running_of(user_id)) == {
            row.id for row in rows if row.running and user_id in row.people
        }
    for chat_id in range(4):
        assert await tables.running_at(chat_id, 0) == next(
            (row.id for row in rows if row.running and row.chat_id == chat_id), None
        )
        assert set(await tables.running_in(chat_id)) == {
            row.id for row in rows if row.running and row.chat_id == chat_id
        }
    assert set(await tables.unchanged_since(-2.0, -1.0)) == {row.id for row in rows if row.running}
    deadlines = sorted((row.deadline_at, row.id) for row in rows if row.deadline_at is not None)
    assert await tables.next_deadline() == ((deadlines[0][1], deadlines[0][0]) if deadlines else None)
    assert await tables.due(50.0) == tuple(id_ for at, id_ in deadlines if at <= 50.0)


@pytest.mark.parametrize("seed", range(4))
async def test_any_history_leaves_what_a_plain_model_holds(storage: Storage, seed: int) -> None:
    tables = storage.tables
    chance = random.Random(seed)
    model = Model()
    for step in range(120):
        row = table(
            id=f"t{chance.randrange(8)}",
            chat_id=chance.randrange(4),
            running=chance.random() < 0.5,
            deadline_at=chance.choice([None, float(chance.randrange(100))]),
            people=tuple(chance.choices(range(6), k=chance.randrange(5))),
            document=str(step),
        )
        moves = [f"{step}.{number}" for number in range(chance.randrange(3))]
        known = model.rows.get(row.id)
        if known is None:
            writing = tables.create(row, [move(text) for text in moves])
        else:
            row = dataclasses.replace(row, revision=known.revision + chance.randrange(1, 3))
            writing = tables.commit(row, known.revision, [move(text) for text in moves])
        if model.is_taken(row):
            with pytest.raises(TableExists):
                await writing
        else:
            await writing
            model.store(row, moves)
        if chance.random() < 0.1:
            await tables.shift_deadlines(5.0)
            model.rows = {
                id_: row
                if row.deadline_at is None
                else dataclasses.replace(row, deadline_at=row.deadline_at + 5.0)
                for id_, row in model.rows.items()
            }
        if step % 10 == 9:
            await check(tables, model)
