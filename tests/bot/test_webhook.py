"""The webhook's server: the secret, malformed updates, and health."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import httpx
import pytest
from telegram import Bot, Update

from bot import lingering_close, webhook
from bot.metrics import Metrics
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness
from tests.connections import Connection, connected
from tests.patience import PATIENCE

SECRET = "s" * 64
HEAD = f"POST /telegram HTTP/1.1\r\nHost: x\r\n{webhook.SECRET_HEADER}: {SECRET}\r\n"
WITHOUT_SECRET = b"POST /telegram HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
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

    def connected(self) -> AbstractAsyncContextManager[Connection]:
        port = self.http.base_url.port
        assert port is not None
        return connected(self.http.base_url.host, port)

    async def push(self, content: object, headers: Mapping[str, str] | Mapping[bytes, bytes]) -> int:
        if isinstance(content, bytes):
            response = await self.http.post(webhook.PATH, content=content, headers=headers)
        else:
            response = await self.http.post(webhook.PATH, json=content, headers=headers)
        return response.status_code


@asynccontextmanager
async def serving(
    *, header_seconds: float = PATIENCE, body_seconds: float = PATIENCE
) -> AsyncIterator[Front]:
    async with httpx.AsyncClient(timeout=PATIENCE) as http:
        it = Front(http)
        server = webhook.serve(
            Intake(Bot("1:x"), it.queue, it.metrics),
            it.liveness,
            it.metrics,
            SECRET,
            "127.0.0.1",
            0,
            lambda: it.is_well,
            header_seconds=header_seconds,
            body_seconds=body_seconds,
        )
        (listening,) = server._sockets.values()
        http.base_url = httpx.URL(f"http://127.0.0.1:{listening.getsockname()[1]}")
        try:
            yield it
        finally:
            server.stop()
            await server.close_all_connections()


@pytest.fixture
async def front() -> AsyncIterator[Front]:
    """A server that nobody is too slow for."""
    async with serving() as it:
        yield it


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


async def test_an_update_that_is_nested_too_deep_is_accepted_and_passed_over(front: Front) -> None:
    content = b'{"update_id": 8, "message": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert await front.push(content, {webhook.SECRET_HEADER: SECRET}) == 200
    assert front.queue.empty()


async def test_what_is_too_large_is_not_taken(front: Front) -> None:
    content = b" " * (webhook.LARGEST_BODY + 1)
    assert await front.push(content, {webhook.SECRET_HEADER: SECRET}) == 400
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
    async with front.connected() as connection:
        connection.writer.write(WITHOUT_SECRET)
        assert await connection.status() == 403
        await connection.rest()


async def test_who_has_been_refused_may_still_send_the_body(front: Front) -> None:
    """A connection that was reset instead would take the answer with it, if nobody had read it yet."""
    async with front.connected() as connection:
        connection.writer.write(WITHOUT_SECRET)
        assert await connection.status() == 403
        await connection.rest()
        for _ in range(10):
            connection.writer.write(bytes(100))
            await connection.writer.drain()


async def test_no_request_follows_a_refusal_on_its_connection(front: Front) -> None:
    response = await front.http.post(webhook.PATH, json=UPDATE)
    assert (response.status_code, response.headers["Connection"]) == (403, "close")


async def test_who_sends_on_after_a_refusal_is_cut_off_after_some_time() -> None:
    async with serving(body_seconds=0.2) as front, front.connected() as connection:
        connection.writer.write(WITHOUT_SECRET)
        await connection.rest()
        await connection.write_until_reset()


async def test_who_sends_on_after_a_refusal_is_cut_off_after_some_megabytes(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lingering_close, "LINGER_BYTES", 1_000_000)
    async with front.connected() as connection:
        connection.writer.write(WITHOUT_SECRET)
        await connection.rest()
        await connection.write_until_reset()


@pytest.mark.parametrize(
    "begun",
    [b"", b"POST /telegram HTTP/1.1\r\nHost:", f"{HEAD}Content-Length: 1000\r\n\r\nx".encode()],
    ids=["nothing", "half of the headers", "half of the body"],
)
async def test_requests_that_are_never_finished_do_not_live_on(begun: bytes) -> None:
    async with serving(header_seconds=0.3, body_seconds=0.3) as front, AsyncExitStack() as stack:
        connections = [await stack.enter_async_context(front.connected()) for _ in range(300)]
        for connection in connections:
            connection.writer.write(begun)
        for connection in connections:
            assert await connection.rest() == b""
        assert front.queue.empty()


async def test_there_is_nothing_else(front: Front) -> None:
    for method, path in (("GET", webhook.PATH), ("GET", "/"), ("POST", "/health"), ("POST", "/telegram/x")):
        answer = await front.http.request(method, path, headers={webhook.SECRET_HEADER: SECRET})
        assert answer.status_code in (404, 405), (method, path)
    assert front.queue.empty()
