"""Metrics of a running bot in Prometheus' text format. They are numbers only, without names or chats."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The bot's metrics, in their own registry."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.updates = self._counter("bot_updates", "Updates accepted for handling")
        self.unreadable_updates = self._counter(
            "bot_unreadable_updates", "Updates that could not be read and were skipped"
        )
        self.poll_failures = self._counter("bot_poll_failures", "Requests for updates that failed")
        self.webhook_repairs = self._counter(
            "bot_webhook_repairs", "Times that the webhook was set again, or removed while polling"
        )

    def _counter(self, name: str, help_text: str) -> Counter:
        return Counter(name, help_text, registry=self._registry)

    def watch(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is computed at each scrape."""
        Gauge(name, help_text, registry=self._registry).set_function(value)

    def exposition(self) -> bytes:
        """Return the current values of all metrics."""
        return generate_latest(self._registry)
