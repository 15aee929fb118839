"""Monitors the webhook: periodically asks Telegram for its state and repairs it.

A webhook that was removed or changed is set again. So is one that updates do not reach, since Telegram then
retries at once. If the trouble lasts for about a minute, the process ends so that it can be restarted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from urllib.parse import urlsplit

from telegram import Bot, WebhookInfo
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from bot.metrics import Metrics
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness, UpdatesLost

log = logging.getLogger(__name__)

LOOK_SECONDS = 20.0
"""The interval between two checks."""
EXPECTED_SECONDS = 2 * LOOK_SECONDS
"""If nothing is wrong, a check succeeds or an update arrives within this time."""
LONGEST_SECONDS = 3 * LOOK_SECONDS
"""The bot is unhealthy after this time without either."""
SHORTEST_PAUSE_SECONDS = 1.0
"""The shortest pause before a check that is made because a deadline is due."""
MOST_FAILURES = 3
"""Consecutive failed checks, about a minute's worth, after which the loop gives up."""


class WebhookWatch:
    """Sets the webhook and monitors it. `look` replaces `LOOK_SECONDS`."""

    def __init__(
        self,
        bot: Bot,
        url: str,
        secret: str,
        allowed_updates: Sequence[str],
        liveness: Liveness,
        intake: Intake,
        metrics: Metrics,
        *,
        look: float = LOOK_SECONDS,
    ) -> None:
        self._bot = bot
        self._url = url
        self._secret = secret
        self._allowed_updates = allowed_updates
        self._liveness = liveness
        self._intake = intake
        self._metrics = metrics
        self._look_seconds = look
        self._failures = 0
        self._taken = 0
        """The number of updates that had been pushed at the last check."""
        self._has_looked = False
        self._past_error: datetime | None = None
        """The date of an error that is over: from before the first look, or before updates got through."""

    async def set(self) -> None:
        """Set the webhook. Raises TelegramError."""
        await self._bot.set_webhook(
            self._url, secret_token=self._secret, allowed_updates=self._allowed_updates
        )

    async def run(self) -> None:
        """Monitor the webhook until cancelled. Raises UpdatesLost if it has failed for about a minute."""
        while True:
            await self._pause()
            try:
                info = await self._bot.get_webhook_info()
                trouble = self._trouble_with(info)
                self._taken = self._intake.taken
                if trouble is None:
                    self._failures = 0
                    self._stamp_if_all_arrived(info)
                    continue
                self._fail(trouble)
                log.warning("%s: the webhook is set anew", trouble)
                self._metrics.webhook_repairs.inc()
                await self.set()
            except (BadRequest, Forbidden, InvalidToken) as error:
                self._fail(f"Telegram refuses ({error.message})")
                log.warning("the webhook cannot be looked after: %s", error.message)
            except TelegramError as error:
                log.warning("the webhook could not be looked at: %s", error)

    async def _pause(self) -> None:
        """Wait until the next check is due. Meanwhile, stamp when requested if no updates are pending."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._look_seconds
        while (left := until - loop.time()) > 0:
            wanted_in = max(SHORTEST_PAUSE_SECONDS, self._liveness.wanted_in)
            await asyncio.sleep(min(left, wanted_in))
            if wanted_in < left and self._liveness.wanted_in <= 0:
                try:
                    self._stamp_if_all_arrived(await self._bot.get_webhook_info())
                except TelegramError as error:
                    log.debug("whether updates wait is not known: %s", error)

    def _stamp_if_all_arrived(self, info: WebhookInfo) -> None:
        if _is_same_address(info.url, self._url) and not info.pending_update_count:
            self._liveness.stamp(brought_updates=False)

    def _fail(self, trouble: str) -> None:
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            log.critical("no updates have been pushed for a minute, the bot ends: %s", trouble)
            raise UpdatesLost(trouble)

    def _trouble_with(self, info: WebhookInfo) -> str | None:
        """Return what is wrong with the webhook; None if updates get through as far as Telegram knows."""
        if not _is_same_address(info.url, self._url):
            return "the webhook was taken off" if not info.url else "the webhook was set to another address"
        if set(info.allowed_updates or ()) != set(self._allowed_updates):
            return "the webhook was set to other kinds of updates"
        # Telegram keeps the date of the last error, by its own clock, however much has got through since.
        if not self._has_looked or self._intake.taken > self._taken or not info.pending_update_count:
            self._has_looked, self._past_error = True, info.last_error_date
        elif info.last_error_date not in (None, self._past_error):
            return f"{info.pending_update_count} updates wait, pushing them fails ({info.last_error_message})"
        return None


def _is_same_address(one: str, other: str) -> bool:
    """Compare two URLs; Telegram may return the host in another spelling."""
    return _address(one) == _address(other)


def _address(url: str) -> tuple[str, str, int | None, str, str]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, host.lower(), port, parts.path, parts.query
