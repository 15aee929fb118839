"""What no proper client sends: it is refused in the usual form, and never the sandbox's own mistake.

All of it is OURS but for the words, which are Telegram's where it has some.
"""

import asyncio
import gc
import logging
import socket
import struct
from collections.abc import AsyncIterator

import httpx
import pytest

from sandbox.control.registry import ACTIONS, QUESTIONS
from sandbox.methods import METHODS
from sandbox.schema import table
from sandbox.schema.table import Expression, Scalar
from tests.connections import connected
from tests.e2e.telegram import Json
from tests.patience import PATIENCE
from tests.sandbox.telegram import CheckedTelegram

DEEP = "[" * 100_000 + "]" * 100_000
BODIES = {
    "nothing": b"",
    "half an object": b"{",
    "no object": b"[]",
    "no UTF-8": b'{"text": "\xff"}',
    "a number that is none": b'{"chat_id": NaN, "text": "x"}',
    "a number out of range": b'{"chat_id": 1e999, "text": "x"}',
    "a number of thousands of digits": b'{"chat_id": ' + b"1" * 5000 + b', "text": "x"}',
    "half a character": b'{"chat_id": "\\ud800", "text": "x"}',
    "deep nesting": DEEP.encode(),
    "deep nesting in a field": f'{{"text": {DEEP}}}'.encode(),
}
TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
)
ODD: tuple[object, ...] = (
    None, True, 0, -1, (1 << 63) - 1, 1.5, "", " ", "x", "9" * 5000, "&#55296;", "attach://x", [], [[]],
    [None], {}, {"type": "x"}, {"inline_keyboard": [[{}]]}, [{"type": "bold", "offset": -1, "length": 1}],
    "[", "NaN",
)  # fmt: skip
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def port_of(telegram: CheckedTelegram) -> int:
    return int(telegram.url.rsplit(":", 1)[-1])


