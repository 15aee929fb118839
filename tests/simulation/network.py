"""The network between a simulated bot and the sandbox: calls go to its methods, with delays and losses.

It takes the place of the library's connections (`telegram.request.BaseRequest`), so what the
bot makes of slow and lost answers is all its own.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

from bot.transport import CALL_SECONDS
from sandbox.api import AnswerLost, answer
from sandbox.parameters import Upload
from sandbox.state import Sandbox
from tests.simulation.loop import PROCESS, Process

Place: TypeAlias = tuple[int, int]
"""Where a message is: its chat and its id."""
YOUNG_SECONDS = 20.0
"""A message that was heard of so short a time before a kill may not have been written down."""
Answered: TypeAlias = "asyncio.Future[tuple[int, bytes]]"
"""Status and body of an answer."""
LATENCY_SECONDS = 0.03, 0.09
"""Each way, with nothing wrong."""


@dataclass
class Weather:
    """How likely it is that a call does not get through, and by how many seconds one is delayed at most."""

    refused: float = 0.0
    """No connection can be had."""
    lost: float = 0.0
    """The call, or its answer, does not arrive; each with half of this."""
    repeated: float = 0.0
    """The call arrives twice."""
    delay: float = 0.0


class Network:
    """Carries the calls of one process after another. `trace` is told of each."""

    def __init__(self, sandbox: Sandbox, chance: Random, trace: Callable[[str], None]) -> None:
        self.sandbox = sandbox
        self.weather = Weather()
        self._chance = chance
        self._trace = trace
        self._world = contextvars.copy_context()
        self._polls: dict[Process, set[asyncio.Task[Any]]] = {}
        self.unheard: set[Place] = set()
        """Messages that were sent, and of which no process can have written down that they were."""
        self._heard: dict[Place, float] = {}

    def connect(self, _at_once: int, _kept_open: int, _trust_env: bool) -> Callable[[], BaseRequest]:
        """As `bot.transport.Connect`."""
        process = PROCESS.get()
        assert process is not None
        return lambda: SimulatedRequest(self, process)

    async def exchange(
        self, process: Process, url: str, data: RequestData | None, patience: float
    ) -> tuple[int, bytes]:
        """Make a call and wait for its answer. Raises NetworkError."""
        process.step()
        if not process.is_alive:
            await asyncio.get_running_loop().create_future()
        if self._chance.random() < self.weather.refused:
            raise NetworkError("httpx.ConnectError: simulated")
        answered: Answered = asyncio.get_running_loop().create_future()
        loop = asyncio.get_running_loop()
        copies = 2 if self._chance.random() < self.weather.repeated else 1
        for _ in range(copies):
            work = loop.create_task(self._carry(process, answered, url, data), context=self._world.copy())
            if url.partition("?")[0].endswith("/getUpdates"):
                polls = self._polls.setdefault(process, set())
                polls.add(work)
                work.add_done_callback(polls.discard)
        try:
            async with asyncio.timeout(patience):
                status, body = await answered
        except TimeoutError:
            raise TimedOut from None
        process.step()
        if not process.is_alive:
            await loop.create_future()
        if (place := _sent(url, body)) is not None:
            self.unheard.discard(place)
            self._heard[place] = loop.time()
        return status, body

    def hang_up(self, process: Process) -> None:
        """The process has ended: Telegram does not hold its request for updates open any more."""
        for poll in self._polls.pop(process, ()):
            poll.cancel()
        since = asyncio.get_running_loop().time() - YOUNG_SECONDS
        self.unheard |= {place for place, at in self._heard.items() if at > since}
        self._heard.clear()

    async def _carry(
        self,
        process: Process,
        answered: Answered,
        url: str,
        data: RequestData | None,
    ) -> None:
        """Bring a call to the sandbox, and its answer back, unless it is lost."""
        await asyncio.sleep(self._latency())
        if self._chance.random() < self.weather.lost / 2:
            return
        parts = urlsplit(url)
        token, name = parts.path.removeprefix("/bot").split("/")
        raw: dict[str, Any] = dict(parse_qsl(parts.query)) | ({} if data is None else data.json_parameters)
        files = {} if data is None else _files(data)
        try:
            status, body = await answer(self.sandbox, token, name, lambda: (raw, files))
        except AnswerLost:
            return
        text = json.dumps(body, ensure_ascii=False)
        if (place := _sent(url, text)) is not None:
            self.unheard.add(place)
        self._trace(f"{process.name} {name} {json.dumps(raw, ensure_ascii=False)} -> {status} {text}")
        await asyncio.sleep(self._latency())
        if self._chance.random() >= self.weather.lost / 2 and not answered.done():
            answered.set_result((status, text.encode()))

    def _latency(self) -> float:
        return self._chance.uniform(*LATENCY_SECONDS) + self._chance.uniform(0, self.weather.delay)


class SimulatedRequest(BaseRequest):
    """The connections of a simulated process."""

    def __init__(self, network: Network, process: Process) -> None:
        self._network = network
        self._process = process

    @property
    def read_timeout(self) -> float | None:
        """Seconds."""
        return CALL_SECONDS

    async def initialize(self) -> None:
        """Nothing is connected."""

    async def shutdown(self) -> None:
        """Nothing is to be closed."""

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
        """One call. Raises NetworkError."""
        del method, write_timeout, connect_timeout, pool_timeout
        patience = read_timeout if isinstance(read_timeout, int | float) else CALL_SECONDS
        return await self._network.exchange(self._process, url, request_data, patience)


def _sent(url: str, body: str | bytes) -> Place | None:
    """Where the message is that this call has sent, if it has."""
    if "/send" not in url:
        return None
    match json.loads(body):
        case {"ok": True, "result": {"chat": {"id": int(chat)}, "message_id": int(message_id)}}:
            return chat, message_id
    return None


def _files(data: RequestData) -> dict[str, Upload]:
    """What is attached. The library has a name, the content and a type for each."""
    if not data.contains_files:
        return {}
    files = {}
    for name, (filename, content, mime_type) in (data.multipart_data or {}).items():
        assert isinstance(content, bytes), "the bot uploads no open files"
        files[name] = Upload(filename, mime_type, content)
    return files
