"""Tables: compare-and-swap, the move log, and queries."""

import asyncio
import dataclasses
import sqlite3

import pytest

from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.tables import LoggedMove, StaleRevision, TableStore
from tests.bot.storage.rows import move, table


@pytest.fixture
def tables(storage: Storage) -> TableStore:
    return storage.tables


# ----------------------------------------------------------------------------------------------- the document


async def test_a_table_comes_back_as_it_was_stored(tables: TableStore) -> None:
    row = table(
        chat_id=-1002345678901,
        thread_id=7,
        deadline_at=1234567890.125,
        document='{"name": "Аня ♥️ \\u0000"}',
        people=(2**52, 5, 7),
    )
    await tables.create(row)
    assert await tables.load("t1") == row


async def test_an_id_is_used_once(tables: TableStore) -> None:
    await tables.create(table())
    with pytest.raises(sqlite3.IntegrityError):
        await tables.create(table(chat_id=-200))


async def test_cards_and_seeds_are_in_no_repr() -> None:
    assert "secret" not in repr(table(document="secret"))
    assert "secret" not in repr(move("secret"))
    assert "secret" not in repr(LoggedMove(n=1, at=1.0, actor=1, revision=1, move="secret"))


# ------------------------------------------------------------------------------------------- compare-and-swap


async def test_a_commit_replaces_everything_and_logs_the_moves(tables: TableStore) -> None:
    await tables.create(table(), [move("open", actor=None)])
    row = table(
        chat_id=-200,
        thread_id=3,
        phase="playing",
        revision=1,
        deadline_at=2000.0,
        document="{}",
        people=(2, 3),
        updated_at=1500.0,
    )
    await tables.commit(row, 0, [move("deal", actor=2, at=1500.0), move("turn up", actor=None, at=1501.0)])
    assert await tables.load("t1") == row
    assert await tables.move_log("t1") == (
        LoggedMove(n=1, at=1000.0, actor=None, revision=0, move="open"),
        LoggedMove(n=2, at=1500.0, actor=2, revision=1, move="deal"),
        LoggedMove(n=3, at=1501.0, actor=None, revision=1, move="turn up"),
    )


@pytest.mark.parametrize("expected", [0, 2], ids=["an older one", "one that is not there yet"])
async def test_a_commit_to_another_revision_is_refused(tables: TableStore, expected: int) -> None:
    await tables.create(table())
    current = table(revision=1)
    await tables.commit(current, 0, [move("a")])
    with pytest.raises(StaleRevision, match=f"t1 is not at revision {expected}"):
        await tables.commit(table(revision=expected + 1, people=(9,)), expected, [move("b")])
    assert await tables.load("t1") == current
    assert [logged.move for logged in await tables.move_log("t1")] == ["a"]
    assert await tables.running_of(9) == ()


async def test_a_commit_to_a_table_that_was_never_created_is_refused(tables: TableStore) -> None:
    with pytest.raises(StaleRevision):
        await tables.commit(table(revision=1), 0)
    assert await tables.load("t1") is None


async def test_a_commit_must_lead_to_a_later_revision(tables: TableStore) -> None:
    await tables.create(table(revision=1))
    with pytest.raises(ValueError, match="does not follow"):
        await tables.commit(table(revision=1), 1)


async def test_of_many_commits_to_one_revision_one_wins(tables: TableStore) -> None:
    await tables.create(table())
    rivals = [
        tables.commit(table(revision=1, document=str(number)), 0, [move(str(number))]) for number in range(20)
    ]
    outcomes = await asyncio.gather(*rivals, return_exceptions=True)
    winners = [number for number, outcome in enumerate(outcomes) if outcome is None]
    assert len(winners) == 1
    assert all(isinstance(outcome, StaleRevision) for outcome in outcomes if outcome is not None)
    stored = await tables.load("t1")
    assert stored is not None
    assert stored.document == str(winners[0])
    assert [logged.move for logged in await tables.move_log("t1")] == [str(winners[0])]


# -------------------------------------------------------------------------------------- deadlines, loose ends


