"""The table service over a real database: commits, logs, notifications, and concurrency."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.settings import CHOICES, TableSettings
from bot.storage import Storage
from bot.tables import transitions
from bot.tables.codec import dump_table, load_table
from bot.tables.lifecycle import DeadlineKind, TablePhase
from bot.tables.model import Table
from bot.tables.queries import TableQueries
from bot.tables.refusals import Refusal, Refused
from bot.tables.service import Tables
from bot.tables.transitions import seat_id
from engine import PRESETS, Draw, Match, Play, Rules, Stamp, apply, legal, new_match, turn_stamp
from engine.codec import load_move
from engine.replay import replay
from tests.bot.tables.tables import ANYA, BORIS, GENA, NOW, PACE, VERA, dealt

GROUP = -100


class Chance:
    """A repeatable source of bytes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)


class Time:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def tables(storage: Storage, time: Time) -> Tables:
    return Tables(storage, TableQueries(storage, time), PACE, Chance(7))


async def seated(tables: Tables, rules: Rules | None = None) -> str:
    opened = await tables.open(GROUP, 0, ANYA, TableSettings(rules or Rules()))
    await tables.act(opened.table_id, BORIS.user_id, transitions.sit, BORIS.name)
    await tables.act(opened.table_id, VERA.user_id, transitions.sit, VERA.name)
    return opened.table_id


async def play_to_the_end(tables: Tables, time: Time, table_id: str, chance: random.Random) -> None:
    """Everybody makes random moves; the clock makes those that make themselves."""
    while (table := await tables.queries.load(table_id)).phase is not TablePhase.OVER:
        assert table.match is not None
        assert table.deadline is not None
        if table.deadline.kind is not DeadlineKind.TURN:
            time.now = table.deadline.at
            await tables.change(table_id, transitions.expire_due)
            continue
        assert table.match.round is not None
        seat = table.match.round.turn.seat
        user_id = table.players[seat].user_id
        stamp = Stamp(table.match.number, table.match.round.counters.moves)
        match chance.choice(legal(table.match, seat)):
            case Play(card=card, suit=suit):
                await tables.act(table_id, user_id, transitions.lay, stamp, card, suit)
            case Draw():
                await tables.act(table_id, user_id, transitions.take, stamp)
            case _:
                await tables.act(table_id, user_id, transitions.pass_turn, stamp)


async def replayed(storage: Storage, table: Table) -> Match:
    """The match that the table's log leads to."""
    match = new_match(table.settings.rules, [seat_id(0), seat_id(1), seat_id(2)])
    for logged in await storage.tables.move_log(table.id):
        match = apply(match, load_move(json.loads(logged.move))).match
    return match


@pytest.mark.parametrize("preset", PRESETS)
async def test_the_log_of_a_match_replays_to_its_stored_state(
    tables: Tables, storage: Storage, time: Time, preset: str
) -> None:
    table_id = await seated(tables, Rules.from_document({"preset": preset, "limit": 60}))
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    await play_to_the_end(tables, time, table_id, random.Random(preset))
    row = await storage.tables.load(table_id)
    assert row is not None
    stored = load_table(row)
    assert stored == await tables.queries.load(table_id)
    assert stored.match is not None
    assert stored.match.winner is not None
    assert await replayed(storage, stored) == stored.match


async def test_an_export_replays_to_the_same_totals(tables: Tables, time: Time) -> None:
    """With somebody who leaves and comes back, and a newcomer: the seats have a history of their own."""
    table_id = await seated(tables, Rules.from_document({"limit": 70}))
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    await tables.act(table_id, BORIS.user_id, transitions.leave)
    await tables.act(table_id, GENA.user_id, transitions.sit, GENA.name)
    await tables.act(table_id, BORIS.user_id, transitions.sit, BORIS.name)
    await play_to_the_end(tables, time, table_id, random.Random(5))
    table = await tables.queries.load(table_id)
    assert table.match is not None
    document = json.loads(json.dumps(await tables.queries.export(table_id)))
    assert document["players"] == ["p1", "p2", "p3"]
    assert document["names"] == {"p1": "Аня", "p2": "Борис", "p3": "Вера", "p4": "Гена"}
    answer = replay(document)
    assert answer == document["expect"]
    assert answer["state"]["scores"] == {seat.id: seat.total for seat in table.match.seats}


async def test_a_running_match_is_not_exported(tables: Tables) -> None:
    """It would lay everybody's cards open."""
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    with pytest.raises(Refusal) as refusal:
        await tables.queries.export(table_id)
    assert refusal.value.reason is Refused.MATCH_RUNNING


