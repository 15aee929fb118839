"""Records of matches: when a match counts, moving with its chat, rebuilding."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from bot.records.values import EVERYWHERE
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.tables import StaleRevision
from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.context import Timings
from bot.tables.lifecycle import Ending
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.rebuilding import rebuild_records
from bot.tables.record import match_record
from bot.tables.service import Tables
from bot.tables.transitions.lobby import seat
from engine.players import Level
from tests.bot.records.finished_tables import Played, over
from tests.bot.records.simulation import CHATS, Simulation, state_of
from tests.bot.tables.tables import ANYA, BORIS, VERA, ctx, dealt, lobby

MATCHES = 200
"""`make records` plays a thousand."""


# ---------------------------------------------------------------------------------------------- what counts


def test_a_match_that_is_left_by_all_but_one_counts_from_its_first_deal_on() -> None:
    record = match_record(transitions.leave(dealt(BORIS), ctx(), 2).table)
    assert record is not None
    assert [(it.user_id, it.place, it.fate, it.rounds) for it in record.places] == [
        (1, 1, "won", 0),
        (2, 2, "left", 0),
    ]
    cutting = transitions.start(lobby(BORIS, cut=True), ctx(), 1, is_admin=False).table
    assert match_record(transitions.leave(cutting, ctx(), 2).table) is None


def test_a_match_that_was_stopped_or_runs_does_not_count() -> None:
    assert match_record(lobby(BORIS)) is None
    assert match_record(dealt(BORIS)) is None
    assert match_record(transitions.stop(dealt(BORIS), ctx(), 1, is_admin=False).table) is None


def test_one_person_among_computers_has_no_record() -> None:
    clara = Player(-1, "🤖 Клара", level=Level.EASY)
    rounds = [Played({0: 0, 1: 102}, 0)]
    assert match_record(over("t", -1, [ANYA, clara], rounds)) is None
    record = match_record(over("t", -1, [ANYA, clara, BORIS], [Played({0: 0, 1: 102, 2: 105}, 0)]))
    assert record is not None
    assert [(it.user_id, it.is_computer, it.place) for it in record.places] == [
        (1, False, 1),
        (-1, True, 2),
        (2, False, 3),
    ]


@pytest.mark.parametrize("computers", [1, 2])
def test_a_match_that_all_people_leave_to_computers_does_not_count(computers: int) -> None:
    table = lobby(BORIS)
    for n in range(1, computers + 1):
        table = seat(table, ctx(), Player(-n, f"🤖 {n}", level=Level.EASY)).table
    table = transitions.start(table, ctx(), 1, is_admin=False).table
    for user_id in (1, 2):
        assert match_record(table) is None
        table = transitions.leave(table, ctx(), user_id).table
    assert table.ending is Ending.DESERTED
    assert match_record(table) is None


def test_who_leaves_has_the_last_place_however_many_leave() -> None:
    table = over("t", -1, [ANYA, BORIS, VERA], [Played({0: 0, 1: 20, 2: 40}, 0)], left={1: 2, 2: 2})
    record = match_record(table)
    assert record is not None
    assert [(it.user_id, it.place, it.out_in) for it in record.places] == [(1, 1, None), (2, 3, 2), (3, 3, 2)]


def test_who_was_never_dealt_to_has_not_played() -> None:
    table = over("t", -1, [ANYA, BORIS, VERA], [Played({0: 0, 1: 102, 2: 30}, 0)], left={2: 2})
    without = dataclasses.replace(table, dealt=((0, 1),))
    record = match_record(without)
    assert record is not None
    assert [it.user_id for it in record.places] == [1, 2]


def test_a_table_that_was_stored_before_finishes_were_written_down_can_be_read() -> None:
    table = over("t", -1, [ANYA, BORIS], [Played({0: 0, 1: 50}, 0, "QS"), Played({0: 0, 1: 60}, 0, "6S")])
    row = dump_table(table, 0.0)
    assert load_table(row).finishes == table.finishes
    old = dataclasses.replace(row, document=row.document.replace('"finishes":["QS","6S"],', ""))
    assert old != row
    assert load_table(old).finishes == (None, None)


# ---------------------------------------------------------------------------------------------- with its chat


async def end(storage: Storage, name: str, chat_id: int, *players: Player) -> None:
    """A match in this chat that the first of these people has won at once."""
    table = over(name, chat_id, players, [Played({0: 0} | dict.fromkeys(range(1, len(players)), 102), 0)])
    await storage.tables.create(dump_table(table, 0.0))
    row = dump_table(dataclasses.replace(table, revision=1), 0.0)
    await storage.tables.commit(row, 0, (), match_record(table))


async def test_records_and_ratings_go_with_the_group_to_its_new_id(storage: Storage) -> None:
    await end(storage, "a", -5, ANYA, BORIS)
    before = await storage.records.ratings(-5)
    for _ in range(2):
        await storage.tables.move_over(-5, -1005)
    assert await storage.records.ratings(-1005) == before
    assert await storage.records.ratings(-5) == {}
    assert [match.chat_id for match in await storage.records.matches()] == [-1005]


async def test_a_group_that_has_played_under_both_ids_is_rated_in_the_order_of_its_matches(
    storage: Storage,
) -> None:
    await end(storage, "a", -5, ANYA, BORIS)
    await end(storage, "b", -1005, BORIS, ANYA)
    await end(storage, "c", -5, BORIS, VERA)
    await storage.tables.move_over(-5, -1005)
    assert await storage.records.ratings(-1005) == await storage.records.ratings(EVERYWHERE)


async def test_a_commit_that_is_refused_records_nothing(storage: Storage) -> None:
    table = over("a", -5, [ANYA, BORIS], [Played({0: 0, 1: 102}, 0)])
    await storage.tables.create(dump_table(table, 0.0))
    row = dump_table(dataclasses.replace(table, revision=9), 0.0)
    with pytest.raises(StaleRevision):
        await storage.tables.commit(row, 8, (), match_record(table))
    assert await storage.records.matches() == ()
    assert await storage.records.ratings(EVERYWHERE) == {}


# ------------------------------------------------------------------------------------------------- made anew


async def test_the_records_made_anew_from_the_logs_are_those_that_were_kept(storage: Storage) -> None:
    await Simulation(storage, Random(101)).play(MATCHES)
    kept = await state_of(storage)
    matches, _ = kept
    fates = {place.fate for match in matches for place in match.places}
    assert len(matches) > MATCHES * 0.8
    assert fates >= {"won", "out", "left"}
    assert any(place.is_computer for match in matches for place in match.places)
    assert any(place.queens for match in matches for place in match.places)
    assert {match.chat_id for match in matches} == set(CHATS)
    rebuilt = await rebuild_records(storage)
    assert rebuilt.matches == len(matches)
    assert rebuilt.unreadable == ()
    assert await state_of(storage) == kept


async def test_records_that_were_lost_or_changed_are_there_again(
    storage: Storage, database: Database
) -> None:
    await Simulation(storage, Random(7)).play(12)
    kept = await state_of(storage)
    await database.execute("UPDATE match_places SET place = 1, rounds_won = 99")
    await database.execute("UPDATE ratings SET mu = 50")
    await database.execute("DELETE FROM matches WHERE n % 2 = 0")
    assert await state_of(storage) != kept
    await rebuild_records(storage)
    assert await state_of(storage) == kept


async def test_a_record_without_a_readable_log_stays_as_it_is(storage: Storage, database: Database) -> None:
    await Simulation(storage, Random(7)).play(6)
    kept = await state_of(storage)
    first, second, *_ = [match.table_id for match in kept[0]]
    await database.execute("DELETE FROM table_moves WHERE table_id = ? AND n > 3", (first,))
    await database.execute("DELETE FROM tables WHERE id = ?", (second,))
    rebuilt = await rebuild_records(storage)
    assert rebuilt.unreadable == (first,)
    assert await state_of(storage) == kept


async def test_a_match_is_recorded_with_its_last_move_and_only_once(storage: Storage) -> None:
    tables = Tables(storage, TableQueries(storage, lambda: 5000.0), Timings(), Random(1).randbytes)
    table_id = (await tables.open(-1, 0, ANYA, TableSettings())).table_id
    await tables.act(table_id, BORIS.user_id, transitions.sit, BORIS.name)
    await tables.act(table_id, 1, transitions.start, is_admin=False)
    assert await storage.records.matches() == ()
    await tables.act(table_id, 2, transitions.leave)
    (match,) = await storage.records.matches()
    assert (match.table_id, match.chat_id, match.ended_at) == (table_id, -1, 5000.0)
    await tables.rematch(table_id, 1, TableSettings(), ())
    assert len(await storage.records.matches()) == 1
