"""What has happened in a simulation, line by line: the same seed gives the same lines."""

from __future__ import annotations

import hashlib
import logging
from collections import deque
from collections.abc import Callable
from typing import TextIO

from tests.simulation.loop import PROCESS

KEPT_LINES = 2_000
"""The newest lines, to be shown when something goes wrong."""


class Trace(logging.Handler):
    """Takes lines, and what the bot logs. `now` gives virtual seconds; all lines go to `file`."""

    def __init__(self, now: Callable[[], float], file: TextIO | None = None) -> None:
        super().__init__(logging.INFO)
        self._now = now
        self._file = file
        self._hash = hashlib.sha256()
        self.count = 0
        self.newest: deque[str] = deque(maxlen=KEPT_LINES)
        self.faults: list[str] = []
        """What the bot has logged as errors."""

    @property
    def digest(self) -> str:
        """The same for the same lines."""
        return self._hash.hexdigest()

    def add(self, text: str) -> None:
        """Something has happened."""
        line = f"{self._now():.6f} {text}\n"
        self._hash.update(line.encode())
        self.count += 1
        self.newest.append(line)
        if self._file is not None:
            self._file.write(line)

    def emit(self, record: logging.LogRecord) -> None:
        """What a living process logs, or the world."""
        process = PROCESS.get()
        if process is not None and not process.is_alive:
            return
        text = f"{record.levelname} {record.name}: {record.getMessage()}"
        self.add(f"{'' if process is None else process.name} {text}")
        if record.levelno >= logging.ERROR:
            self.faults.append(self.format(record))
