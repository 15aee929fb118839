"""A refusal that is older than the bot's return says nothing about now."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast

import pytest

from bot.messages.desired import DesiredMessage, board_key
from bot.messages.executor import StepExecutor
from bot.messages.gateway import MessageGateway, Unreachable
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import Action
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.screens.screen import Screen
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.queries import TableQueries
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
    tables = Tables(storage, TableQueries(storage, lambda: NOW), PACE)
    opened = await tables.open(GROUP, 0, ANYA, TableSettings())
    telegram = SlowRefusal()
    executor = StepExecutor(
        cast("MessageGateway", telegram),
        ShownCache(storage.shown),
        storage.people,
        storage.chats,
        tables,
        RateLimiter(),
        invalidate=lambda _table_id: None,
        shown_in_group=lambda _shown, _is_new: None,
        write_forbidden=lambda _table_id, _is_topic_gone: None,
        now=lambda: NOW,
    )
    if has_returned:
        telegram.meanwhile = lambda: executor.note_access_restored(GROUP)
    key = board_key(0)
    desired = DesiredMessage(GROUP, 0, Screen("lobby"), Priority.GROUP, silent=True)
    table_messages = TableMessages(opened.table_id, desired={key: desired}, shown={})
    (step,) = table_messages.steps(NOW, {})
    await executor.carry_out(step, Action.SEND, table_messages)
    assert (await tables.queries.load(opened.table_id)).banished is not has_returned