def test_a_table_reads_back_as_it_was_written() -> None:
    table = replace(dealt(BORIS, VERA), waiting=(GENA,), revision=5)
    assert load_table(dump_table(table, NOW)) == table


def test_a_document_of_a_later_schema_is_refused() -> None:
    row = dump_table(dealt(BORIS), NOW)
    later = json.dumps(json.loads(row.document) | {"schema": 99})
    with pytest.raises(ValueError, match="schema 99"):
        load_table(replace(row, document=later))


async def test_two_presses_of_one_button_at_once_make_one_move(tables: Tables, storage: Storage) -> None:
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    table = await tables.queries.load(table_id)
    assert table.match is not None
    assert table.match.round is not None
    seat = table.match.round.turn.seat
    play = next(move for move in legal(table.match, seat) if isinstance(move, Play))
    stamp, user_id = Stamp(1, 0), table.players[seat].user_id
    outcomes = await asyncio.gather(
        *(tables.act(table_id, user_id, transitions.lay, stamp, play.card, play.suit) for _ in range(5)),
        return_exceptions=True,
    )
    assert sum(outcome is None for outcome in outcomes) == 1
    assert all(isinstance(outcome, Refusal) for outcome in outcomes if outcome is not None)
    assert len(await storage.tables.move_log(table_id)) == 2


async def test_who_chooses_to_move_by_hand_is_waited_for_from_his_next_move_on(
    tables: Tables, storage: Storage, time: Time
) -> None:
    for player in (ANYA, BORIS, VERA):
        await storage.people.see(player.user_id, player.name, None)
        await storage.people.choose(player.user_id, CHOICES["forced_moves"], False)
    table_id = await seated(tables, Rules.from_document({"limit": 50}))
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    kinds = await kinds_of_waiting(tables, time, table_id)
    assert DeadlineKind.FORCED not in kinds
    again = Tables(storage, TableQueries(storage, time), PACE, Chance(8))
    table_id = await started(again, table_id)
    assert DeadlineKind.FORCED not in await kinds_of_waiting(again, time, table_id)
    for player in (ANYA, BORIS, VERA):
        await storage.people.choose(player.user_id, CHOICES["forced_moves"], True)
    table_id = await started(again, table_id)
    assert DeadlineKind.FORCED in await kinds_of_waiting(again, time, table_id)


async def started(tables: Tables, over: str) -> str:
    """Another match of the same people."""
    opened = await tables.rematch(over, ANYA.user_id, (await tables.queries.load(over)).settings, ())
    await tables.act(opened.table_id, ANYA.user_id, transitions.start, is_admin=False)
    return opened.table_id


async def kinds_of_waiting(tables: Tables, time: Time, table_id: str) -> set[DeadlineKind]:
    """What the clock waits for in a match in which it alone moves, for fifty moves; then it is stopped.

    All are there, and let their time run out.
    """
    kinds: set[DeadlineKind] = set()
    for _ in range(50):
        for player in (ANYA, BORIS, VERA):
            await tables.mark_present(table_id, player.user_id)
        table = await tables.queries.load(table_id)
        if table.deadline is None:
            return kinds
        kinds.add(table.deadline.kind)
        time.now = table.deadline.at
        await tables.change(table_id, transitions.expire_due)
    await tables.act(table_id, ANYA.user_id, transitions.stop, is_admin=True)
    return kinds


async def test_listeners_hear_of_what_is_committed_and_of_nothing_else(tables: Tables) -> None:
    heard: list[str] = []
    tables.on_change(heard.append)
    table_id = await seated(tables)
    assert heard == [table_id] * 3
    with pytest.raises(Refusal):
        await tables.act(table_id, BORIS.user_id, transitions.start, is_admin=False)
    await tables.change(table_id, transitions.expire_due)
    assert heard == [table_id] * 3


async def test_a_chat_has_one_table_at_a_time(tables: Tables) -> None:
    first, second = await asyncio.gather(
        tables.open(GROUP, 0, ANYA, TableSettings()), tables.open(GROUP, 0, BORIS, TableSettings())
    )
    assert first.table_id == second.table_id
    assert {first.is_new, second.is_new} == {True, False}


async def test_every_topic_has_a_table_of_its_own(tables: Tables) -> None:
    first = await tables.open(GROUP, 0, ANYA, TableSettings())
    second = await tables.open(GROUP, 17, ANYA, TableSettings())
    assert first.table_id != second.table_id


