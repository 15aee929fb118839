"""Twenty tables, all mishaps at once, the bot killed in between: nothing is lost, and people see what is so.

`make chaos` does the same with two hundred tables for some minutes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.e2e.committed import misplaced_cards, steps
from tests.faults.ordeal import Ordeal, Plan, pressed_in_vain, suffer

PLAN = Plan(tables=20, mishaps=110, pause=0.15, kills=3, seed="twenty tables")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ordeal(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ordeal]:
    yield await suffer(PLAN, tmp_path_factory.mktemp("ordeal"))


def test_everything_has_gone_wrong_that_can(ordeal: Ordeal) -> None:
    of_calls = {"429", "500", "502", "no updates", "hang", "lost answer"}
    of_people = {"block", "missing right", "deleted message"}
    assert set(ordeal.mishaps) == of_calls | of_people
    assert ordeal.kills == PLAN.kills
    assert ordeal.failed


def test_every_log_replays_to_its_stored_state(ordeal: Ordeal) -> None:
    for outcome in ordeal.outcomes:
        assert steps(outcome.state)[-1].after == outcome.state.match
        assert misplaced_cards(outcome.state) == []


def test_no_press_takes_effect_twice_or_is_lost_once_it_is_answered(ordeal: Ordeal) -> None:
    for outcome in ordeal.outcomes:
        assert pressed_in_vain(outcome) == []


def test_in_the_end_every_hand_and_every_table_shows_what_is_so(ordeal: Ordeal) -> None:
    for outcome in ordeal.outcomes:
        assert outcome.comparison.missing == []


def test_there_is_at_most_one_message_too_many_for_each_of_which_nothing_was_heard(ordeal: Ordeal) -> None:
    for outcome in ordeal.outcomes:
        surplus = [message.text for message in outcome.comparison.surplus]
        assert len(surplus) <= outcome.unheard, surplus


def test_nothing_is_logged_as_a_fault_of_ours(ordeal: Ordeal) -> None:
    assert [line for line in ordeal.log if line["level"] in ("ERROR", "CRITICAL")] == []


def test_every_call_that_goes_wrong_is_logged_with_what_is_needed_to_find_it(ordeal: Ordeal) -> None:
    told = [line for line in ordeal.log if line["logger"].startswith("bot.")]
    chats = {line["chat"] for line in told if "chat" in line}
    assert {call["chat_id"] for call in ordeal.failed if call["chat_id"] is not None} <= chats
    of_tables = [line for line in told if line["logger"] == "bot.messages.executor"]
    assert of_tables
    for line in of_tables:
        assert {"table", "revision", "chat", "key", "action"} <= line.keys(), line
