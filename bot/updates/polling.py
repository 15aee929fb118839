"""Polls Telegram for updates and recovers from failures.

This replaces the library's loop, which ends at a single 401, requests a batch with one unreadable update for
ever, and stays on a lost connection. Here, a request that takes too long is abandoned, and the next one uses
new connections. If Telegram refuses requests for about a minute, the process ends so that it can be
restarted.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from telegram import Bot
from telegram.error import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.metrics import Metrics
from bot.transport import CALL_SECONDS, Transport
from bot.updates.intake import Intake, update_id_of
from bot.updates.liveness import Liveness, UpdatesLost

log = logging.getLogger(__name__)

POLL_SECONDS = 3
"""The `timeout` of getUpdates, which is shorter when a deadline is near."""
ROUND_SECONDS = POLL_SECONDS + 2 * CALL_SECONDS
"""The total time a round may take, and so the delay until a lost request is noticed."""
EXPECTED_SECONDS = POLL_SECONDS + 3.0
"""A round completes within this time if nothing is wrong."""
LONGEST_SECONDS = 30.0
"""The bot is unhealthy after this time without a completed round."""
SHORTEST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 2.0
"""The bounds of the pause after an unanswered round, which doubles each time."""
REFUSED_PAUSE_SECONDS = 3.0
MOST_REFUSALS = 20
"""Consecutive refusals, about a minute's worth, after which the loop gives up."""
LONGEST_WAIT_SECONDS = 60.0
"""The upper limit on waiting for Telegram's `retry_after`."""
REMINDER_SECONDS = 60.0
"""The interval between warnings that no updates arrive."""
STRANDED_SECONDS = 60.0
"""If getUpdates stays unanswered this long while other calls are answered, this process is at fault."""


