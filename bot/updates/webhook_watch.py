"""Watches over a webhook: Telegram is asked every now and then whether it pushes what it should, and where.

A webhook that was taken off or changed is set anew; so is one to which updates do not get through, since
Telegram then tries again at once. What lasts for about a minute ends the process, to be started anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from telegram import Bot, WebhookInfo
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from bot.metrics import Metrics
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness, UpdatesLost

log = logging.getLogger(__name__)

LOOK_SECONDS = 20.0
"""Between two looks at the webhook."""
EXPECTED_SECONDS = 2 * LOOK_SECONDS
"""With nothing wrong the webhook was found right, or an update was pushed, within this time."""
LONGEST_SECONDS = 3 * LOOK_SECONDS
"""After so long without either the bot is not healthy."""
MOST_FAILURES = 3
"""Looks in a row that find it wrong, a minute of them, after which setting it anew is of no use."""


class WebhookWatch:
    """Sets the webhook and looks after it. `look`: as `LOOK_SECONDS`."""

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
        """How many updates had been pushed by the last look."""

    async def set(self) -> None:
        """Have Telegram push updates here. Raises TelegramError."""
        await self._bot.set_webhook(
            self._url, secret_token=self._secret, allowed_updates=self._allowed_updates
        )

    async def run(self) -> None:
        """Look after it until cancelled. Raises UpdatesLost when it has been wrong for about a minute."""
        while True:
            await asyncio.sleep(self._look_seconds)
            try:
                info = await self._bot.get_webhook_info()
                trouble = self._trouble_with(info)
                self._taken = self._intake.taken
                if trouble is None:
                    self._failures = 0
                    self._liveness.stamp()
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

    def _fail(self, trouble: str) -> None:
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            log.critical("no updates have been pushed for a minute, the bot ends: %s", trouble)
            raise UpdatesLost(trouble)

    def _trouble_with(self, info: WebhookInfo) -> str | None:
        """What is wrong with the webhook, None if updates get through as far as Telegram knows."""
        if not _is_same_address(info.url, self._url):
            return "the webhook was taken off" if not info.url else "the webhook was set to another address"
        if set(info.allowed_updates or ()) != set(self._allowed_updates):
            return "the webhook was set to other kinds of updates"
        is_pushing = self._intake.taken > self._taken
        if info.last_error_date is not None and info.pending_update_count and not is_pushing:
            return f"{info.pending_update_count} updates wait, pushing them fails ({info.last_error_message})"
        return None


def _is_same_address(one: str, other: str) -> bool:
    """Addresses may come back with their host in another spelling."""
    return _address(one) == _address(other)


def _address(url: str) -> tuple[str, str, int | None, str, str]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, host.lower(), port, parts.path, parts.query
