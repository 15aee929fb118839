"""Polling survives passing failures, and ends with a clear line at lasting ones."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from telegram import Bot, Update

from bot.metrics import Metrics
from bot.transport import Transport
from bot.updates.intake import DEEPEST_UPDATE, Intake
from bot.updates.liveness import Liveness, UpdatesLost
from bot.updates.polling import (
    MOST_REFUSALS,
    POLL_SECONDS,
    REFUSED_PAUSE_SECONDS,
    SHORTEST_PAUSE_SECONDS,
    STRANDED_SECONDS,
    Poller,
)
from tests.bot.scripted_telegram import Script, ok, refusal
from tests.patience import PATIENCE

OTHER = refusal(409, "Conflict: terminated by other getUpdates request; make sure that only one bot runs")


@dataclass
class TableMessages:
    """A poller, what it is answered, and what it has taken."""

    script: Script
    now: float = 0.0
    queue: asyncio.Queue[object] = field(default_factory=asyncio.Queue)
    poller: Poller = field(init=False)
    liveness: Liveness = field(init=False)
    transports: list[Transport] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        calls, updates = Transport(1, 1), Transport(1, 1, now=lambda: self.now)
        self.transports = [calls, updates]
        bot = Bot("1:x", base_url=self.script.base_url, request=calls, get_updates_request=calls)
        self.liveness = Liveness(8.0, 30.0, lambda: self.now)
        metrics = Metrics()
        intake = Intake(bot, self.queue, metrics)
        self.poller = Poller(
            bot,
            updates,
            intake,
            self.liveness,
            metrics,
            ["message"],
            now=lambda: self.now,
            sleep=self._sleep,
        )

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.sleep(0)

    def answer(self, *answers: tuple[int, Any]) -> None:
        self.script.answers["getUpdates"] = list(answers)

    async def until_taken(self, count: int) -> list[int]:
        """Poll until so many updates are taken; their ids."""
        polling = asyncio.create_task(self.poller.run())
        taking = asyncio.create_task(self._take(count))
        done, _ = await asyncio.wait({polling, taking}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        for task in (polling, taking):
            task.cancel()
        await asyncio.gather(polling, taking, return_exceptions=True)
        assert done == {taking}, "it has ended, or takes nothing"
        return taking.result()

    async def _take(self, count: int) -> list[int]:
        taken = [await self.queue.get() for _ in range(count)]
        return [it.update_id for it in taken if isinstance(it, Update)]


@pytest.fixture
async def desk() -> AsyncIterator[TableMessages]:
    async with Script.served() as script:
        it = TableMessages(script)
        yield it
        for transport in it.transports:
            await transport.shutdown()


def update(number: int, **without: None) -> dict[str, Any]:
    message = {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "text": "a word"}
    return {"update_id": number, "message": {k: v for k, v in message.items() if k not in without}}


@pytest.mark.parametrize(
    "trouble",
    [
        refusal(401, "Unauthorized"),
        refusal(404, "Not Found"),
        OTHER,
        refusal(502, "Bad Gateway"),
        (401, "<html>"),
        (200, "<html>"),
        (200, ok({"no": "list"})),
    ],
)
async def test_what_passes_does_not_end_it(desk: TableMessages, trouble: tuple[int, Any]) -> None:
    desk.answer(trouble, (200, ok([update(7)])), (200, ok([])))
    assert await desk.until_taken(1) == [7]


async def test_an_update_that_cannot_be_read_is_told_of_acknowledged_and_passed_over(
    desk: TableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    batch = [update(7), update(8, date=None), update(9), {"what": "is this"}]
    desk.answer((200, ok(batch)), (200, ok([update(10)])), (200, ok([])))
    assert await desk.until_taken(3) == [7, 9, 10]
    assert [call["offset"] for call in desk.script.calls["getUpdates"]][:2] == ["0", "10"]
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert any("update 8 cannot be read" in words for words in told)
    assert "a word" not in caplog.text
    await desk.poller.close()
    assert desk.script.calls["getUpdates"][-1]["offset"] == "11"


@pytest.mark.parametrize("levels", [DEEPEST_UPDATE, 700, 100_000])
async def test_an_update_that_is_nested_too_deep_does_not_stop_the_others(
    desk: TableMessages, caplog: pytest.LogCaptureFixture, levels: int
) -> None:
    message = json.dumps(update(8)["message"])
    reply = message.removesuffix("}") + ', "reply_to_message": '
    deep = '{"update_id": 8, "message": ' + reply * levels + message + "}" * levels + "}"
    batch = f'{{"ok": true, "result": [{json.dumps(update(7))}, {deep}, {json.dumps(update(9))}]}}'
    desk.answer((200, batch), (200, ok([])))
    assert await desk.until_taken(2) == [7, 9]
    (told,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "update 8 cannot be read" in told.getMessage()
    assert json.loads(vars(told)["update"])["update_id"] == "int"
    await desk.poller.close()
    assert desk.script.calls["getUpdates"][-1]["offset"] == "10"


async def test_updates_that_come_again_are_not_taken_again_and_not_asked_for_all_the_time(
    desk: TableMessages,
) -> None:
    again = ok([update(6), update(7)])
    desk.answer((200, again), (200, again), (200, again), (200, ok([{"no": "id"}])), (200, ok([update(8)])))
    assert await desk.until_taken(3) == [6, 7, 8]
    assert desk.pauses == [SHORTEST_PAUSE_SECONDS, 2 * SHORTEST_PAUSE_SECONDS, 4 * SHORTEST_PAUSE_SECONDS]


async def test_ids_that_begin_anew_at_a_lower_number_are_acknowledged(desk: TableMessages) -> None:
    desk.answer((200, ok([update(700)])), (200, ok([update(7)])), (200, ok([update(8)])), (200, ok([])))
    assert await desk.until_taken(3) == [700, 7, 8]
    assert [call["offset"] for call in desk.script.calls["getUpdates"]][:3] == ["0", "701", "8"]


async def test_what_answers_at_once_that_there_is_nothing_is_not_asked_all_the_time(
    desk: TableMessages,
) -> None:
    desk.answer((200, ok([])), (200, ok([])), (200, ok([update(7)])))
    assert await desk.until_taken(1) == [7]
    assert desk.pauses[:2] == [SHORTEST_PAUSE_SECONDS] * 2


async def test_a_round_that_is_answered_with_nothing_is_completed_too(desk: TableMessages) -> None:
    desk.now = 20.0
    assert desk.liveness.silence == 20.0
    desk.answer((200, ok([])), (200, ok([update(7)])), (200, ok([])))
    await desk.until_taken(1)
    assert desk.liveness.silence == 0.0


@pytest.mark.parametrize(
    ("wanted_in", "seconds"), [(-2.0, 1), (0.3, 1), (1.5, 2), (60.0, POLL_SECONDS), (math.inf, POLL_SECONDS)]
)
async def test_a_round_ends_just_after_somebodys_time_is_up(
    desk: TableMessages, wanted_in: float, seconds: int
) -> None:
    desk.now += 60.0
    desk.liveness.want(wanted_in)
    desk.answer((200, ok([update(7)])), (200, ok([])))
    await desk.until_taken(1)
    assert desk.script.calls["getUpdates"][0]["timeout"] == str(seconds)


async def test_a_webhook_that_somebody_sets_is_taken_off(desk: TableMessages) -> None:
    conflict = refusal(409, "Conflict: can't use getUpdates method while webhook is active")
    desk.answer(conflict, (200, ok([update(7)])), (200, ok([])))
    assert await desk.until_taken(1) == [7]
    assert len(desk.script.calls["deleteWebhook"]) == 1
    assert desk.pauses[0] == REFUSED_PAUSE_SECONDS, "else two programs would set it and take it off at once"


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (refusal(401, "Unauthorized"), "the token is refused (Unauthorized)"),
        (OTHER, "another program asks for updates with this token"),
    ],
)
async def test_what_lasts_for_a_minute_ends_it_with_one_clear_line(
    desk: TableMessages, caplog: pytest.LogCaptureFixture, trouble: tuple[int, Any], words: str
) -> None:
    desk.answer(trouble)
    with pytest.raises(UpdatesLost):
        await asyncio.wait_for(desk.poller.run(), PATIENCE)
    (critical,) = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert words in critical.getMessage()
    assert len(desk.script.calls["getUpdates"]) == MOST_REFUSALS
    assert desk.script.calls["deleteWebhook"] == []


async def test_when_other_calls_are_answered_and_this_is_not_it_ends(
    desk: TableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    def pass_time(_method: str) -> None:
        desk.now += STRANDED_SECONDS / 2

    desk.script.heard = pass_time
    desk.answer((502, "<html>"))
    with pytest.raises(UpdatesLost):
        await asyncio.wait_for(desk.poller.run(), PATIENCE)
    assert "Telegram answers other calls" in caplog.text


async def test_a_network_that_carries_nothing_is_waited_for(desk: TableMessages) -> None:
    def pass_time(_method: str) -> None:
        desk.now += STRANDED_SECONDS

    desk.script.heard = pass_time
    desk.script.answers["getMe"] = [(502, "<html>")]
    desk.answer((502, "<html>"), (502, "<html>"), (502, "<html>"), (200, ok([update(7)])), (200, ok([])))
    assert await desk.until_taken(1) == [7]
    assert desk.script.calls["getMe"]