class Poller:
    """The polling loop."""

    def __init__(
        self,
        bot: Bot,
        transport: Transport,
        intake: Intake,
        liveness: Liveness,
        metrics: Metrics,
        allowed_updates: Sequence[str],
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._bot = bot
        self._transport = transport
        self._intake = intake
        self._liveness = liveness
        self._metrics = metrics
        self._allowed_updates = json.dumps(list(allowed_updates))
        self._now = now
        self._sleep = sleep
        self._offset = 0
        self._refusals = 0
        self._failures = 0
        """Consecutive unanswered rounds."""
        self._suspected_at = now()
        """The time of the last `_check_own_fault`, initially that of construction."""
        self._warned_at: float | None = None

    async def run(self) -> None:
        """Poll until cancelled. Raises UpdatesLost if Telegram has refused updates for about a minute."""
        while True:
            try:
                began = self._now()
                async with asyncio.timeout(ROUND_SECONDS):
                    # End the round about when a deadline is due.
                    wanted_in = max(1.0, self._liveness.wanted_in)
                    result = await self._ask(math.ceil(min(wanted_in, POLL_SECONDS)))
                if not result and self._now() - began < SHORTEST_PAUSE_SECONDS:
                    await self._sleep(SHORTEST_PAUSE_SECONDS)  # it was answered without waiting for updates
                self._take(result)
            except RetryAfter as error:
                self._complain(error)
                await self._sleep(_seconds_of(error))
            except (BadRequest, Conflict, Forbidden, InvalidToken) as error:
                await self._refused(error)
            except (TelegramError, TimeoutError) as error:
                await self._unanswered(error)

    async def close(self) -> None:
        """Acknowledge the last updates, so that the next process does not receive them again."""
        if not self._offset:
            return
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self._ask(0, limit=1)
        except (TelegramError, TimeoutError) as error:
            log.warning("the updates taken last may come again: %s", _text_of(error))

    async def _ask(self, seconds: int, limit: int = 100) -> list[Any]:
        """Make one getUpdates request. Raises TelegramError."""
        # Parameters may be passed in the URL (https://core.telegram.org/bots/api#making-requests).
        query = urlencode(
            {
                "offset": self._offset,
                "limit": limit,
                "timeout": seconds,
                "allowed_updates": self._allowed_updates,
            }
        )
        result = await self._transport.post(
            f"{self._bot.base_url}/getUpdates?{query}", read_timeout=seconds + CALL_SECONDS
        )
        if not isinstance(result, list):
            raise NetworkError("what came is no list of updates")
        return result

    def _take(self, result: list[Any]) -> None:
        """Process the updates of a completed round; the next round acknowledges them, readable or not.

        Raises NetworkError if there is no update with a new id: the next round would return the same at once.
        (Ids may also restart at a lower number: https://core.telegram.org/bots/api#update.)
        """
        ids = [update_id for update_id in map(update_id_of, result) if update_id is not None]
        offset = max(ids) + 1 if ids else self._offset
        if result and offset == self._offset:
            raise NetworkError("nothing new is among the updates that came")
        self._offset = offset
        self._liveness.stamp(brought_updates=bool(result))
        if self._warned_at is not None:
            log.warning("updates arrive again")
        self._warned_at, self._refusals, self._failures = None, 0, 0
        for raw in result:
            if self._intake.take(raw) is None:
                log.error("something among the updates is none, and is passed over")

    async def _refused(self, error: TelegramError) -> None:
        """Delete a conflicting webhook; raise UpdatesLost if refusals have lasted for about a minute."""
        self._metrics.poll_failures.inc()
        self._refusals += 1
        if self._refusals >= MOST_REFUSALS:
            log.critical("Telegram has refused updates for a minute, the bot ends: %s", _reason(error))
            raise UpdatesLost(_reason(error))
        if isinstance(error, Conflict) and "webhook" in error.message.lower():
            log.warning("a webhook has been set while the bot asks for updates: it is taken off")
            self._metrics.webhook_repairs.inc()
            try:
                await self._bot.delete_webhook()
            except TelegramError as failure:
                log.warning("the webhook could not be taken off: %s", _text_of(failure))
        else:
            self._complain(error)
        await self._sleep(REFUSED_PAUSE_SECONDS)

    async def _unanswered(self, error: Exception) -> None:
        """Handle a missing or foreign answer: use new connections and wait before the next round."""
        self._metrics.poll_failures.inc()
        self._complain(error)
        self._transport.renew()
        answered_at = self._transport.answered_at or self._suspected_at
        if self._now() - max(answered_at, self._suspected_at) > STRANDED_SECONDS:
            await self._check_own_fault()
        await self._sleep(min(SHORTEST_PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS))
        self._failures = min(self._failures + 1, 10)

    async def _check_own_fault(self) -> None:
        """Raise UpdatesLost if other calls are answered. If none is, the network is down: keep polling."""
        self._suspected_at = self._now()
        try:
            await self._bot.get_me()
        except TelegramError:
            return
        log.critical("Telegram answers other calls, but for a minute none for updates: the bot ends")
        raise UpdatesLost("requests for updates are not answered")

    def _complain(self, error: Exception) -> None:
        """Log that no updates arrive: a warning at first and then once a minute."""
        level = logging.DEBUG
        if self._warned_at is None or self._now() - self._warned_at >= REMINDER_SECONDS:
            level = logging.WARNING
            self._warned_at = self._now()
        log.log(level, "no updates: %s", _reason(error))


def _seconds_of(error: RetryAfter) -> float:
    after = error.retry_after
    seconds = after.total_seconds() if isinstance(after, timedelta) else float(after)
    return min(seconds, LONGEST_WAIT_SECONDS)


def _reason(error: Exception) -> str:
    if isinstance(error, Conflict):
        return f"another program asks for updates with this token ({error.message})"
    if isinstance(error, InvalidToken):
        return f"the token is refused ({error.message})"
    return _text_of(error)


def _text_of(error: Exception) -> str:
    return str(error) or type(error).__name__
