"""The executor: a refusal older than the bot's return is ignored."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from bot.messages.desired import DesiredMessage, board_key
from bot.messages.executor import StepExecutor
from bot.messages.gateway import MessageGateway, Unreachable
from bot.messages.outcomes import BotRemoved, CallOutcome
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import Action
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.screens.screen import Screen
from bot.storage import Storage
from tests.bot.tables.tables import NOW

GROUP = -100


class SlowRefusal:
    """Refuses one call; something happens before the answer arrives."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], None] = lambda: None

    async def send(self, *_call: object, silent: bool) -> int:
        self.meanwhile()
        raise Unreachable(f"Forbidden: bot was kicked from the group chat (silent: {silent})")


@pytest.mark.parametrize("has_returned", [False, True])
async def test_a_refusal_is_reported_unless_the_bot_has_returned_since(
    storage: Storage, has_returned: bool
) -> None:
    telegram = SlowRefusal()
    outcomes: list[CallOutcome] = []

    async def report(outcome: CallOutcome) -> None:
        outcomes.append(outcome)

    executor = StepExecutor(
        cast("MessageGateway", telegram),
        ShownCache(storage.shown),
        RateLimiter(),
        invalidate=lambda _table_id: None,
        report=report,
        now=lambda: NOW,
    )
    if has_returned:
        telegram.meanwhile = lambda: executor.note_access_restored(GROUP)
    key = board_key(0)
    desired = DesiredMessage(GROUP, 0, Screen("lobby"), Priority.GROUP, silent=True)
    table_messages = TableMessages("table", desired={key: desired}, shown={})
    (step,) = table_messages.steps(NOW, {})
    await executor.carry_out(step, Action.SEND, table_messages)
    assert outcomes == ([] if has_returned else [BotRemoved(GROUP)])
