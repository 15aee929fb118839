"""Pushes updates to the bot's own server, with its secret, until they are accepted.

Follows core.telegram.org/bots/api#setwebhook and telegram-bot-api's ``WebhookActor.cpp``: anything but a 2xx
is retried with growing delays.
"""

import asyncio
import json
from urllib.parse import SplitResult, urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

from sandbox.clock import Clock
from sandbox.errors import bad_request
from sandbox.model import Json
from sandbox.schema.sizes import WEBHOOK_SECRET
from sandbox.updates import UpdateQueue

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - its name, not a secret
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
DEFAULT_CONNECTIONS = 40
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
TIMEOUT = 60.0


class Webhook:
    """The webhook, if one is set. It sends one update at a time, so that they arrive in order."""

    def __init__(self, updates: UpdateQueue, clock: Clock) -> None:
        self._updates = updates
        self._clock = clock
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._secret: str | None = None
        self._max_connections = DEFAULT_CONNECTIONS
        self._last_error: tuple[int, str] | None = None
        self.url = ""

    def set(self, url: str, secret: str | None, max_connections: int | None) -> None:
        """Start pushing to ``url``; an empty one stops.

        Raises:
            ApiError: 400 for an address or a secret that Telegram would refuse.
        """
        if not url:
            self.delete()
            return
        parts = _parts(url)
        if parts is None or not parts.hostname:
            raise bad_request("bad webhook: invalid URL specified")
        # telegram-bot-api accepts plain HTTP only in local mode; the sandbox is local and has no
        # certificates.
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
        if secret is not None and not WEBHOOK_SECRET.fullmatch(secret):
            raise bad_request("secret token contains unallowed characters")
        self.delete()
        self._updates.interrupt("terminated by setWebhook request")
        self.url, self._secret = url, secret
        self._max_connections = max_connections or DEFAULT_CONNECTIONS
        self._last_error = None
        self._updates.listener = self._woken.set
        self._task = asyncio.get_running_loop().create_task(self._push_forever())

    def delete(self) -> None:
        """Stop pushing; pending updates stay for getUpdates."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._updates.listener = None
        self.url = ""

    def info(self) -> Json:
        """Return a WebhookInfo."""
        result: Json = {
            "url": self.url,
            "has_custom_certificate": False,
            "pending_update_count": len(self._updates),
        }
        if self.url:
            result["max_connections"] = self._max_connections
        if self._last_error is not None:
            result["last_error_date"], result["last_error_message"] = self._last_error
        if self._updates.allowed is not None:
            result["allowed_updates"] = sorted(self._updates.allowed)
        return result

    async def _push_forever(self) -> None:
        client = AsyncHTTPClient(force_instance=True)
        pause = FIRST_PAUSE
        try:
            while True:
                update = next(iter(self._updates.due(1)), None)
                if update is None:
                    await self._until_due()
                elif await self._push(client, update):
                    self._updates.confirm(update["update_id"] + 1)
                    pause = FIRST_PAUSE
                else:
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, LONGEST_PAUSE)
        finally:
            client.close()

    async def _until_due(self) -> None:
        self._woken.clear()
        wait = self._updates.seconds_until_due()
        try:
            await asyncio.wait_for(self._woken.wait(), wait)
        except TimeoutError:
            return

    async def _push(self, client: AsyncHTTPClient, update: Json) -> bool:
        headers = {"Content-Type": "application/json"}
        if self._secret:
            headers[SECRET_HEADER] = self._secret
        body = json.dumps(update, ensure_ascii=False)
        for _ in range(2 if self._updates.comes_twice() else 1):
            request = HTTPRequest(
                self.url, "POST", headers, body, request_timeout=TIMEOUT, follow_redirects=False
            )
            try:
                await client.fetch(request)
            except HTTPClientError as error:
                self._failed(f"Wrong response from the webhook: {error.code} {error.message}")
                return False
            except OSError as error:
                self._failed(error.strerror or "Connection failed")
                return False
        return True

    def _failed(self, words: str) -> None:
        self._last_error = (self._clock.unix(), words)


def _parts(url: str) -> SplitResult | None:
    """Parse a URL; None if it is invalid."""
    try:
        parts = urlsplit(url)
        has_good_port = parts.port != 0  # reading an invalid port raises
    except ValueError:
        return None
    return parts if has_good_port and url.isascii() and url.isprintable() and " " not in url else None
