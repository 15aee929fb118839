"""Asks Telegram for updates, again and again, whatever comes between.

Our own loop, since the library's ends at a single 401, asks for ever for a batch with one update that cannot
be read, and stays on a connection that is lost. Here a round that is not completed in time is given up, and
the next one has new connections. What Telegram itself refuses is asked again for about a minute; then the
process ends, to be started anew.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
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
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness, UpdatesLost

log = logging.getLogger(__name__)

POLL_SECONDS = 5
"""How long Telegram may keep a request for updates open."""
ROUND_SECONDS = POLL_SECONDS + 2 * CALL_SECONDS
"""How long a round may take in all. One that is lost on the way is missed this late."""
EXPECTED_SECONDS = POLL_SECONDS + 3.0
"""With nothing wrong a round is completed within this time."""
LONGEST_SECONDS = 30.0
"""After so long without a completed round the bot is not healthy."""
SHORTEST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 2.0
"""Between a round that got no answer and the next."""
REFUSED_PAUSE_SECONDS = 3.0
MOST_REFUSALS = 20
"""Refusals in a row, a minute of them, after which asking further is of no use."""
LONGEST_WAIT_SECONDS = 60.0
"""However long Telegram wants to be left alone, it is asked again after this."""
REMINDER_SECONDS = 60.0
"""How often it is said that there are no updates."""
STRANDED_SECONDS = 60.0
"""After so long without an answer to this, while other calls are answered, this process is at fault."""


class Poller:
    """The loop. `pause`: as `REFUSED_PAUSE_SECONDS`."""

    def __init__(
        self,
        bot: Bot,
        transport: Transport,
        intake: Intake,
        liveness: Liveness,
        metrics: Metrics,
        allowed_updates: Sequence[str],
        *,
        pause: float = REFUSED_PAUSE_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._bot = bot
        self._transport = transport
        self._intake = intake
        self._liveness = liveness
        self._metrics = metrics
        self._allowed_updates = json.dumps(list(allowed_updates))
        self._refused_pause = pause
        self._now = now
        self._offset = 0
        self._refusals = 0
        self._failures = 0
        """Rounds without an answer since the last one with one."""
        self._suspected_at = now()
        """When it was last looked at whether this process is at fault, at first when it began."""
        self._warned_at: float | None = None

    async def run(self) -> None:
        """Ask until cancelled. Raises UpdatesLost when Telegram has refused for about a minute."""
        while True:
            try:
                async with asyncio.timeout(ROUND_SECONDS):
                    result = await self._ask(POLL_SECONDS)
            except RetryAfter as error:
                self._complain(error)
                await asyncio.sleep(_seconds_of(error))
            except (BadRequest, Conflict, Forbidden, InvalidToken) as error:
                await self._refused(error)
            except (TelegramError, TimeoutError) as error:
                await self._unanswered(error)
            else:
                self._take(result)

    async def close(self) -> None:
        """Tell Telegram which updates were taken, so that the next process is not given them again."""
        if not self._offset:
            return
        try:
            async with asyncio.timeout(CALL_SECONDS):
                await self._ask(0, limit=1)
        except (TelegramError, TimeoutError) as error:
            log.warning("the updates taken last may come again: %s", _words(error))

    async def _ask(self, seconds: int, limit: int = 100) -> list[Any]:
        """One request. Raises TelegramError."""
        # Parameters may stand in the address (https://core.telegram.org/bots/api#making-requests).
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
        """A round is completed. Each update is for itself; all of them are acknowledged by the next round."""
        self._liveness.stamp()
        if self._warned_at is not None:
            log.warning("updates arrive again")
        self._warned_at, self._refusals, self._failures = None, 0, 0
        for raw in result:
            update_id = self._intake.take(raw)
            if update_id is None:
                log.error("something among the updates is none, and is passed over")
            else:
                self._offset = max(self._offset, update_id + 1)

    async def _refused(self, error: TelegramError) -> None:
        """Telegram gives none. A webhook is taken off; what lasts for about a minute ends the loop."""
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
                log.warning("the webhook could not be taken off: %s", _words(failure))
            else:
                return
        else:
            self._complain(error)
        await asyncio.sleep(self._refused_pause)

    async def _unanswered(self, error: Exception) -> None:
        """Nothing came, or nothing of Telegram's: the next round has new connections."""
        self._metrics.poll_failures.inc()
        self._complain(error)
        self._transport.renew()
        answered_at = self._transport.answered_at or self._suspected_at
        if self._now() - max(answered_at, self._suspected_at) > STRANDED_SECONDS:
            await self._see_who_is_at_fault()
        await asyncio.sleep(min(SHORTEST_PAUSE_SECONDS * 2**self._failures, LONGEST_PAUSE_SECONDS))
        self._failures = min(self._failures + 1, 10)

    async def _see_who_is_at_fault(self) -> None:
        """Raises UpdatesLost if other calls are answered; a network that carries nothing is waited for."""
        self._suspected_at = self._now()
        try:
            await self._bot.get_me()
        except TelegramError:
            return
        log.critical("Telegram answers other calls, but for a minute none for updates: the bot ends")
        raise UpdatesLost("requests for updates are not answered")

    def _complain(self, error: Exception) -> None:
        """Say that there are no updates: when it begins, and then once a minute."""
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
    return _words(error)


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