async def test_a_table_nobody_knows_is_gone(tables: Tables) -> None:
    with pytest.raises(Refusal) as refusal:
        await tables.act("nowhere", ANYA.user_id, transitions.lay, Stamp(1, 0), 0, None)
    assert refusal.value.reason is Refused.TABLE_GONE


async def test_an_upgraded_groups_table_plays_on_under_the_new_id(tables: Tables, storage: Storage) -> None:
    await storage.chats.see(GROUP, title="Клуб", username=None, kind="group")
    table_id = await seated(tables)
    await tables.move_chat(GROUP, -1007)
    assert await tables.queries.at(GROUP, 0) is None
    assert await tables.queries.at(-1007, 0) == table_id
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    assert (await tables.queries.load(table_id)).chat_id == -1007


async def over(tables: Tables) -> str:
    """A table of the group that is over."""
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.stop, is_admin=False)
    return table_id


async def test_a_group_takes_its_finished_tables_along_and_writes_none_of_them_anew(
    tables: Tables, storage: Storage
) -> None:
    await storage.chats.see(GROUP, title="Клуб", username=None, kind="group")
    table_id = await over(tables)
    before = await tables.queries.load(table_id)
    heard: list[str] = []
    tables.on_change(heard.append)
    await tables.move_chat(GROUP, -1007)
    assert await tables.queries.latest_at(-1007, 0) == table_id
    assert await tables.queries.load(table_id) == replace(before, chat_id=-1007)
    assert heard == []


@pytest.mark.parametrize("is_playing", [False, True])
async def test_of_two_tables_that_meet_by_an_upgrade_the_one_that_plays_goes_on(
    tables: Tables, storage: Storage, is_playing: bool
) -> None:
    """Somebody has typed /game in the supergroup before word came that it was the same group."""
    await storage.chats.see(GROUP, title="Клуб", username=None, kind="group")
    old = await seated(tables)
    await tables.act(old, ANYA.user_id, transitions.start, is_admin=False)
    new = (await tables.open(-1007, 0, BORIS, TableSettings())).table_id
    if is_playing:
        await tables.act(new, GENA.user_id, transitions.sit, GENA.name)
        await tables.act(new, BORIS.user_id, transitions.start, is_admin=False)
    finished = await over_in(tables, GROUP)
    await tables.move_chat(GROUP, -1007)
    stays, goes = (new, old) if is_playing else (old, new)
    assert await tables.queries.at(-1007, 0) == stays
    assert (await tables.queries.load(goes)).phase is TablePhase.OVER
    assert {(await tables.queries.load(table_id)).chat_id for table_id in (old, new, finished)} == {-1007}
    await tables.move_chat(GROUP, -1007)
    assert await tables.queries.at(-1007, 0) == stays


async def over_in(tables: Tables, chat_id: int) -> str:
    """A finished table in another topic, so that it is in nobody's way."""
    table_id = (await tables.open(chat_id, 5, GENA, TableSettings())).table_id
    await tables.act(table_id, GENA.user_id, transitions.stop, is_admin=False)
    return table_id


async def test_a_table_that_slept_without_the_bot_wakes_in_the_supergroup(
    tables: Tables, storage: Storage
) -> None:
    await storage.chats.see(GROUP, title="Клуб", username=None, kind="group")
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    await tables.change_in(GROUP, transitions.bot_removed)
    assert (await tables.queries.load(table_id)).phase is TablePhase.ASLEEP
    await tables.move_chat(GROUP, -1007)
    assert (await tables.queries.load(table_id)).phase is TablePhase.PLAYING


async def test_a_vote_is_counted_when_its_time_is_up(tables: Tables, time: Time) -> None:
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    await tables.act(table_id, BORIS.user_id, transitions.call_vote, ANYA.user_id)
    time.now += PACE.vote - 1
    await tables.change(table_id, transitions.expire_due)
    vote = (await tables.queries.load(table_id)).vote
    assert vote is not None
    assert vote.is_open
    time.now += 1
    await tables.change(table_id, transitions.expire_due)
    vote = (await tables.queries.load(table_id)).vote
    assert vote is not None
    assert not vote.is_open


async def test_a_rematch_is_one_new_lobby_however_often_it_is_asked_for(tables: Tables) -> None:
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    await tables.act(table_id, ANYA.user_id, transitions.stop, is_admin=False)
    again = await tables.rematch(table_id, BORIS.user_id, TableSettings(), ())
    assert again.is_new
    with pytest.raises(Refusal):
        await tables.rematch(table_id, VERA.user_id, TableSettings(), ())
    table = await tables.queries.load(again.table_id)
    assert (table.phase, table.host, len(table.players)) == (TablePhase.LOBBY, BORIS.user_id, 3)


