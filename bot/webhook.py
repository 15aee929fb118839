"""Webhook mode: Telegram pushes updates to us over HTTP, on a server that also tells whether the bot is well.

Our own small application on tornado, since the library's has one route and compares the secret with `!=`. An
update is accepted as soon as it is in the queue; Telegram sends one again that was not accepted, and every
action is safe to repeat.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import Callable

from telegram import Bot, Update
from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

log = logging.getLogger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 (the header's name, not a secret)
"""What Telegram sends the secret in (https://core.telegram.org/bots/api#setwebhook)."""
PATH = "/telegram"
LARGEST_BODY = 1024 * 1024


def address(webhook_url: str) -> str:
    """Where Telegram shall push updates, under the address that is configured."""
    return webhook_url.rstrip("/") + PATH


class _Updates(RequestHandler):
    def initialize(self, bot: Bot, queue: asyncio.Queue[object], secret: str) -> None:
        self._bot = bot
        self._queue = queue
        self._secret = secret

    async def post(self) -> None:
        """Take one update."""
        given = self.request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            log.warning("a webhook call without the secret was refused")
            self.set_status(403)
            return
        try:
            update = Update.de_json(json.loads(self.request.body), self._bot)
        except (ValueError, TypeError, KeyError, AttributeError):
            log.warning("a webhook call that is no update was refused")
            self.set_status(400)
            return
        await self._queue.put(update)


class _Health(RequestHandler):
    def initialize(self, is_well: Callable[[], bool]) -> None:
        self._is_well = is_well

    def get(self) -> None:
        """200 while everything that must run is running, else 503."""
        well = self._is_well()
        self.set_status(200 if well else 503)
        self.write({"ok": well})


def serve(
    bot: Bot, queue: asyncio.Queue[object], secret: str, address: str, port: int, is_well: Callable[[], bool]
) -> HTTPServer:
    """Listen at `address` and `port` until the server that is returned is stopped."""
    application = Application(
        [
            (PATH, _Updates, {"bot": bot, "queue": queue, "secret": secret}),
            ("/health", _Health, {"is_well": is_well}),
        ],
        log_function=lambda _handler: None,
    )
    server = HTTPServer(application, max_body_size=LARGEST_BODY)
    server.listen(port, address)
    return server
