"""Updates: long polling, confirming, choosing kinds, one receiver at a time."""

import asyncio

import httpx
import pytest

from tests.e2e.telegram import Json
from tests.patience import PATIENCE
from tests.sandbox.telegram import CheckedTelegram


def numbers(updates: list[Json]) -> list[int]:
    return [update["update_id"] for update in updates]


async def test_updates_stay_until_a_later_offset_confirms_them(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getUpdates."""
    for text in "abc":
        await telegram.send(ada, ada, text)
    first = await telegram.ok("getUpdates")
    assert await telegram.ok("getUpdates") == first
    assert [update["message"]["text"] for update in first] == ["a", "b", "c"]
    assert numbers(first) == list(range(first[0]["update_id"], first[0]["update_id"] + 3))

    assert await telegram.ok("getUpdates", offset=first[1]["update_id"]) == first[1:]
    assert await telegram.ok("getUpdates") == first[1:], "what was confirmed does not come back"
    assert await telegram.ok("getUpdates", offset=first[2]["update_id"] + 1) == []


async def test_a_negative_offset_keeps_the_newest(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getUpdates: «all previous updates will be forgotten»."""
    for text in "abc":
        await telegram.send(ada, ada, text)
    (last,) = await telegram.ok("getUpdates", offset=-1)
    assert last["message"]["text"] == "c"
    assert await telegram.ok("getUpdates") == [last]


async def test_as_many_come_as_are_wanted_and_100_at_most(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getUpdates: limit."""
    for number in range(105):
        await telegram.send(ada, ada, str(number))
    assert [len(await telegram.ok("getUpdates", limit=limit)) for limit in (0, 1, 7, 100, 999)] == [
        1,
        1,
        7,
        100,
        100,
    ]


async def test_a_poll_ends_as_soon_as_something_happens(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getUpdates: timeout."""
    poll = asyncio.create_task(telegram.ok("getUpdates", timeout=50))
    await asyncio.sleep(0)
    assert not poll.done()
    await telegram.send(ada, ada, "hello")
    assert [update["message"]["text"] for update in await poll] == ["hello"]


async def test_a_poll_without_anything_ends_empty(telegram: CheckedTelegram) -> None:
    """From DOCS, getUpdates: a timeout of 0 is «short polling»."""
    assert await telegram.ok("getUpdates", timeout=0) == []
    assert await telegram.ok("getUpdates") == []


async def test_a_second_poller_ends_the_first(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER, abort_long_poll."""
    first = asyncio.create_task(telegram.api("getUpdates", timeout=50))
    await telegram.until_polled()
    second = asyncio.create_task(telegram.ok("getUpdates", timeout=50))
    answer = await first
    assert answer == {
        "ok": False,
        "error_code": 409,
        "description": "Conflict: terminated by other getUpdates request;"
        " make sure that only one bot instance is running",
    }
    await telegram.send(ada, ada, "hello")
    assert len(await second) == 1


async def test_who_has_hung_up_polls_no_more(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER: a closed connection takes its query with it, so a bot that starts anew meets no
    conflict.
    """
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        url = f"{telegram.url}/bot{telegram.token}/getUpdates"
        poll = asyncio.create_task(http.post(url, json={"timeout": 50}))
        await telegram.until_polled()
        poll.cancel()
        await asyncio.wait([poll])
    await telegram.until_polled(False)
    await telegram.send(ada, ada, "hello")
    assert len(await telegram.updates()) == 1
    assert [call["status"] for call in await telegram.calls(0, "getUpdates") if not call["ok"]] == []


async def test_a_bot_names_the_kinds_it_wants(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, getUpdates: allowed_updates; it holds until it is changed, for updates from then on."""
    group = await telegram.group(ada, bot="administrator")
    message_id = await telegram.say(ada)

    async def kinds_of_what_happens() -> list[str]:
        await telegram.send(ada, ada, "a message")
        await telegram.press_data(ada, ada, message_id, "a press", wait=0)
        await telegram.set_member(group, await telegram.new_user("Bob"), "kicked")
        return [next(iter(update.keys() - {"update_id"})) for update in await telegram.updates()]

    assert await kinds_of_what_happens() == ["message", "callback_query"]
    await telegram.ok("getUpdates", allowed_updates=["callback_query", "chat_member"])
    assert await kinds_of_what_happens() == ["callback_query", "chat_member"]
    assert await kinds_of_what_happens() == ["callback_query", "chat_member"]
    await telegram.ok("getUpdates", allowed_updates=[])
    assert await kinds_of_what_happens() == ["message", "callback_query"]


@pytest.mark.parametrize("share", [0, 1])
async def test_updates_can_come_twice(telegram: CheckedTelegram, ada: int, share: int) -> None:
    """From experience: a lost confirmation brings an update again. The fault does it on order."""
    await telegram.fault(duplicate_updates=share)
    await telegram.send(ada, ada, "a")
    await telegram.send(ada, ada, "b")
    texts = [update["message"]["text"] for update in await telegram.ok("getUpdates")]
    assert texts == (["a", "a", "b", "b"] if share else ["a", "b"])


async def test_updates_can_come_late(telegram: CheckedTelegram, ada: int) -> None:
    """The fault holds them back by the sandbox's clock."""
    await telegram.fault(delay_updates=3)
    await telegram.send(ada, ada, "a")
    await telegram.fault()
    await telegram.send(ada, ada, "b")
    assert await telegram.ok("getUpdates") == [], "what is behind waits, too: updates keep their order"
    await telegram.advance(3)
    assert [update["message"]["text"] for update in await telegram.updates()] == ["a", "b"]