async def test_a_cancelled_caller_neither_tears_a_change_nor_frees_the_table_early(
    tables: Tables, storage: Storage
) -> None:
    opened = await tables.open(GROUP, 0, ANYA, TableSettings())
    for steps in range(12):
        sitting = asyncio.create_task(tables.act(opened.table_id, BORIS.user_id, transitions.sit, BORIS.name))
        for _ in range(steps):
            await asyncio.sleep(0)
        sitting.cancel()
        await asyncio.gather(sitting, return_exceptions=True)
        with suppress(Refusal):
            await tables.act(opened.table_id, BORIS.user_id, transitions.stand)
        row = await storage.tables.load(opened.table_id)
        assert row is not None
        assert load_table(row) == await tables.queries.load(opened.table_id)


async def test_a_fault_after_its_caller_was_cancelled_is_logged_and_a_refusal_is_none(
    tables: Tables, storage: Storage, caplog: pytest.LogCaptureFixture
) -> None:
    opened = await tables.open(GROUP, 0, ANYA, TableSettings())

    async def cancelled(change: Coroutine[Any, Any, None]) -> None:
        changing = asyncio.create_task(change)
        await asyncio.sleep(0)
        (work,) = tables._under_way
        changing.cancel()
        await asyncio.wait({changing, work})

    await storage.tables._database._writer._connection.execute("PRAGMA query_only = ON")
    await cancelled(tables.act(opened.table_id, BORIS.user_id, transitions.sit, BORIS.name))
    await cancelled(tables.act(opened.table_id, VERA.user_id, transitions.stand))
    await asyncio.sleep(0)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert caplog.messages == ["a change failed whose caller had been cancelled"]


async def away_to_move(tables: Tables, time: Time) -> tuple[str, Table]:
    """A running match whose player to move has let their time run out until they counted as away."""
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    while True:
        table = await tables.queries.load(table_id)
        assert table.match is not None
        assert table.match.round is not None
        if table.players[table.match.round.turn.seat].is_away:
            return table_id, table
        assert table.deadline is not None
        time.now = table.deadline.at
        await tables.change(table_id, transitions.expire_due)


async def test_who_was_away_and_moves_is_back_in_the_same_change(tables: Tables, time: Time) -> None:
    table_id, table = await away_to_move(tables, time)
    heard: list[str] = []
    tables.on_change(heard.append)
    assert table.match is not None
    assert table.match.round is not None
    seat = table.match.round.turn.seat
    user_id = table.players[seat].user_id
    move = legal(table.match, seat)[0]
    await tables.act(table_id, user_id, transitions.make_move, turn_stamp(table.match), move)
    after = await tables.queries.load(table_id)
    assert after.players[seat].misses == 0
    assert after.match != table.match
    assert after.revision == table.revision + 1
    assert heard == [table_id]


async def test_who_was_away_and_is_refused_is_back_all_the_same(tables: Tables, time: Time) -> None:
    table_id, table = await away_to_move(tables, time)
    assert table.match is not None
    away = next(player for player in table.players if player.is_away)
    with pytest.raises(Refusal) as refusal:
        await tables.act(table_id, away.user_id, transitions.take, Stamp(9, 9))
    assert refusal.value.reason is Refused.STALE
    after = await tables.queries.load(table_id)
    assert after.match == table.match
    assert not after.players[table.players.index(away)].is_away
    assert after.revision == table.revision + 1


async def test_marking_somebody_present_who_is_not_away_writes_nothing(tables: Tables) -> None:
    table_id = await seated(tables)
    await tables.act(table_id, ANYA.user_id, transitions.start, is_admin=False)
    before = await tables.queries.load(table_id)
    await tables.mark_present(table_id, BORIS.user_id)
    assert await tables.queries.load(table_id) is before


async def test_a_check_raises_what_the_change_would_and_changes_nothing(tables: Tables) -> None:
    table_id = await seated(tables)
    before = await tables.queries.load(table_id)
    await tables.check(table_id, transitions.stand, BORIS.user_id)
    with pytest.raises(Refusal) as refusal:
        await tables.check(table_id, transitions.stand, GENA.user_id)
    assert refusal.value.reason is Refused.NOT_SEATED
    assert await tables.queries.load(table_id) is before
