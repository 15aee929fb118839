"""Twenty tables, all mishaps at once, the bot killed in between: nothing is lost, and people see what is so.

`make chaos` does the same with two hundred tables for some minutes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.e2e.committed import misplaced_cards, steps
from tests.faults.chaos_run import ChaosResult, Plan, pressed_in_vain, run_chaos

PLAN = Plan(tables=20, mishaps=110, pause=0.15, kills=3, seed="twenty tables")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chaos(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChaosResult]:
    yield await run_chaos(PLAN, tmp_path_factory.mktemp("chaos"))


def test_everything_has_gone_wrong_that_can(chaos: ChaosResult) -> None:
    of_calls = {"429", "500", "502", "no updates", "hang", "lost answer"}
    of_people = {"block", "missing right", "deleted message"}
    assert set(chaos.mishaps) == of_calls | of_people
    assert chaos.kills == PLAN.kills
    assert chaos.failed


def test_every_log_replays_to_its_stored_state(chaos: ChaosResult) -> None:
    for outcome in chaos.outcomes:
        assert steps(outcome.state)[-1].after == outcome.state.match
        assert misplaced_cards(outcome.state) == []


def test_no_press_takes_effect_twice_or_is_lost_once_it_is_answered(chaos: ChaosResult) -> None:
    for outcome in chaos.outcomes:
        assert pressed_in_vain(outcome) == []


def test_in_the_end_every_hand_and_every_table_shows_what_is_so(chaos: ChaosResult) -> None:
    for outcome in chaos.outcomes:
        assert outcome.comparison.missing == []


def test_there_is_at_most_one_message_too_many_for_each_of_which_nothing_was_heard(
    chaos: ChaosResult,
) -> None:
    for outcome in chaos.outcomes:
        surplus = [message.text for message in outcome.comparison.surplus]
        assert len(surplus) <= outcome.unheard, surplus


def test_nothing_is_logged_as_a_fault_of_ours(chaos: ChaosResult) -> None:
    assert [line for line in chaos.log if line["level"] in ("ERROR", "CRITICAL")] == []


def test_every_call_that_goes_wrong_is_logged_with_what_is_needed_to_find_it(chaos: ChaosResult) -> None:
    told = [line for line in chaos.log if line["logger"].startswith("bot.")]
    chats = {line["chat"] for line in told if "chat" in line}
    assert {call["chat_id"] for call in chaos.failed if call["chat_id"] is not None} <= chats
    of_tables = [line for line in told if line["logger"] == "bot.messages.recovery"]
    assert of_tables
    for line in of_tables:
        assert {"table", "revision", "chat", "key", "action"} <= line.keys(), line
