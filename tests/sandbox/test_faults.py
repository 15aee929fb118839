"""Injected faults: refusals, slow answers, lost answers."""

import asyncio

import httpx
import pytest

from tests.e2e.telegram import Json
from tests.e2e.telegram import Refused as ControlRefused
from tests.sandbox.telegram import CheckedTelegram


async def outcomes(
    telegram: CheckedTelegram, chat: int, calls: int, method: str = "sendMessage"
) -> list[int]:
    """The statuses of so many calls."""
    text = {} if method == "getChat" else {"text": "x"}
    answers = [await telegram.api(method, chat_id=chat, **text) for _ in range(calls)]
    return [answer.get("error_code", 200) for answer in answers]


@pytest.mark.parametrize(
    ("status", "words"),
    [(429, "Too Many Requests: retry after 7"), (500, "Internal Server Error"), (502, "Bad Gateway")],
)
async def test_calls_are_refused_and_not_carried_out(
    telegram: CheckedTelegram, ada: int, status: int, words: str
) -> None:
    before = await telegram.messages(ada)
    await telegram.fault(status=status, retry_after=7)
    answer = await telegram.api("sendMessage", chat_id=ada, text="x")
    assert (answer["error_code"], answer["description"]) == (status, words)
    assert answer.get("parameters") == ({"retry_after": 7} if status == 429 else None)
    assert await telegram.messages(ada) == before


async def test_a_fault_is_for_a_method_and_a_chat(telegram: CheckedTelegram) -> None:
    ada, bob = await telegram.friend("Ada"), await telegram.friend("Bob")
    await telegram.fault(status=500, method="sendmessage", chat=ada)
    assert await outcomes(telegram, ada, 2) == [500, 500]
    assert await outcomes(telegram, bob, 2) == [200, 200]
    assert await outcomes(telegram, ada, 2, "getChat") == [200, 200]


async def test_a_fault_comes_so_many_times_or_every_so_often(telegram: CheckedTelegram, ada: int) -> None:
    await telegram.fault(status=500, times=2, method="sendMessage")
    assert await outcomes(telegram, ada, 4) == [500, 500, 200, 200]
    await telegram.fault(status=502, every=3, method="sendMessage")
    assert await outcomes(telegram, ada, 6) == [200, 200, 502, 200, 200, 502]
    await telegram.fault()
    assert await outcomes(telegram, ada, 3) == [200, 200, 200]


async def test_a_lost_answer_leaves_what_was_done(telegram: CheckedTelegram, ada: int) -> None:
    """The caller cannot know whether it was: no call has an idempotency key."""
    await telegram.fault(lose_answer=True, method="sendMessage", times=1)
    with pytest.raises(httpx.TransportError):
        await telegram.api("sendMessage", chat_id=ada, text="lost")
    assert (await telegram.messages(ada))[-1].text == "lost"
    assert (await telegram.calls(0, "sendMessage"))[-1]["description"] == "the answer was lost"
    assert await outcomes(telegram, ada, 1) == [200]


async def test_a_call_that_is_refused_has_no_answer_to_lose(telegram: CheckedTelegram) -> None:
    await telegram.fault(lose_answer=True)
    assert await telegram.refusal("sendMessage", chat_id=7, text="x") == "Bad Request: chat not found"


async def test_a_hanging_call_is_carried_out_late(telegram: CheckedTelegram, ada: int) -> None:
    await telegram.fault(hang=0.05, method="sendMessage")
    await telegram.say(ada, "late")
    assert (await telegram.messages(ada))[-1].text == "late"
    (call,) = await telegram.calls(0, "sendMessage")
    assert call["ms"] >= 50


async def test_a_hanging_call_goes_on_when_the_fault_ends(telegram: CheckedTelegram, ada: int) -> None:
    await telegram.fault(hang=3600, method="sendMessage")
    call = asyncio.create_task(telegram.ok("sendMessage", chat_id=ada, text="late"))
    while not await telegram.ask("hanging"):
        assert not call.done()
    assert await telegram.ask("hanging") == [{"method": "sendMessage", "chat_id": ada}]
    assert not any(message.text == "late" for message in await telegram.messages(ada))
    assert await outcomes(telegram, ada, 1, "getChat") == [200], "no other call waits for it"
    await telegram.fault()
    await call
    assert await telegram.ask("hanging") == []
    assert (await telegram.messages(ada))[-1].text == "late"


async def test_an_answer_that_hangs_is_of_what_was_done_at_once(telegram: CheckedTelegram, ada: int) -> None:
    await telegram.fault(hang_answer=3600, method="sendMessage")
    call = asyncio.create_task(telegram.ok("sendMessage", chat_id=ada, text="done"))
    while not await telegram.ask("hanging"):
        assert not call.done()
    assert (await telegram.messages(ada))[-1].text == "done"
    await telegram.fault()
    assert (await call)["text"] == "done"


WRONG: list[Json] = [{"status": 404}, {"times": 3}, {"stauts": 500}]


@pytest.mark.parametrize("order", WRONG, ids=str)
async def test_orders_that_make_no_sense_are_refused(telegram: CheckedTelegram, order: Json) -> None:
    with pytest.raises(ControlRefused):
        await telegram.fault(**order)
