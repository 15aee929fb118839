"""The pool of worker processes, one for each spare processor; requests never block the event loop.

Workers start when first needed, and are replaced when they end. A cancelled request frees its worker at once.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Final, Protocol

from bot.computers.ipc import (
    HEAD_BYTES,
    NO_LONGER_WANTED,
    ThinkRequest,
    ThinkResponse,
    frame,
    length_of,
    response_in,
)
from engine import TurnMove, View
from engine.players import Level

SEARCH_SECONDS: Final = 0.5
"""Time for a search while every request has its own process."""
LEAST_SECONDS: Final = 0.05
"""Least time for a search, however many run at once."""
ANSWER_SECONDS: Final = 30.0
"""A worker that exceeds its time by this much is killed; workers yield to everything else on the machine."""
MOST_PROCESSES: Final = 4

_COMMAND: Final = (sys.executable, "-m", "bot.computers.worker")
_SECRETS: Final = ("BOT_TOKEN",)
"""Environment variables that workers must not get."""


class ThoughtFailed(Exception):
    """There is no move: the process ended, did not respond, or its player failed."""


class Thinker(Protocol):
    """Chooses the moves of computer players."""

    async def choose(self, level: Level, view: View, seed: int) -> TurnMove:
        """Return the move of a computer player of this level. Raises ThoughtFailed."""
        ...

    async def close(self) -> None:
        """Choose no more."""


class WorkerPool:
    """A pool of at most `count` workers; by default one processor is left to the bot."""

    def __init__(self, count: int | None = None) -> None:
        count = count or max(1, min(MOST_PROCESSES, (os.cpu_count() or 2) - 1))
        self._workers = tuple(_Worker() for _ in range(count))
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._wanted = 0

    async def choose(self, level: Level, view: View, seed: int) -> TurnMove:
        """Return the move of a computer player of this level. Raises ThoughtFailed."""
        self._wanted += 1
        try:
            worker = await self._idle.get()
        except asyncio.CancelledError:
            self._wanted -= 1
            raise
        work = asyncio.create_task(self._ask(worker, ThinkRequest(level, view, seed, self._seconds())))
        try:
            answer = await asyncio.shield(work)
        except asyncio.CancelledError:
            if not work.done():
                worker.interrupt()
            raise
        if answer.move is None:
            raise ThoughtFailed(answer.fault)
        return answer.move

    async def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            await worker.close()

    def _seconds(self) -> float:
        """Return the time for a search: concurrent requests share the processes."""
        share = len(self._workers) / max(len(self._workers), self._wanted)
        return max(LEAST_SECONDS, SEARCH_SECONDS * share)

    async def _ask(self, worker: _Worker, question: ThinkRequest) -> ThinkResponse:
        try:
            return await worker.ask(question)
        finally:
            self._wanted -= 1
            self._idle.put_nowait(worker)


class _Worker:
    """One worker process, which handles one request at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, question: ThinkRequest) -> ThinkResponse:
        """Return its response; one without a move if there is none."""
        try:
            async with asyncio.timeout(question.seconds + ANSWER_SECONDS):
                source, sink = await self._pipes()
                sink.write(frame(question))
                await sink.drain()
                length = length_of(await source.readexactly(HEAD_BYTES))
                return response_in(await source.readexactly(length))
        except (OSError, EOFError, TimeoutError) as error:
            await self.close()
            return ThinkResponse(None, type(error).__name__)

    def interrupt(self) -> None:
        """Cancel the current request, so that the worker responds at once."""
        sink = None if self._process is None else self._process.stdin
        if sink is not None and not sink.is_closing():
            sink.write(NO_LONGER_WANTED)

    async def close(self) -> None:
        """End the process. A pending request sees the pipe close; nobody else may read from it."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()

    async def _pipes(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the pipes to and from the process, starting it if necessary."""
        if self._process is None or self._process.returncode is not None:
            await self.close()
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name not in _SECRETS},
            )
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None
        assert sink is not None
        return source, sink