@pytest.fixture
async def http(
    telegram: CheckedTelegram, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[httpx.AsyncClient]:
    """A client that sends what it likes; at the end nothing may have gone wrong in the sandbox itself."""
    async with httpx.AsyncClient(base_url=telegram.url, timeout=PATIENCE) as client:
        yield client
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("content_type", TYPES)
@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
async def test_a_rough_body_is_refused(
    telegram: CheckedTelegram, http: httpx.AsyncClient, body: bytes, content_type: str
) -> None:
    headers = {"Content-Type": content_type}
    answer = await http.post(f"/bot{telegram.token}/sendMessage", content=body, headers=headers)
    assert (answer.status_code, answer.json()["ok"]) == (400, False)
    answer = await http.post("/control/send", content=body, headers=headers)
    assert (answer.status_code, answer.json().keys()) == (400, {"error"})


async def test_half_a_character_is_no_utf_8(telegram: CheckedTelegram, http: httpx.AsyncClient) -> None:
    """From LIVE: python-telegram-bot's and others' issues quote the words."""
    for body in (BODIES["half a character"], BODIES["no UTF-8"]):
        answer = await http.post(
            f"/bot{telegram.token}/sendMessage", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.json()["description"] == "Bad Request: strings must be encoded in UTF-8"


@pytest.mark.parametrize("name", sorted(METHODS))
async def test_a_method_refuses_values_of_a_wrong_type_and_takes_other_odd_ones_or_says_why_not(
    telegram: CheckedTelegram, ada: int, http: httpx.AsyncClient, name: str
) -> None:
    place: Json = {"chat_id": ada, "message_id": 1, "text": "x", "user_id": ada}
    # A long poll would wait, and a webhook would be pushed to.
    types = _parameters(name)
    asked = [field for field in types if field not in ("timeout", "url")]
    known = {field: value for field, value in place.items() if field in asked}
    for value in ODD:
        for field in asked:
            answer = await http.post(f"/bot{telegram.token}/{name}", json={**known, field: value})
            case = (name, field, value, answer.text)
            if is_mistyped(types[field], value):
                assert answer.status_code == 400, case
            if answer.status_code == 200:
                assert answer.json().keys() == {"ok", "result"}, case
                assert answer.json()["ok"] is True, case
            else:
                assert answer.status_code in (400, 403, 501), case
                assert answer.json().items() >= {"ok": False, "error_code": answer.status_code}.items(), case
                assert answer.json()["description"], case


@pytest.mark.parametrize("name", sorted(ACTIONS.keys() - {"faults", "reset"}))
async def test_an_action_refuses_odd_values_or_takes_them(
    ada: int, group: int, http: httpx.AsyncClient, name: str
) -> None:
    known: Json = {"from": ada, "user": ada, "chat": group, "message_id": 1, "text": "x", "wait": 0}
    fields = ACTIONS[name].fields
    for value in ODD:
        for field in fields - {"wait"}:
            sent = {key: item for key, item in known.items() if key in fields} | {field: value}
            answer = await http.post(f"/control/{name}", json=sent)
            case = (name, field, value, answer.text)
            if field in ("from", "user", "chat", "message_id") and isinstance(value, list | dict):
                assert answer.status_code == 400, case
            assert isinstance(answer.json(), dict), case
            assert answer.status_code in (200, 400, 403, 404), case
            assert (answer.json().keys() == {"error"}) is (answer.status_code != 200), case
    assert (await http.get("/control/world")).status_code == 200


@pytest.mark.parametrize("name", sorted(QUESTIONS))
async def test_a_question_refuses_odd_values_or_takes_them(http: httpx.AsyncClient, name: str) -> None:
    for value in ("", "x", "-1", "1.5", "9" * 30, "9" * 5000, "٣", "\x00"):
        for field in QUESTIONS[name].fields:
            answer = await http.get(f"/control/{name}", params={field: value})
            case = (name, field, value, answer.text)
            assert answer.status_code in (200, 400, 404), case
            if answer.status_code != 200:
                assert answer.json().keys() == {"error"}, case


FAULTS: list[Json] = [
    {"status": 418},
    {"status": 0},
    {"status": 500, "times": -1},
    {"status": 500, "every": 0},
    {"status": 429, "retry_after": -5},
    {"hang": -1},
    {"hang": 10**18},
    {"duplicate_updates": 5},
    {"delay_updates": -1},
    {"every": 2},
]


@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_a_fault_that_makes_no_sense_is_refused(http: httpx.AsyncClient, fault: Json) -> None:
    assert (await http.post("/control/faults", json=fault)).status_code == 400


async def test_time_goes_neither_back_nor_beyond_telegrams_dates(http: httpx.AsyncClient) -> None:
    for seconds in (-1, 1 << 40):
        assert (await http.post("/control/clock", json={"advance": seconds})).status_code == 400


ADDRESSES = (
    "/", "/nothing", "/bot", "/bot1/getMe", "/bot1:x/getMe", "/control/", "/control/x", "/control/file/x",
    "/file/bot1/x", "/page/", "/page/js", "/page/none", "/page/%00", "/page/%2e%2e/server.py", "/ws",
)  # fmt: skip


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"])
async def test_no_address_is_too_odd(http: httpx.AsyncClient, method: str) -> None:
    for address in ADDRESSES:
        answer = await http.request(method, address)
        assert answer.status_code < 500, (method, address)
        assert answer.status_code >= 400 or address == "/", (method, address)


RICH: Json = {"type": "bold", "text": "x"}
for _ in range(40):
    RICH = {"text": RICH, "type": "bold"}
QUICKLY: dict[str, tuple[str, Json]] = {
    "types within types": (
        "editMessageText",
        {"message_id": 1, "rich_message": {"blocks": [{"text": RICH, "type": "paragraph"}]}},
    ),
    "thousands of entities": ("sendMessage", {"text": "<b>x</b>" * 4000, "parse_mode": "HTML"}),
    "thousands of quotations": (
        "sendMessage",
        {"text": "<blockquote>" * 1000 + "x" + "</blockquote>" * 1000, "parse_mode": "HTML"},
    ),
    "a text like an address": ("sendMessage", {"text": "-" * 4096}),
}


@pytest.mark.parametrize(("method", "fields"), QUICKLY.values(), ids=list(QUICKLY))
async def test_what_could_take_for_ever_does_not(
    telegram: CheckedTelegram, ada: int, method: str, fields: Json
) -> None:
    async with asyncio.timeout(PATIENCE):
        await telegram.api(method, chat_id=ada, **fields)


async def test_pages_of_other_sites_control_nothing(
    telegram: CheckedTelegram, ada: int, http: httpx.AsyncClient
) -> None:
    answer = await http.post("/control/reset", headers={"Origin": "https://example.org"})
    assert answer.status_code == 403
    answer = await http.post(
        "/control/read", headers={"Origin": telegram.url}, json={"user": ada, "chat": ada}
    )
    assert answer.status_code == 200
    assert [user["id"] for user in (await telegram.ask("world"))["users"]] == [ada]


@pytest.mark.parametrize("path", ["/", "/page/js/main.js", "/control/world", "/ws", "/bot{token}/getMe"])
async def test_only_requests_for_this_machine_are_heard(
    telegram: CheckedTelegram, http: httpx.AsyncClient, path: str
) -> None:
    address = path.format(token=telegram.token)
    for host in ("example.org", "localhost.example.org", f"example.org:{port_of(telegram)}", "192.168.0.7"):
        answer = await http.get(address, headers={"Host": host})
        assert (answer.status_code, host in answer.json()["error"]) == (403, True)
    for host in ("localhost", "127.0.0.1", "[::1]:8101", "LOCALHOST:80", "bot.localhost"):
        answer = await http.get(address, headers={"Host": host})
        assert answer.status_code == (400 if path == "/ws" else 200), "/ws wants a WebSocket's handshake"


async def test_other_sites_cannot_act_by_a_name_that_leads_here(
    telegram: CheckedTelegram, ada: int, http: httpx.AsyncClient
) -> None:
    rebound = {"Host": "example.org", "Origin": "http://example.org"}
    assert (await http.post("/control/reset", headers=rebound, json={})).status_code == 403
    answer = await http.post(f"/bot{telegram.token}/sendMessage", headers=rebound, json={"chat_id": ada})
    assert answer.status_code == 403
    assert [user["id"] for user in (await telegram.ask("world"))["users"]] == [ada]


async def test_a_page_that_vanishes_takes_nothing_with_it(
    telegram: CheckedTelegram, ada: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected("127.0.0.1", port_of(telegram)) as page:
        page.writer.write(HANDSHAKE)
        assert await page.status() == 101
        # Closing resets the connection, as when a machine loses its network.
        reset = struct.pack("ii", 1, 0)
        page.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    await asyncio.gather(*(telegram.say(ada, str(number)) for number in range(20)))
    gc.collect()  # a failure that nobody has asked for is logged now
    assert len(await telegram.messages(ada)) == 21
    assert caplog.records == []


async def test_a_client_that_stops_in_the_middle_holds_up_nobody(telegram: CheckedTelegram) -> None:
    async with connected("127.0.0.1", port_of(telegram)) as slow:
        slow.writer.write(b"POST /control/users HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
        await slow.writer.drain()
        await telegram.friend()


async def test_a_body_beyond_all_measure_is_refused_before_it_is_read(telegram: CheckedTelegram) -> None:
    async with connected("127.0.0.1", port_of(telegram)) as client:
        request = f"POST /bot{telegram.token}/getMe HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        client.writer.write(f"{request}Content-Length: {1 << 40}\r\n\r\n".encode())
        assert await client.status() == 400


def is_mistyped(expected: Expression, value: object) -> bool:
    """Return whether a value can't be read as the expected number or truth value."""
    if not isinstance(expected, Scalar) or expected.name not in ("Integer", "Float", "Boolean"):
        return False
    return isinstance(value, list | dict) or (
        expected.name != "Boolean" and value in ("", " ", "x", "[", "NaN")
    )


def _parameters(name: str) -> dict[str, Expression]:
    """A method's parameters, and what each of them takes."""
    spec = table.load().method(name)
    assert spec is not None
    return {field: it.type for field, it in spec.parameters.items()}
