"""Takes updates as Telegram gives them, each by itself: one that cannot be read does not stop the others."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from typing import Any

from telegram import Bot, Update

from bot.metrics import Metrics

log = logging.getLogger(__name__)

LONGEST_SHAPE = 2000
"""Characters of a shape that are logged."""


class Intake:
    """Where updates come in: read, and put in the queue of those to be handled."""

    def __init__(self, bot: Bot, queue: asyncio.Queue[object], metrics: Metrics) -> None:
        self._bot = bot
        self._queue = queue
        self._metrics = metrics
        self.taken = 0
        """How many updates have come in, those that could not be read too."""

    def take(self, raw: Any) -> int | None:
        """Take one update and return its id; None for what is no update at all.

        An update that cannot be read is logged, without anybody's words, and passed over.
        """
        update_id = raw.get("update_id") if isinstance(raw, dict) else None
        if not isinstance(update_id, int) or isinstance(update_id, bool):
            return None
        self.taken += 1
        try:
            update = Update.de_json(raw, self._bot)
        except Exception as error:  # noqa: BLE001 (the library raises what it likes; told below, without words)
            self._metrics.unreadable_updates.inc()
            log.error(
                "update %d cannot be read, and is passed over: %s in %s",
                update_id,
                type(error).__name__,
                traceback.extract_tb(error.__traceback__)[-1].name,
                extra={"update": json.dumps(shape_of(raw))[:LONGEST_SHAPE]},
            )
        else:
            self._metrics.updates.inc()
            self._queue.put_nowait(update)
        return update_id


def shape_of(part: Any) -> Any:
    """What a piece of JSON is made of: the names and the kinds of its values, and none of the values."""
    if isinstance(part, dict):
        return {name: shape_of(value) for name, value in part.items()}
    if isinstance(part, list):
        return [shape_of(item) for item in part]
    return type(part).__name__
