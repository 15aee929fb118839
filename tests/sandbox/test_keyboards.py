"""Inline keyboards: valid buttons, and their limits."""

import json

import pytest

from tests.e2e.telegram import Json
from tests.sandbox.telegram import DOCS, LIVE, OURS, CheckedTelegram, Refused, sentence

BUTTON = "can't parse inline keyboard button: "


def keyboard(*rows: list[Json]) -> Json:
    return {"inline_keyboard": list(rows)}


def button(text: str = "go", **more: object) -> Json:
    return {"text": text, **more} if more else {"text": text, "callback_data": "go"}


NO_ACTION = BUTTON + "Text buttons are unallowed in the inline keyboard"
WRONG_URL = "inline keyboard button URL '{}' is invalid: {}"

REFUSALS = [
    Refused("65 bytes of data", button(callback_data="x" * 65), "BUTTON_DATA_INVALID", LIVE),
    Refused("33 Cyrillic letters of data", button(callback_data="я" * 33), "BUTTON_DATA_INVALID", DOCS),
    Refused("no action", {"text": "go"}, NO_ACTION, LIVE),
    Refused("empty data", button(callback_data=""), NO_ACTION, LIVE),
    Refused(
        "two actions",
        button(url="t.me", callback_data="x"),
        BUTTON + "Only one of callback_data and url can be used",
        OURS,
    ),
    Refused(
        "an address that is none",
        button(url="not-a-url"),
        WRONG_URL.format("not-a-url", "Wrong HTTP URL"),
        LIVE,
    ),
    Refused(
        "an address of this machine",
        button(url="http://localhost:8081"),
        WRONG_URL.format("http://localhost:8081", "Wrong HTTP URL"),
        LIVE,
    ),
    Refused(
        "an address for other programs",
        button(url="ftp://example.com"),
        WRONG_URL.format("ftp://example.com", "Unsupported URL protocol"),
        LIVE,
    ),
    Refused("nothing to copy", button(copy_text={"text": ""}), "BUTTON_COPY_TEXT_INVALID", LIVE),
    Refused(
        "257 characters to copy", button(copy_text={"text": "x" * 257}), "BUTTON_COPY_TEXT_INVALID", DOCS
    ),
    Refused("a payment without an invoice", button(pay=True), "BUTTON_TYPE_INVALID", LIVE),
    Refused(
        "another colour",
        button(callback_data="x", style="pink"),
        BUTTON + "Invalid button style specified",
        DOCS,
    ),
]


@pytest.mark.parametrize("case", REFUSALS, ids=sentence)
async def test_a_button_is_refused_with(telegram: CheckedTelegram, ada: int, case: Refused) -> None:
    markup = keyboard([button(), case.sent])

    refusal = await telegram.refusal("sendMessage", chat_id=ada, text="x", reply_markup=markup)
    assert refusal == case.description


TAKEN = [
    button(callback_data="x" * 64),
    button(callback_data="я" * 32),
    button(callback_data="x", style="danger"),
    button(callback_data="x", style="success"),
    button(callback_data="x", style="primary"),
    button(copy_text={"text": "x" * 256}),
    button(url="https://t.me/some_bot?start=x"),
    button(url="tg://user?id=7"),
    button(switch_inline_query=""),
]


@pytest.mark.parametrize("good", TAKEN, ids=lambda value: json.dumps(value)[:50])
async def test_a_button_is_taken_as_it_is(telegram: CheckedTelegram, ada: int, good: Json) -> None:
    """From DOCS, InlineKeyboardButton."""
    message = await telegram.ok("sendMessage", chat_id=ada, text="x", reply_markup=keyboard([good]))

    assert message["reply_markup"] == keyboard([good])


async def test_a_keyboard_holds_100_buttons_8_in_a_row(telegram: CheckedTelegram, ada: int) -> None:
    """From LIMITS, issues 187 and 228; more, or more than 10 kB of JSON, is too long."""
    full = [[button()] * 8] * 12 + [[button()] * 4]
    assert await telegram.say(ada, reply_markup=keyboard(*full))

    long = [[button("x" * 300)] * 8] * 4
    for rows in ([*full, [button()]], [[button()] * 9], long):
        refusal = await telegram.refusal("sendMessage", chat_id=ada, text="x", reply_markup=keyboard(*rows))
        assert refusal == "Bad Request: reply markup is too long"


async def test_rows_without_buttons_are_left_out(telegram: CheckedTelegram, ada: int) -> None:
    """From TDLib, ReplyMarkup.cpp."""
    message = await telegram.ok(
        "sendMessage", chat_id=ada, text="x", reply_markup=keyboard([], [button()], [])
    )
    assert message["reply_markup"] == keyboard([button()])

    message = await telegram.ok("sendMessage", chat_id=ada, text="x", reply_markup=keyboard([]))
    assert "reply_markup" not in message


async def test_people_see_texts_colours_links_and_what_is_copied(telegram: CheckedTelegram, ada: int) -> None:
    """From DOCS, InlineKeyboardButton; the names are those of the control routes."""
    rows = [
        [button(callback_data="a", style="success"), button("link", url="https://t.me/x")],
        [button("copy", copy_text={"text": "secret"})],
    ]
    await telegram.say(ada, reply_markup=keyboard(*rows))

    shown = (await telegram.messages(ada, ada))[-1].raw["buttons"]
    assert shown == [
        [{"text": "go", "data": "a", "style": "success"}, {"text": "link", "url": "https://t.me/x"}],
        [{"text": "copy", "copy": "secret"}],
    ]
