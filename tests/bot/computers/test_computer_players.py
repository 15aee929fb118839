"""Computer players move at tables that change and at tables found at a start."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.computers.computer_players import ComputerPlayers
from bot.computers.worker_pool import ThoughtFailed, WorkerPool
from bot.settings import TableSettings
from bot.storage import Storage
from bot.tables import transitions
from bot.tables.codec import dump_table
from bot.tables.context import Timings
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.refusals import Refusal
from bot.tables.service import Tables
from bot.tables.turns import ComputerTurn, computer_turn
from engine import CardLaid, Effect, Rules, TurnMove, View, legal, turn_stamp, view_for
from engine.players import Level
from tests.bot.tables.tables import ANYA, NOW, lobby, playing
from tests.bot.tables.test_service import Chance
from tests.patience import PATIENCE

QUICK = Timings(forced=0.0, computer=0.0, next_deal=0.0, autopilot=0.0)
NAMES = ("Ада", "Фома", "Зоя")


class _Slow(WorkerPool):
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: asyncio.Queue[Level] = asyncio.Queue()
        self.dropped = asyncio.Event()

    async def choose(self, level: Level, view: View, seed: int) -> TurnMove:
        del view, seed
        self.asked.put_nowait(level)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.dropped.set()
            raise
        raise AssertionError


class _Failing(WorkerPool):
    """Finds nothing."""

    def __init__(self) -> None:
        super().__init__(1)
        self.has_failed = asyncio.Event()

    async def choose(self, level: Level, view: View, seed: int) -> TurnMove:
        del level, view, seed
        self.has_failed.set()
        raise ThoughtFailed("TestError")


class _Contended(Tables):
    """A computer's move waits for its table's lock behind something else."""

    first: Callable[[], Awaitable[None]]

    def __init__(
        self, storage: Storage, queries: TableQueries, timings: Timings, entropy: Callable[[int], bytes]
    ) -> None:
        super().__init__(storage, queries, timings, entropy)
        self.has_refused = asyncio.Event()

    async def change(self, table_id: str, transition: Any, *args: Any, **kwargs: Any) -> None:
        if transition is not transitions.make_move:
            await super().change(table_id, transition, *args, **kwargs)
            return
        await self.first()
        try:
            await super().change(table_id, transition, *args, **kwargs)
        except Refusal:
            self.has_refused.set()
            raise


@pytest.fixture
def tables(storage: Storage) -> Tables:
    return Tables(storage, TableQueries(storage, lambda: NOW), QUICK, Chance(7))


@asynccontextmanager
async def computers_at(tables: Tables, pool: WorkerPool) -> AsyncIterator[None]:
    players = asyncio.create_task(ComputerPlayers(tables, pool, QUICK, Chance(1)).run())
    try:
        yield
    finally:
        players.cancel()
        with pytest.raises(asyncio.CancelledError):  # nothing else goes wrong at the end
            await players


async def alone(tables: Tables, *levels: Level) -> str:
    settings = TableSettings(Rules.from_document({"limit": 50}), turn_seconds=None)
    return (await tables.open_solo(ANYA, levels, NAMES, settings)).table_id


async def play(tables: Tables, table_id: str, until: Callable[[Table], bool]) -> Table:
    """Play for Аня and let the clock do its part until this is so of the table; computers move themselves."""
    changed = asyncio.Event()
    tables.on_change(lambda _table_id: changed.set())
    async with asyncio.timeout(PATIENCE):
        while not until(table := await tables.queries.load(table_id)):
            changed.clear()
            if not await _has_moved(tables, table):
                await changed.wait()
    return table


async def _has_moved(tables: Tables, table: Table) -> bool:
    """Make the move that is Аня's or the clock's to make; False where it is a computer's."""
    match, deadline = table.match, table.deadline
    assert match is not None
    if deadline is not None:
        if deadline.kind is not DeadlineKind.COMPUTER:
            await tables.change(table.id, transitions.expire_due)
        return deadline.kind is not DeadlineKind.COMPUTER
    if match.round is None:
        await tables.act(table.id, ANYA.user_id, transitions.deal_next, match.number)
        return True
    seat = match.round.turn.seat
    assert table.players[seat] == ANYA
    turn = ComputerTurn(
        table.id, ANYA.user_id, turn_stamp(match), Level.EASY, view_for(match, seat), is_watched=True
    )
    await tables.change(turn.table_id, transitions.make_move, turn.user_id, turn.stamp, legal(match, seat)[0])
    return True


def is_theirs(table: Table) -> bool:
    return table.deadline is not None and table.deadline.kind is DeadlineKind.COMPUTER


async def test_computers_play_a_match_to_its_end(tables: Tables, storage: Storage) -> None:
    table_id = await alone(tables, Level.EASY, Level.NORMAL)
    async with computers_at(tables, WorkerPool(1)):
        table = await play(tables, table_id, lambda it: it.phase is TablePhase.OVER)
    assert table.ending is Ending.FINISHED
    actors = {logged.actor for logged in await storage.tables.move_log(table_id)}
    assert {ANYA.user_id, -1, -2} <= actors


