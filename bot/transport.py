"""The HTTP transport to Telegram: it replaces lost connections and accepts only Telegram's own answers.

Something between the bot and Telegram (a proxy, a captive portal, a filter) may answer in Telegram's place.
An answer without the format of the Bot API (https://core.telegram.org/bots/api#making-requests) is treated as
no answer, whatever its status.
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
"""The time limit for each step of a call: connecting, sending, waiting for the answer. It is short because
other calls to the same chat wait; the caller decides what to do after a timeout."""
CLOSING_SECONDS = 5.0
"""The time limit for closing connections."""


class NotTelegram(NetworkError):
    """The answer does not come from Telegram, so it is unknown whether the call was carried out."""


Connect: TypeAlias = Callable[[int, int, bool], Callable[[], BaseRequest]]
"""Takes `at_once`, `kept_open` and `trust_env` (see `Transport`); returns a factory of such connections."""


def httpx_connections(at_once: int, kept_open: int, trust_env: bool) -> Callable[[], BaseRequest]:
    """Return a factory of the library's connections."""
    kwargs: dict[str, Any] = {
        "limits": httpx.Limits(max_connections=at_once, max_keepalive_connections=kept_open),
        "verify": httpx.create_ssl_context(trust_env=trust_env),  # only once, since it reads all certificates
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
    """A pool of at most `at_once` connections, of which up to `kept_open` stay open while idle.

    A connection can be lost without being closed, for instance when a proxy accepts it but the handshake
    through it times out: httpcore counts it as in use for ever. If no connection is available though there
    should be one, the pool is replaced; calls under way finish on the old one. `trust_env`: whether to use
    the environment's proxies and certificates.
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
        """The time of Telegram's last answer, by `now`."""
        self.renewals = 0
        """The number of times that the pool was replaced."""

    @property
    def read_timeout(self) -> float | None:
        """The time limit for an answer in seconds."""
        return self._connections.read_timeout

    async def initialize(self) -> None:
        """Initialize the pool."""
        await self._connections.initialize()

    async def shutdown(self) -> None:
        """Close all connections, including those of replaced pools."""
        for task in self._closing:
            task.cancel()
        await asyncio.gather(*self._closing, return_exceptions=True)
        await self._connections.shutdown()

    def renew(self) -> None:
        """Replace the pool; the old one is closed once the calls on it must have ended."""
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
        """Make one call; return the status and body of Telegram's answer. Raises NetworkError without one."""
        began = self._now()
        self._under_way += 1
        try:
            # The library's limits are for each step, so an answer sent byte by byte could take for ever.
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
        """Whether a call that began then got no connection because connections were lost.

        This is so if fewer calls are under way than there are connections, or if none was answered meanwhile.
        """
        is_quiet = self.answered_at is None or self.answered_at < began
        return is_quiet or self._under_way <= self._at_once


def _seconds(timeout: Any) -> float:
    return float(timeout) if isinstance(timeout, int | float) else CALL_SECONDS


def _longest(read_seconds: float) -> float:
    """The total time limit of a call: getting a connection, connecting, sending, waiting for the answer."""
    return 3 * CALL_SECONDS + read_seconds


def _status_of_answer(status: int, body: bytes) -> int:
    """Return the status in Telegram's answer. Raises NotTelegram if the answer is not Telegram's."""
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
