"""Calls: only Telegram's own answers count, and lost connections are replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from telegram import Bot
from telegram.error import (
    BadRequest,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot import transport
from bot.messages.gateway import MessageGateway, Unanswered
from bot.messages.photos import Photos
from bot.screens.screen import Screen
from bot.storage import Storage
from bot.storage.database import Database
from bot.transport import NotTelegram, Transport
from sandbox import state
from sandbox.server import Server
from tests.bot.scripted_telegram import Script, ok, refusal
from tests.faults.network import CERTIFICATE, Network
from tests.patience import PATIENCE

HTML = "<html>blocked</html>"


@pytest.fixture
async def script() -> AsyncIterator[Script]:
    async with Script.served() as it:
        yield it


async def called(script: Script, answer: tuple[int, Any]) -> TelegramError | None:
    """Return how a call ends that gets this answer; None: well."""
    script.answers["deleteMessage"] = [answer]
    calls = Transport(1, 1)
    try:
        await Bot("1:x", base_url=script.base_url, request=calls).delete_message(5, 7)
    except TelegramError as error:
        return error
    finally:
        await calls.shutdown()
    return None


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 409, 429, 500, 502, 599])
@pytest.mark.parametrize(
    "body",
    [
        HTML,
        "",
        "[]",
        "null",
        '{"error": "blocked"}',
        '{"ok": false}',
        '{"ok": false, "error_code": "403", "description": "x"}',
        '{"ok": true}',
    ],
)
async def test_what_is_not_in_telegrams_form_is_no_answer_whatever_its_status(
    script: Script, status: int, body: str
) -> None:
    assert isinstance(await called(script, (status, body)), NotTelegram)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (refusal(400, "Bad Request: chat not found"), BadRequest),
        (refusal(401, "Unauthorized"), InvalidToken),
        (refusal(403, "Forbidden: bot was blocked by the user"), Forbidden),
        (refusal(404, "Not Found"), InvalidToken),
        (refusal(502, "Bad Gateway"), NetworkError),
        ((200, refusal(403, "Forbidden: bot was kicked")[1]), Forbidden),
    ],
)
async def test_what_telegram_says_is_believed(
    script: Script, answer: tuple[int, Any], kind: type[TelegramError]
) -> None:
    assert type(await called(script, answer)) is kind


async def test_telegrams_flood_limit_and_success_are_believed(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")  # else the library warns of what it will do one day
    limit = refusal(429, "Too Many Requests: retry after 3", retry_after=3)
    assert isinstance(await called(script, limit), RetryAfter)
    assert await called(script, (200, ok(True))) is None


@pytest.mark.parametrize("answer", [(403, HTML), (401, HTML), (429, HTML), refusal(401, "Unauthorized")])
async def test_a_screen_whose_call_was_answered_by_somebody_else_is_sent_again(
    script: Script, tmp_path: Path, answer: tuple[int, Any]
) -> None:
    """So is one whose call met a token that is refused for a moment."""
    script.answers["sendMessage"] = [answer]
    database = await Database.open(tmp_path / "101.sqlite3")
    calls = Transport(1, 1)
    try:
        gateway = MessageGateway(
            Bot("1:x", base_url=script.base_url, request=calls), Photos(Storage(database).photos, lambda: 0)
        )
        with pytest.raises(Unanswered):
            await gateway.send(5, 0, Screen("hello"), silent=True)
    finally:
        await calls.shutdown()
        await database.close()


async def test_connections_that_are_lost_in_their_handshake_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy opens tunnels that carry nothing: each call takes a connection with it, to the last."""
    monkeypatch.setattr(transport, "CALL_SECONDS", 0.5)
    server = Server(state.build(token=state.new_token()))
    server.start(0)
    async with Network.between(server, tmp_path) as network:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{network.port}")
        calls = Transport(2, 2)
        bot = Bot(server.sandbox.world.bot.token, base_url="https://telegram.test/bot", request=calls)
        await network.begin("half-open")
        for _ in range(2):
            with pytest.raises(TimedOut):
                await bot.get_me()
        await network.heal()
        with pytest.raises(TimedOut):  # what waits for a connection in vain has new ones made
            await bot.get_me()
        monkeypatch.setattr(transport, "CALL_SECONDS", PATIENCE)
        assert (await bot.get_me()).is_bot
        assert calls.renewals == 1
        await calls.shutdown()
    await server.stop()


async def test_an_answer_that_comes_byte_by_byte_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "CALL_SECONDS", 0.2)
    ended = asyncio.Event()

    async def dribble(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b" ")
            await asyncio.sleep(0.05)
        ended.set()

    server = await asyncio.start_server(dribble, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/bot"
    calls = Transport(1, 1)
    bot = Bot("1:x", base_url=url, request=calls)
    with pytest.raises(TimedOut):
        await asyncio.wait_for(bot.get_me(read_timeout=2.0), PATIENCE)
    await calls.shutdown()
    await asyncio.wait_for(ended.wait(), PATIENCE)
    server.close()