async def test_after_a_start_a_computer_moves_at_the_table_that_waits_for_it(tables: Tables) -> None:
    table_id = await alone(tables, Level.NORMAL)
    waiting = await play(tables, table_id, is_theirs)
    async with computers_at(tables, WorkerPool(1)):
        await play(tables, table_id, lambda it: it.revision > waiting.revision)


async def test_what_is_thought_for_a_moment_that_has_passed_is_dropped(tables: Tables) -> None:
    table_id = await alone(tables, Level.STRONG)
    pool = _Slow()
    async with computers_at(tables, pool), asyncio.timeout(PATIENCE):
        waiting = await play(tables, table_id, is_theirs)
        assert await pool.asked.get() is Level.STRONG
        await tables.act(table_id, ANYA.user_id, transitions.say, "hurry")
        assert not pool.dropped.is_set()
        await tables.act(table_id, ANYA.user_id, transitions.leave)
        await pool.dropped.wait()
    assert (await tables.queries.load(table_id)).match != waiting.match


@pytest.mark.parametrize("comes_first", ["banish", "leave", "stop"])
async def test_a_move_before_which_something_else_has_happened_is_no_fault(
    storage: Storage, caplog: pytest.LogCaptureFixture, comes_first: str
) -> None:
    tables = _Contended(storage, TableQueries(storage, lambda: NOW), QUICK, Chance(7))
    table_id = await alone(tables, Level.NORMAL)
    await play(tables, table_id, is_theirs)
    tables.first = {
        "banish": lambda: tables.change_in(ANYA.user_id, transitions.bot_removed),
        "leave": lambda: tables.act(table_id, ANYA.user_id, transitions.leave),
        "stop": lambda: tables.act(table_id, ANYA.user_id, transitions.stop, is_admin=False),
    }[comes_first]
    caplog.set_level("INFO", "bot.computers.computer_players")
    async with computers_at(tables, WorkerPool(1)), asyncio.timeout(PATIENCE):
        await tables.has_refused.wait()
    (record,) = [it for it in caplog.records if it.message.startswith("move refused")]
    assert record.levelname == "INFO"


async def test_a_computer_that_finds_nothing_is_moved_for_when_its_time_is_up(
    tables: Tables, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await alone(tables, Level.STRONG)
    pool = _Failing()
    async with computers_at(tables, pool), asyncio.timeout(PATIENCE):
        waiting = await play(tables, table_id, is_theirs)
        await pool.has_failed.wait()
    assert "a computer player has found no move: TestError" in caplog.messages
    late = Tables(
        storage,
        TableQueries(storage, lambda: NOW + QUICK.thinking),
        QUICK,
        Chance(8),
    )
    await late.change(table_id, transitions.expire_due)
    assert (await late.queries.load(table_id)).revision == waiting.revision + 1
    assert (await storage.tables.move_log(table_id))[-1].actor == -1


async def test_a_table_that_cannot_be_read_stops_no_other(
    tables: Tables, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(dump_table(lobby(), NOW), id="broken", document="{}", deadline_at=NOW)
    await storage.tables.create(broken)
    table_id = await alone(tables, Level.NORMAL)
    waiting = await play(tables, table_id, is_theirs)
    async with computers_at(tables, WorkerPool(1)):
        await play(tables, table_id, lambda it: it.revision > waiting.revision)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "not seen who is to move"
    ]


@pytest.mark.parametrize(
    ("mover", "chat", "is_in_row"), [(1, -100, True), (0, -100, False), (1, ANYA.user_id, False)]
)
def test_computers_that_move_one_after_another_in_a_group_leave_it_room(
    tables: Tables, mover: int, chat: int, is_in_row: bool
) -> None:
    ada = Player(-1, "Ада", level=Level.EASY)
    foma = Player(-2, "Фома", level=Level.EASY)
    hands = {"p1": ["7S", "8S"], "p2": ["9S", "10S"], "p3": ["QS", "KS"]}
    laid = CardLaid(mover, 0, None, covering=False, left=2, effect=Effect.NONE)
    table = replace(
        playing(hands, stock=["6C", "7C"], turn="p3"),
        chat_id=chat,
        players=(ANYA, ada, foma),
        history=((laid,),),
        deadline=Deadline(DeadlineKind.COMPUTER, NOW + 9),
    )
    due = computer_turn(table)
    assert due is not None
    assert due.is_in_row is is_in_row

    def shortest(computer: float) -> float:
        players = ComputerPlayers(tables, WorkerPool(1), Timings(computer=computer), Chance(1))
        return min(players.pause(due, seed) for seed in range(200))

    assert shortest(0.0) == 0.0
    assert (shortest(1.0) > 60 / 17) is is_in_row
    assert shortest(10.0) < 15.0
