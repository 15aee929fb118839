"""A worker process: reads requests from standard input, writes responses to standard output.

    python -m bot.computers.worker

`worker_pool` starts it. It imports only the engine and `ipc`, gets only what a player sees, and exits when
its input closes, that is, when the bot has ended for whatever reason. It ignores signals.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from random import Random
from typing import Final

from bot.computers.ipc import HEAD_BYTES, ThinkRequest, ThinkResponse, frame, length_of, request_in
from engine.players import choose

NICENESS: Final = 10
"""Presses take precedence over thinking."""


class _Ended(Exception):
    """The input is closed."""


def main() -> None:
    """Answer requests until the input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICENESS)
    source, sink = sys.stdin.fileno(), sys.stdout.fileno()
    try:
        while True:
            length = length_of(_read(source, HEAD_BYTES))
            if length:
                _write(sink, frame(_answer(request_in(_read(source, length)), source)))
    except (_Ended, BrokenPipeError):
        pass


def _answer(question: ThinkRequest, source: int) -> ThinkResponse:
    """Choose a move. A search stops when its time is up, or when a new frame arrives."""
    end = time.monotonic() + question.seconds

    def keep_going() -> bool:
        return time.monotonic() < end and not select.select([source], [], [], 0)[0]

    try:
        chance = Random(question.seed)  # noqa: S311 - the seed comes from the tables' entropy
        return ThinkResponse(choose(question.level, question.view, chance, keep_going))
    except Exception as error:  # noqa: BLE001 - it is told to the bot, which logs it; a trace could show a hand
        return ThinkResponse(None, type(error).__name__)


def _read(source: int, count: int) -> bytes:
    """Read so many bytes. Raises _Ended."""
    found = b""
    while len(found) < count:
        more = os.read(source, count - len(found))
        if not more:
            raise _Ended
        found += more
    return found


def _write(sink: int, content: bytes) -> None:
    while content:
        content = content[os.write(sink, content) :]


if __name__ == "__main__":
    main()
