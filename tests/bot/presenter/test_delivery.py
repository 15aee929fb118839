"""A refusal that is older than the bot's return says nothing about now."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast

import pytest

from bot.presenter.budget import Budget, Priority
from bot.presenter.courier import Courier, Unreachable
from bot.presenter.delivery import Delivery
from bot.presenter.desk import Desk
from bot.presenter.ledger import Ledger
from bot.presenter.steps import Action
from bot.presenter.wanted import Wanted, board_key
from bot.screens.screen import Screen
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.service import Tables
from bot.tables.settings import TableSettings
from tests.bot.tables.tables import ANYA, NOW, PACE

GROUP = -100


class SlowRefusal:
    """Telegram's side of one call: refused, and by the time the answer is here something has happened."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], None] = lambda: None

    async def send(self, *_call: object, silent: bool) -> int:
        self.meanwhile()
        raise Unreachable(f"Forbidden: bot was kicked from the group chat (silent: {silent})")


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[Storage]:
    database = await Database.open(tmp_path / "101.sqlite3")
    yield Storage(database)
    await database.close()


@pytest.mark.parametrize("has_returned", [False, True])
async def test_a_table_sleeps_for_a_refusal_unless_the_bot_has_returned_since(
    storage: Storage, has_returned: bool
) -> None:
    tables = Tables(storage, PACE, lambda: NOW)
    opened = await tables.open(GROUP, 0, ANYA, TableSettings())
    telegram = SlowRefusal()
    delivery = Delivery(
        cast("Courier", telegram),
        Ledger(storage.shown),
        storage.people,
        storage.chats,
        tables,
        Budget(),
        mark=lambda _table_id: None,
        told=lambda _shown, _is_new: None,
        barred=lambda _table_id: None,
        now=lambda: NOW,
    )
    if has_returned:
        telegram.meanwhile = lambda: delivery.welcome(GROUP)
    key = board_key(0)
    wanted = Wanted(GROUP, 0, Screen("lobby"), Priority.GROUP, silent=True)
    desk = Desk(opened.table_id, wanted={key: wanted}, shown={})
    (step,) = desk.steps(NOW, {})
    await delivery.carry_out(step, Action.SEND, desk)
    assert (await tables.load(opened.table_id)).banished is not has_returned
