"""What dispatch does on every press of a table's button, besides calling the handler."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.buttons import CallbackData, Here, Lay, Nudge, Peek, ShowScore
from bot.handlers.dispatch import dispatch
from bot.tables.codec import dump_table
from engine import Stamp
from tests.bot.handlers.forged_world import World, building
from tests.bot.handlers.pressing import press_by
from tests.bot.tables.tables import BORIS, NOW, VERA, away, dealt

GROUP, OTHER_GROUP = -50, -51
TABLE = f"{50:010x}"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Build a world with a table in `GROUP` at which Boris is away."""
    async with building(tmp_path / "101.sqlite3") as it:
        for chat_id in (GROUP, OTHER_GROUP):
            await it.services.storage.chats.see(chat_id, "Группа", None, "supergroup")
        table = replace(away(dealt(BORIS, VERA), BORIS), id=TABLE, chat_id=GROUP)
        await it.services.storage.tables.create(dump_table(table, NOW))
        yield it


async def is_away(world: World) -> bool:
    table = await world.services.queries.load(TABLE)
    return table.players[1].is_away


@pytest.mark.parametrize(
    "asked",
    [
        lambda: Peek(TABLE),
        lambda: Here(TABLE),
        lambda: ShowScore(TABLE),
        lambda: Lay(TABLE, Stamp(9, 9), 0, None),
        lambda: Nudge(TABLE),
    ],
    ids=["reads", "says so", "reads a page", "is refused a move", "is refused a nudge"],
)
async def test_whoever_presses_is_there(world: World, asked: Callable[[], CallbackData]) -> None:
    assert await is_away(world)
    await dispatch(world.services, press_by(world, BORIS.user_id, GROUP), asked())
    assert not await is_away(world)


async def test_a_press_that_is_not_heard_in_its_chat_shows_nothing(world: World) -> None:
    await dispatch(world.services, press_by(world, BORIS.user_id, OTHER_GROUP), Nudge(TABLE))
    assert await is_away(world)