async def test_a_chats_tables_that_are_over_go_with_it_and_nothing_else_of_them_changes(
    tables: TableStore,
) -> None:
    over = table(id="t1", running=False, revision=7)
    await tables.create(over)
    await tables.create(table(id="t2"))
    await tables.mark_reconciled("t1", 7)
    await tables.move_over(-100, -1007)
    assert await tables.load("t1") == dataclasses.replace(over, chat_id=-1007)
    assert await tables.load("t2") == table(id="t2")
    assert await tables.ids_to_reconcile() == ("t2",)


async def test_all_deadlines_move_on_and_revisions_stay(tables: TableStore) -> None:
    await tables.create(table(id="t1", deadline_at=10.0))
    await tables.create(table(id="t2", chat_id=-200, deadline_at=None))
    await tables.shift_deadlines(90.5)
    assert await tables.load("t1") == table(id="t1", deadline_at=100.5)
    assert await tables.load("t2") == table(id="t2", chat_id=-200, deadline_at=None)
    await tables.commit(table(id="t1", deadline_at=101.0, revision=1), 0)


async def test_running_tables_wait_for_moments_of_before_unless_they_have_just_changed(
    tables: TableStore,
) -> None:
    old, new = {"updated_at": 10.0}, {"updated_at": 98.0}
    rows = (
        table(id="t1", chat_id=-1, **old, deadline_at=200.0),
        table(id="t2", chat_id=-2, **new, deadline_at=200.0),
        table(id="t3", chat_id=-3, **new, deadline_at=90.0),
        table(id="t4", chat_id=-4, **new, deadline_at=200.0, vote_at=90.0),
        table(id="t5", chat_id=-5, **old, running=False),
        table(id="t6", chat_id=-6, updated_at=150.0),
    )
    for row in rows:
        await tables.create(row)
    assert await tables.unchanged_since(95.0, 100.0) == ("t1", "t3", "t4", "t6")


async def test_a_table_is_unsettled_until_all_is_shown_of_its_last_state(tables: TableStore) -> None:
    await tables.create(table(id="t1", created_at=1.0))
    await tables.create(table(id="t2", chat_id=-200, created_at=2.0))
    await tables.mark_reconciled("t1", 0)
    assert await tables.ids_to_reconcile() == ("t1", "t2"), "running tables are never settled"
    await tables.commit(table(id="t1", revision=1, running=False), 0)
    await tables.mark_reconciled("t1", 0)
    assert await tables.ids_to_reconcile() == ("t1", "t2"), (
        "an earlier state has been shown, not the last one"
    )
    await tables.mark_reconciled("t1", 1)
    assert await tables.ids_to_reconcile() == ("t2",)
    await tables.commit(table(id="t1", revision=2, running=False), 1)
    assert await tables.ids_to_reconcile() == ("t1", "t2")


# ------------------------------------------------------------------------------------------------------ speed


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM tables WHERE chat_id = 1 AND thread_id = 0 AND running = 1",
        "SELECT id FROM tables WHERE chat_id = 1 ORDER BY created_at",
        "SELECT id, deadline_at FROM tables WHERE deadline_at IS NOT NULL ORDER BY deadline_at, id LIMIT 1",
        "SELECT id, vote_at FROM tables WHERE vote_at IS NOT NULL ORDER BY vote_at, id LIMIT 1",
        "SELECT id, vote_at FROM tables WHERE vote_at <= 1",
        "SELECT id FROM tables WHERE deadline_at <= 1 ORDER BY deadline_at, id",
        "SELECT id FROM tables WHERE settled = 0 ORDER BY created_at, rowid",
        "SELECT table_id FROM table_people WHERE user_id = 1 AND running = 1",
    ],
)
async def test_no_search_reads_through_all_documents(database: Database, query: str) -> None:
    plan = await database.fetch_all(f"EXPLAIN QUERY PLAN {query}")
    steps = [step for (*_, step) in plan]
    assert any("USING INDEX" in step or "USING COVERING INDEX" in step for step in steps), steps
