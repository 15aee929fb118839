"""How calls reach Telegram: connections that are made anew when they are lost, answers of Telegram's alone.

Whatever stands between the bot and Telegram (a proxy, a captive portal, a filter) may answer in its place.
Its status is not believed: what does not have the form of a Bot API answer
(https://core.telegram.org/bots/api#making-requests) is a call that was not answered.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

import httpx
from telegram.error import NetworkError, TelegramError, TimedOut
from telegram.request import BaseRequest, HTTPXRequest, RequestData

from bot.bounded_json import parse

log = logging.getLogger(__name__)

CALL_SECONDS = 5.0
"""How long a call may take to connect, to be sent, and to be answered. Its chat waits for it: calls that hang
are given up soon, and whoever made them sees what follows from that."""
CLOSING_SECONDS = 5.0
"""How long connections may take to be closed."""


class NotTelegram(NetworkError):
    """The answer does not come from Telegram: whether the call was carried out is not known."""


Connect: TypeAlias = Callable[[int, int, bool], Callable[[], BaseRequest]]
"""Takes `at_once`, `kept_open` and `trust_env` (see `Transport`); returns what opens such connections."""


def httpx_connections(at_once: int, kept_open: int, trust_env: bool) -> Callable[[], BaseRequest]:
    """The library's connections."""
    kwargs: dict[str, Any] = {
        "limits": httpx.Limits(max_connections=at_once, max_keepalive_connections=kept_open),
        "verify": httpx.create_ssl_context(trust_env=trust_env),  # once: it reads all certificates
        "trust_env": trust_env,
    }
    return lambda: HTTPXRequest(
        connect_timeout=CALL_SECONDS,
        write_timeout=CALL_SECONDS,
        media_write_timeout=CALL_SECONDS,
        read_timeout=CALL_SECONDS,
        pool_timeout=CALL_SECONDS,
        httpx_kwargs=kwargs,
    )


class Transport(BaseRequest):
    """The library's connections, `at_once` at most, of which `kept_open` wait for the next call.

    A connection can be lost without being closed, for instance when a proxy accepts it and the handshake
    through it times out (httpcore counts it as in use for ever). When no connection can be had though there
    should be one, all are made anew; calls under way end on the old ones. `trust_env`: whether the
    environment's proxies and certificates are used.
    """

    def __init__(
        self,
        at_once: int,
        kept_open: int,
        *,
        trust_env: bool = True,
        connect: Connect = httpx_connections,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once = at_once
        self._now = now
        self._connect = connect(at_once, kept_open, trust_env)
        self._connections = self._connect()
        self._under_way = 0
        self._closing: set[asyncio.Task[None]] = set()
        self.answered_at: float | None = None
        """When Telegram last answered, by `now`."""
        self.renewals = 0
        """How often the connections were made anew."""

    @property
    def read_timeout(self) -> float | None:
        """Seconds."""
        return self._connections.read_timeout

    async def initialize(self) -> None:
        """Make it ready for calls."""
        await self._connections.initialize()

    async def shutdown(self) -> None:
        """Close all connections, those of before too."""
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        await self._connections.shutdown()

    def renew(self) -> None:
        """Use new connections from now on; the old ones are closed when the calls on them must have ended."""
        old, self._connections = self._connections, self._connect()
        task = asyncio.create_task(self._close(old), name="closing connections")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        self.renewals += 1

    async def _close(self, old: BaseRequest) -> None:
        try:
            if self._under_way:
                await asyncio.sleep(_longest(CALL_SECONDS))
        finally:
            with suppress(TimeoutError, httpx.HTTPError, OSError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await old.shutdown()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Make one call: status and body of Telegram's answer. Raises NetworkError if there is none."""
        began = self._now()
        self._under_way += 1
        try:
            # The library's limits are for each step: an answer that comes byte by byte would take for ever.
            async with asyncio.timeout(_longest(_seconds(read_timeout))):
                status, body = await self._connections.do_request(
                    url, method, request_data, read_timeout, write_timeout, connect_timeout, pool_timeout
                )
        except TimedOut as error:
            if isinstance(error.__cause__, httpx.PoolTimeout) and self._has_lost_connections(began):
                log.warning("no connection to Telegram can be had: all are made anew")
                self.renew()
            raise
        except TimeoutError as error:
            raise TimedOut from error
        finally:
            self._under_way -= 1
        if method == "POST":
            status = _status_of_answer(status, body)
        self.answered_at = self._now()
        return status, body

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Called by the library with each body. Raises TelegramError if it is no JSON."""
        try:
            answer: dict[str, Any] = parse(payload)
        except ValueError as error:
            raise TelegramError("Invalid server response") from error
        return answer

    def _has_lost_connections(self, began: float) -> bool:
        """A call that began then has waited in vain: is that because connections are lost?

        So it is where fewer calls are under way than there are connections, or none was answered meanwhile.
        """
        is_quiet = self.answered_at is None or self.answered_at < began
        return is_quiet or self._under_way <= self._at_once


def _seconds(timeout: Any) -> float:
    return float(timeout) if isinstance(timeout, int | float) else CALL_SECONDS


def _longest(read_seconds: float) -> float:
    """How long a call may take in all: to get a connection, to connect, to be sent, and to be answered."""
    return 3 * CALL_SECONDS + read_seconds


def _status_of_answer(status: int, body: bytes) -> int:
    """The status that Telegram gives in its answer. Raises NotTelegram if the answer is not Telegram's."""
    try:
        answer = parse(body)
    except ValueError:
        answer = None
    match answer:
        case {"ok": True, "result": _} if 200 <= status < 300:
            return status
        case {"ok": False, "error_code": int(code), "description": str()} if code >= 400:
            return code
    raise NotTelegram(f"the answer is not Telegram's (status {status}, {len(body)} bytes)")
