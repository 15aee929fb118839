"""No seed and no hand is logged over a whole match, with the root logger at DEBUG."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.buttons import CallbackData, Lay, PassTurn, Sit, StartMatch, Take
from bot.handlers.dispatch import dispatch
from bot.logs import JsonFormatter
from bot.storage.tables import LoggedMove
from bot.tables import transitions
from bot.tables.lifecycle import DeadlineKind, TablePhase
from bot.tables.model import Table
from engine import Draw, Move, Play, legal, turn_stamp
from engine.cards import card_code
from tests.bot.handlers import pressing
from tests.bot.handlers.forged_world import World, building

SMALLEST_HAND = 3
"""Fewer cards than so many may stand in a row anywhere by chance."""


class Kept(logging.Handler):
    """Keeps everything, as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonFormatter(()))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def everything(*unpinned: str) -> Iterator[Kept]:
    """Collect everything that is logged, with the root logger and these at DEBUG."""
    kept = Kept()
    loggers = [logging.getLogger(), *map(logging.getLogger, unpinned)]
    levels = [logger.level for logger in loggers]
    loggers[0].addHandler(kept)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    try:
        yield kept
    finally:
        loggers[0].removeHandler(kept)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with building(tmp_path / "101.sqlite3") as it:
        yield it


async def test_nothing_that_is_logged_over_a_whole_match_tells_a_seed_or_a_hand(world: World) -> None:
    with everything() as kept:
        secrets = await play_a_match(world, rounds=99)
    assert len(secrets) > 100
    assert any("press carried out" in line for line in kept.lines), "something is logged"
    assert any("press refused" in line for line in kept.lines), "refusals too"
    assert told(secrets, kept.lines) == []


async def test_what_is_looked_for_would_be_found(world: World) -> None:
    """The database's library, which the storage pins, logs every statement with its values."""
    with everything("aiosqlite") as kept:
        secrets = await play_a_match(world, rounds=1)
    assert told(secrets, kept.lines)


def told(secrets: set[str], lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    return [secret for secret in secrets if secret in text]


async def play_a_match(world: World, rounds: int) -> set[str]:
    """Play on a table in its lobby, with honest and with wrong presses; its seeds and hands, as texts."""
    chance, secrets = random.Random("match"), set[str]()
    table_id, tables = world.tables[0].id, world.services.tables
    await press_by(world, 3, Sit(table_id))
    await press_by(world, 1, StartMatch(table_id))
    while (table := await tables.queries.load(table_id)).phase is not TablePhase.OVER:
        assert table.match is not None
        if table.match.number > rounds:
            break
        secrets |= secrets_of(table)
        if table.match.round is None or (
            table.deadline is not None and table.deadline.kind is DeadlineKind.FORCED
        ):
            deadline = table.deadline
            assert deadline is not None
            tables.queries.now = partial(float, deadline.at)
            await tables.change(table_id, transitions.expire_due)
            continue
        seat = table.match.round.turn.seat
        move = chance.choice(legal(table.match, seat))
        asked = asking(table, move)
        for wrong in (table.players[seat - 1].user_id, 6):
            await press_by(world, wrong, asked)
        await press_by(world, table.players[seat].user_id, asked)
    return secrets | set(seeds(await world.services.storage.tables.move_log(table_id)))


async def press_by(world: World, user_id: int, asked: CallbackData) -> None:
    await dispatch(world.services, pressing.press_by(world, user_id, -1 if user_id < 5 else user_id), asked)


def asking(table: Table, move: Move) -> CallbackData:
    assert table.match is not None
    stamp = turn_stamp(table.match)
    if isinstance(move, Play):
        return Lay(table.id, stamp, move.card, move.suit)
    return Take(table.id, stamp) if isinstance(move, Draw) else PassTurn(table.id, stamp)


def seeds(log: tuple[LoggedMove, ...]) -> Iterator[str]:
    """In hex, as they are stored."""
    for logged in log:
        seed = json.loads(logged.move).get("seed")
        if seed:
            yield seed


def secrets_of(table: Table) -> set[str]:
    """The next seed, and every hand, in the forms that a log might show them in."""
    found = {table.next_seed.hex(), repr(table.next_seed)[2:-1]}
    assert table.match is not None
    for hand in () if table.match.round is None else table.match.round.piles.hands:
        if len(hand) >= SMALLEST_HAND:
            codes = [card_code(card) for card in hand]
            numbers, words = ", ".join(map(str, hand)), ", ".join(codes)
            found |= {numbers, words, " ".join(codes), json.dumps(codes), repr(codes), json.dumps(list(hand))}
            found |= {json.dumps(codes, separators=(",", ":")), json.dumps(json.dumps(codes))[1:-1]}
    return found
