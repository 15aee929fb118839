"""Presses of inline buttons: the update, the answer, and its time limit."""

import asyncio

import pytest

from tests.e2e.telegram import Json, PressAnswer
from tests.e2e.telegram import Refused as ControlRefused
from tests.sandbox.telegram import CheckedTelegram

BUTTONS: Json = {
    "inline_keyboard": [
        [{"text": "go", "callback_data": "go:1"}, {"text": "stop", "callback_data": "stop:1"}],
        [{"text": "site", "url": "https://example.org/"}, {"text": "copy", "copy_text": {"text": "abc"}}],
    ]
}
TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


async def pressed(
    telegram: CheckedTelegram, person: int, chat: int, message_id: int
) -> tuple[Json, asyncio.Task[PressAnswer]]:
    """Press «go»; returns the callback query that comes of it, and what will come back for the press."""
    task = asyncio.create_task(telegram.press_data(person, chat, message_id, "go:1"))
    (query,) = (await telegram.ok("getUpdates", timeout=50))[-1:]
    await telegram.updates()
    return query["callback_query"], task


async def test_a_press_tells_who_pressed_what_where(telegram: CheckedTelegram, ada: int, group: int) -> None:
    """From DOCS, CallbackQuery."""
    message_id = await telegram.say(group, "choose", reply_markup=BUTTONS)
    query, task = await pressed(telegram, ada, group, message_id)

    assert (query["from"]["id"], query["data"]) == (ada, "go:1")
    assert query["message"]["message_id"] == message_id
    assert query["message"]["chat"]["id"] == group
    assert query["message"]["reply_markup"] == BUTTONS
    assert query["chat_instance"].lstrip("-").isdigit()
    await telegram.ok("answerCallbackQuery", callback_query_id=query["id"])
    assert await task == PressAnswer(answered=True, text=None, show_alert=False, url=None)


async def test_an_answer_is_a_toast_or_an_alert(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, answerCallbackQuery."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    for is_alert in (False, True):
        query, task = await pressed(telegram, ada, ada, message_id)
        answer = {"callback_query_id": query["id"], "text": "not yet", "show_alert": is_alert}
        assert await telegram.ok("answerCallbackQuery", **answer) is True
        assert await task == PressAnswer(answered=True, text="not yet", show_alert=is_alert, url=None)


async def test_an_answer_may_open_the_bots_private_chat_and_nothing_else(
    telegram: CheckedTelegram, ada: int
) -> None:
    """From DOCS, answerCallbackQuery: url."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    query, task = await pressed(telegram, ada, ada, message_id)
    for url in ("https://example.org", "https://t.me/other_bot?start=x", "https://t.me/sandbox_bot"):
        wrong = {"callback_query_id": query["id"], "url": url}
        assert await telegram.refusal("answerCallbackQuery", **wrong) == "Bad Request: URL_INVALID"
    url = "https://t.me/sandbox_bot?start=seat-7"
    await telegram.ok("answerCallbackQuery", callback_query_id=query["id"], url=url)
    assert (await task).payload == "seat-7"


async def test_an_answer_has_200_characters(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS; the words from github.com/eternnoir/pyTelegramBotAPI/issues/500."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    query, task = await pressed(telegram, ada, ada, message_id)
    answer = {"callback_query_id": query["id"], "text": "x" * 201}
    assert await telegram.refusal("answerCallbackQuery", **answer) == "Bad Request: MESSAGE_TOO_LONG"
    await telegram.ok("answerCallbackQuery", **{**answer, "text": "x" * 200})
    assert (await task).text == "x" * 200


async def test_a_press_is_answered_once_and_soon(telegram: CheckedTelegram, ada: int) -> None:
    """From SERVER: QUERY_ID_INVALID; and github.com/EdJoPaTo/grammy-inline-menu/issues/64."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    query, task = await pressed(telegram, ada, ada, message_id)
    await telegram.ok("answerCallbackQuery", callback_query_id=query["id"])
    assert await telegram.refusal("answerCallbackQuery", callback_query_id=query["id"]) == TOO_OLD
    assert await telegram.refusal("answerCallbackQuery", callback_query_id="123") == TOO_OLD
    await task

    late, unanswered = await pressed(telegram, ada, ada, message_id)
    await telegram.advance(16)
    assert await telegram.refusal("answerCallbackQuery", callback_query_id=late["id"]) == TOO_OLD
    unanswered.cancel()


async def test_without_an_answer_the_client_gives_up(telegram: CheckedTelegram, ada: int) -> None:
    """From the clients: the button stops spinning."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    answer = await telegram.press_data(ada, ada, message_id, "go:1", wait=0.01)
    assert answer == PressAnswer(answered=False, text=None, show_alert=False, url=None)


async def test_a_reset_ends_the_waiting(telegram: CheckedTelegram, ada: int) -> None:
    """From OURS: nobody will answer any more."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    _, task = await pressed(telegram, ada, ada, message_id)
    await telegram.reset()
    assert not (await task).answered


async def test_any_data_can_be_sent_by_a_forged_client(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, CallbackQuery: «the message originated the query can contain no callback buttons with
    this data».
    """
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    for data in ("", "\0\x7f\u202e", "x" * 5000, "go:2"):
        await telegram.press_data(ada, ada, message_id, data, wait=0)
    queries = await telegram.updates("callback_query")
    assert [query["data"] for query in queries] == ["", "\0\x7f\u202e", "x" * 5000, "go:2"]


async def test_a_press_on_a_message_that_is_gone_brings_an_inaccessible_one(
    telegram: CheckedTelegram,
    ada: int,
) -> None:
    """From DOCS, InaccessibleMessage: its date is always 0."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    await telegram.delete(ada, message_id)
    await telegram.press_data(ada, ada, message_id, "go:1", wait=0)
    (query,) = await telegram.updates("callback_query")
    assert (query["message"]["date"], query["message"]["message_id"]) == (0, message_id)


async def test_other_buttons_do_not_reach_the_bot(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, InlineKeyboardButton: a link is opened and a text copied by the client."""
    await telegram.say(ada, reply_markup=BUTTONS)
    place = {"from": ada, "chat": ada, "message_id": (await telegram.messages(ada))[-1].message_id}
    link = await telegram.act("press", **place, button="site")
    assert (link["answered"], link["url"]) == (True, "https://example.org/")
    assert (await telegram.act("press", **place, button=3))["copy"] == "abc"
    assert await telegram.updates() == []


@pytest.mark.parametrize("button", ["fly", 4, -1])
async def test_only_buttons_that_are_there_can_be_pressed(
    telegram: CheckedTelegram, ada: int, button: str | int
) -> None:
    """From OURS: a driver that presses nothing should know."""
    message_id = await telegram.say(ada, reply_markup=BUTTONS)
    with pytest.raises(ControlRefused, match="'go', 'stop', 'site', 'copy'"):
        await telegram.act("press", **{"from": ada, "chat": ada, "message_id": message_id, "button": button})
