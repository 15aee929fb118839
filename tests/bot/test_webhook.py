"""The server that updates are pushed to: the secret, what is no update, and whether the bot is well."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import httpx
import pytest
from telegram import Bot, Update

from bot import webhook
from bot.metrics import Metrics
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness

SECRET = "s" * 64
HEAD = f"POST /telegram HTTP/1.1\r\nHost: x\r\n{webhook.SECRET_HEADER}: {SECRET}\r\n"
UPDATE = {"update_id": 7, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}}}


@dataclass
class Front:
    """A server, as somebody outside sees it; what it has taken; and whether it says that all is well."""

    http: httpx.AsyncClient
    queue: asyncio.Queue[object] = field(default_factory=asyncio.Queue)
    is_well: bool = True
    now: float = 0.0
    metrics: Metrics = field(default_factory=Metrics)
    liveness: Liveness = field(init=False)

    def __post_init__(self) -> None:
        self.liveness = Liveness(10.0, 30.0, lambda: self.now)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.http.base_url.host, self.http.base_url.port)

    async def push(self, content: object, headers: Mapping[str, str] | Mapping[bytes, bytes]) -> int:
        if isinstance(content, bytes):
            response = await self.http.post(webhook.PATH, content=content, headers=headers)
        else:
            response = await self.http.post(webhook.PATH, json=content, headers=headers)
        return response.status_code


@pytest.fixture
async def front() -> AsyncIterator[Front]:
    async with httpx.AsyncClient() as http:
        it = Front(http)
        intake = Intake(Bot("1:x"), it.queue, it.metrics)
        server = webhook.serve(
            intake,
            it.liveness,
            it.metrics,
            SECRET,
            "127.0.0.1",
            0,
            lambda: it.is_well,
            header_seconds=0.3,
            body_seconds=0.3,
        )
        (listening,) = server._sockets.values()
        http.base_url = httpx.URL(f"http://127.0.0.1:{listening.getsockname()[1]}")
        yield it
        server.stop()
        await server.close_all_connections()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {webhook.SECRET_HEADER: ""},
        {webhook.SECRET_HEADER: SECRET[:-1]},
        {webhook.SECRET_HEADER: SECRET + "s"},
        {webhook.SECRET_HEADER: "é" * 32},
        {"Authorization": SECRET},
    ],
    ids=["missing", "empty", "too short", "too long", "strange", "elsewhere"],
)
async def test_without_the_secret_nothing_is_taken(front: Front, headers: dict[str, str]) -> None:
    raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    assert await front.push(UPDATE, raw) == 403
    assert front.queue.empty()


async def test_with_the_secret_an_update_is_taken(front: Front) -> None:
    assert await front.push(UPDATE, {webhook.SECRET_HEADER: SECRET}) == 200
    update = front.queue.get_nowait()
    assert isinstance(update, Update)
    assert update.update_id == 7


@pytest.mark.parametrize(
    "content", [b"", b"\xff\x00", b"[]", b"7", b"null", b'{"message": 3}', b'{"update_id": ']
)
async def test_what_is_no_update_is_refused_and_does_no_harm(front: Front, content: bytes) -> None:
    assert await front.push(content, {webhook.SECRET_HEADER: SECRET}) == 400
    assert front.queue.empty()
    assert await front.push(UPDATE, {webhook.SECRET_HEADER: SECRET}) == 200


async def test_what_is_too_large_is_not_read(front: Front) -> None:
    content = b" " * (webhook.LARGEST_BODY + 1)
    try:
        status = await front.push(content, {webhook.SECRET_HEADER: SECRET})
    except httpx.TransportError:  # the server has hung up while it was being sent
        status = 413
    assert status in (400, 413)
    assert front.queue.empty()


async def test_health_is_told_to_whoever_asks(front: Front) -> None:
    answer = await front.http.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "updates_age_seconds": 0.0})
    front.is_well = False
    answer = await front.http.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"ok": False, "updates_age_seconds": 0.0})


async def test_the_bot_is_not_well_when_no_updates_have_arrived_for_long(front: Front) -> None:
    front.now += 31.0
    answer = await front.http.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"ok": False, "updates_age_seconds": 31.0})
    assert await front.push(UPDATE, {webhook.SECRET_HEADER: SECRET}) == 200
    assert (await front.http.get("/health")).status_code == 200


async def test_an_update_that_cannot_be_read_is_accepted_and_passed_over(
    front: Front, caplog: pytest.LogCaptureFixture
) -> None:
    unreadable = {"update_id": 8, "message": {"message_id": 1, "text": "a secret word"}}
    assert await front.push(unreadable, {webhook.SECRET_HEADER: SECRET}) == 200
    assert front.queue.empty()
    (told,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "update 8 cannot be read" in told.getMessage()
    assert json.loads(told.update) == {  # type: ignore[attr-defined]
        "update_id": "int",
        "message": {"message_id": "int", "text": "str"},
    }
    assert await front.push(UPDATE, {webhook.SECRET_HEADER: SECRET}) == 200
    metrics = (await front.http.get("/metrics")).text
    assert "bot_unreadable_updates_total 1.0" in metrics
    assert "bot_updates_total 1.0" in metrics


async def test_without_the_secret_the_body_is_not_waited_for(front: Front) -> None:
    """Headers that announce a body, and not a byte of it: the refusal comes at once."""
    reader, writer = await front.connect()
    writer.write(b"POST /telegram HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
    assert (await reader.readline()).split()[1] == b"403"
    await reader.read()  # and the connection is closed
    writer.close()


@pytest.mark.parametrize(
    "begun",
    [b"", b"POST /telegram HTTP/1.1\r\nHost:", f"{HEAD}Content-Length: 1000\r\n\r\nx".encode()],
    ids=["nothing", "half of the headers", "half of the body"],
)
async def test_requests_that_are_never_finished_do_not_live_on(front: Front, begun: bytes) -> None:
    connections = [await front.connect() for _ in range(300)]
    for _reader, writer in connections:
        writer.write(begun)
    async with asyncio.timeout(60):
        for reader, writer in connections:
            assert await reader.read() == b""
            writer.close()
    assert front.queue.empty()


async def test_there_is_nothing_else(front: Front) -> None:
    for method, path in (("GET", webhook.PATH), ("GET", "/"), ("POST", "/health"), ("POST", "/telegram/x")):
        answer = await front.http.request(method, path, headers={webhook.SECRET_HEADER: SECRET})
        assert answer.status_code in (404, 405), (method, path)
    assert front.queue.empty()
