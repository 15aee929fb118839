"""The HTTP server for Telegram's webhook calls, health checks and metrics.

It replaces the library's, which has only one route and compares the secret with `!=`. An update is accepted
once it is in the queue; Telegram repeats updates that were not accepted, and every action is safe to repeat.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable

from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler, stream_request_body

from bot.bounded_json import parse
from bot.lingering_close import LingeringServer
from bot.metrics import CONTENT_TYPE, Metrics
from bot.updates.intake import Intake
from bot.updates.liveness import Liveness

log = logging.getLogger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 (the header's name, not a secret)
"""The header with the secret (https://core.telegram.org/bots/api#setwebhook)."""
PATH = "/telegram"
LARGEST_BODY = 1024 * 1024
HEADER_SECONDS = 30.0
"""The time limit for a request's headers, and for keeping an idle connection."""
BODY_SECONDS = 10.0
"""The time limit for a request's body, and for discarding the rest of a refused one."""


def address(webhook_url: str) -> str:
    """Return the URL for Telegram's webhook calls."""
    return webhook_url.rstrip("/") + PATH


@stream_request_body
class _Updates(RequestHandler):
    def initialize(self, intake: Intake, liveness: Liveness, secret: str) -> None:
        self._intake = intake
        self._liveness = liveness
        self._secret = secret
        self._body = bytearray()

    def prepare(self) -> None:
        """Refuse a call without the secret before its body is read."""
        given = self.request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            log.warning("a webhook call without the secret was refused")
            self.set_status(403)
            self.set_header("Connection", "close")  # the body is not read, so no further request can follow
            self.finish()

    def data_received(self, chunk: bytes) -> None:
        """Collect a part of the body, whose total size the server limits."""
        self._body += chunk

    def post(self) -> None:
        """Take one update."""
        try:
            raw = parse(self._body)
        except ValueError:
            raw = None
        if self._intake.take(raw) is None:
            log.warning("a webhook call that is no update was refused")
            self.set_status(400)
            return
        self._liveness.stamp()


class _Health(RequestHandler):
    def initialize(self, is_well: Callable[[], bool], liveness: Liveness) -> None:
        self._is_well = is_well
        self._liveness = liveness

    def get(self) -> None:
        """Answer 200 while all vital tasks are running and updates arrive, otherwise 503."""
        well = self._is_well() and self._liveness.is_healthy
        self.set_status(200 if well else 503)
        self.write({"ok": well, "updates_age_seconds": round(self._liveness.age, 1)})


class _Metrics(RequestHandler):
    def initialize(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def get(self) -> None:
        """Answer with the metrics in Prometheus' format."""
        self.set_header("Content-Type", CONTENT_TYPE)
        self.write(self._metrics.exposition())


def serve(
    intake: Intake,
    liveness: Liveness,
    metrics: Metrics,
    secret: str,
    address: str,
    port: int,
    is_well: Callable[[], bool],
    *,
    header_seconds: float = HEADER_SECONDS,
    body_seconds: float = BODY_SECONDS,
) -> HTTPServer:
    """Start a server that listens at `address` and `port`, and return it."""
    application = Application(
        [
            (PATH, _Updates, {"intake": intake, "liveness": liveness, "secret": secret}),
            ("/health", _Health, {"is_well": is_well, "liveness": liveness}),
            ("/metrics", _Metrics, {"metrics": metrics}),
        ],
        log_function=lambda _handler: None,
    )
    server = LingeringServer(
        application,
        max_body_size=LARGEST_BODY,
        idle_connection_timeout=header_seconds,
        body_timeout=body_seconds,
        linger_seconds=body_seconds,
    )
    server.listen(port, address)
    return server
