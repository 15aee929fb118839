"""The server that updates are pushed to: the secret, what is no update, and whether the bot is well."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import httpx
import pytest
from telegram import Bot, Update

from bot import webhook

SECRET = "s" * 64
UPDATE = {"update_id": 7, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}}}


@dataclass
class Front:
    """A server, as somebody outside sees it; what it has taken; and whether it says that all is well."""

    http: httpx.AsyncClient
    queue: asyncio.Queue[object] = field(default_factory=asyncio.Queue)
    is_well: bool = True

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
        server = webhook.serve(Bot("1:x"), it.queue, SECRET, "127.0.0.1", 0, lambda: it.is_well)
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
    assert (answer.status_code, answer.json()) == (200, {"ok": True})
    front.is_well = False
    answer = await front.http.get("/health")
    assert (answer.status_code, answer.json()) == (503, {"ok": False})


async def test_there_is_nothing_else(front: Front) -> None:
    for method, path in (("GET", webhook.PATH), ("GET", "/"), ("POST", "/health"), ("POST", "/telegram/x")):
        answer = await front.http.request(method, path, headers={webhook.SECRET_HEADER: SECRET})
        assert answer.status_code in (404, 405), (method, path)
    assert front.queue.empty()
