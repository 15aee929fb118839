"""Flood limits: how much may be sent, what counts, and how long to wait. The numbers are those of
core.telegram.org/bots/faq («My bot is hitting limits, how do I avoid this?»)."""

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import CheckedTelegram


async def taken(telegram: CheckedTelegram, chat: int, calls: int, seconds_between: float = 0) -> int:
    """Return how many of so many messages to a chat are accepted."""
    count = 0
    for _ in range(calls):
        count += (await telegram.api("sendMessage", chat_id=chat, text="x"))["ok"]
        await telegram.advance(seconds_between)
    return count


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_a_group_gets_20_messages_a_minute(limited_telegram: CheckedTelegram, kind: str) -> None:
    telegram = limited_telegram
    group = await telegram.group(await telegram.friend(), kind=kind)
    assert await taken(telegram, group, 25, seconds_between=0.5) == 20

    answer = await telegram.api("sendMessage", chat_id=group, text="x")
    # 12.5 s have passed since the first of the twenty, which makes room again after a minute.
    assert answer == {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 48",
        "parameters": {"retry_after": 48},
    }
    await telegram.advance(answer["parameters"]["retry_after"])
    assert await taken(telegram, group, 3) == 2, "the two that were sent in the first second have made room"


async def test_waiting_as_told_is_enough(limited_telegram: CheckedTelegram) -> None:
    telegram = limited_telegram
    group = await telegram.group(await telegram.friend())
    await taken(telegram, group, 20)
    await telegram.advance(7.3)
    answer = await telegram.api("sendMessage", chat_id=group, text="x")
    await telegram.advance(answer["parameters"]["retry_after"])
    assert await taken(telegram, group, 21) == 20


async def test_a_private_chat_gets_one_message_a_second_after_a_small_burst(
    limited_telegram: CheckedTelegram,
) -> None:
    telegram = limited_telegram
    ada = await telegram.friend()
    burst = await taken(telegram, ada, 10)
    assert 2 <= burst <= 5
    assert (await telegram.api("sendMessage", chat_id=ada, text="x"))["parameters"] == {"retry_after": 1}
    await telegram.advance(1)
    assert await taken(telegram, ada, 10, seconds_between=1) == 10


async def test_all_chats_together_get_30_messages_a_second(limited_telegram: CheckedTelegram) -> None:
    telegram = limited_telegram
    people = [await telegram.friend(str(number)) for number in range(40)]
    assert sum([await taken(telegram, person, 1) for person in people]) == 30
    await telegram.advance(1)
    assert sum([await taken(telegram, person, 1) for person in people]) == 30


async def test_edits_deletions_and_pins_count_as_messages(limited_telegram: CheckedTelegram) -> None:
    """From DOCS' faq by experience: they share the limit."""
    telegram = limited_telegram
    group = await telegram.group(await telegram.friend(), bot="administrator")
    message_id = await telegram.say(group)
    place: Json = {"chat_id": group, "message_id": message_id}
    await telegram.ok("pinChatMessage", **place)
    await telegram.ok("unpinChatMessage", **place)
    for number in range(16):
        await telegram.ok("editMessageText", **place, text=str(number))
    await telegram.ok("deleteMessage", **place)
    assert (await telegram.api("deleteMessages", chat_id=group, message_ids=[message_id]))[
        "error_code"
    ] == 429
    assert (await telegram.api("editMessageText", **place, text="x"))["error_code"] == 429


async def test_a_refused_edit_counts_and_a_429_does_not(limited_telegram: CheckedTelegram) -> None:
    """An edit that changes nothing has reached the data centre; one that was held back has not."""
    telegram = limited_telegram
    group = await telegram.group(await telegram.friend())
    place: Json = {"chat_id": group, "message_id": await telegram.say(group, "x")}
    for _ in range(19):
        assert (await telegram.api("editMessageText", **place, text="x"))["error_code"] == 400
    for _ in range(5):
        assert (await telegram.api("sendMessage", chat_id=group, text="x"))["error_code"] == 429
    await telegram.advance(60)
    assert await taken(telegram, group, 21) == 20


async def test_one_chats_limit_holds_back_no_other(limited_telegram: CheckedTelegram) -> None:
    telegram = limited_telegram
    ada = await telegram.friend()
    first, second = await telegram.group(ada), await telegram.group(ada)
    await taken(telegram, first, 25)
    await telegram.advance(1)
    assert await taken(telegram, second, 1) == 1
    assert await taken(telegram, ada, 1) == 1


async def test_answers_to_presses_and_questions_do_not_count(limited_telegram: CheckedTelegram) -> None:
    """From DOCS, answerCallbackQuery, by experience."""
    telegram = limited_telegram
    ada = await telegram.friend()
    message_id = await telegram.say(ada)
    for _ in range(50):
        await telegram.press_data(ada, ada, message_id, "x", wait=0)
    for query in await telegram.updates("callback_query"):
        await telegram.ok("answerCallbackQuery", callback_query_id=query["id"])
        await telegram.ok("getChat", chat_id=ada)
    assert await taken(telegram, ada, 1) == 1


async def test_the_limits_can_be_lifted(telegram: CheckedTelegram, ada: int) -> None:
    """``--flood off``."""
    assert await taken(telegram, ada, 100) == 100
