"""Sends unexpected errors to the owner in private, at most one message an hour for each kind."""

from __future__ import annotations

import asyncio
import html
import logging
import time
from collections.abc import Callable

from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind
from bot.messages.outbox import Outbox
from bot.screens.screen import Screen

SILENCE_SECONDS = 3600.0
LONGEST = 3000
"""The most characters of a report; Telegram allows 4096 in a message."""


class Alerts(logging.Handler):
    """A logging handler that queues reports for the owner, which `run` sends as private messages.

    Failures of sending are only logged, and not reported in turn.
    """

    def __init__(self, owner_id: int, outbox: Outbox, now: Callable[[], float] = time.time) -> None:
        super().__init__(logging.ERROR)
        self._owner_id = owner_id
        self._outbox = outbox
        self._now = now
        self._last: dict[tuple[str, str, str], float] = {}
        self._reports: asyncio.Queue[str] = asyncio.Queue(maxsize=100)

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a report of this error, unless there was one of its kind within the last hour."""
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        kind = (record.name, str(record.msg), error)
        now = self._now()
        if record.name == __name__ or now - self._last.get(kind, -SILENCE_SECONDS) < SILENCE_SECONDS:
            return
        self._last[kind] = now
        if not self._reports.full():
            self._reports.put_nowait(self.format(record))

    async def run(self) -> None:
        """Send reports until cancelled."""
        while True:
            report = await self._reports.get()
            text = (
                report
                if len(report) <= LONGEST
                else f"{report[: LONGEST // 2]}\n…\n{report[-LONGEST // 2 :]}"
            )
            try:
                await self._outbox.say(
                    self._owner_id,
                    0,
                    Screen(f"<pre>{html.escape(text)}</pre>"),
                    kind=Kind.ALERT,
                    silent=False,
                )
            except CallFailed as failure:
                logging.getLogger(__name__).warning("the owner could not be told: %s", failure)
