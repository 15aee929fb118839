"""Parses incoming updates one by one, so that an unreadable update does not block the others."""

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
"""The number of characters of an unreadable update's shape that are logged."""


class Intake:
    """Parses updates and puts them into the queue for handling."""

    def __init__(self, bot: Bot, queue: asyncio.Queue[object], metrics: Metrics) -> None:
        self._bot = bot
        self._queue = queue
        self._metrics = metrics
        self.taken = 0
        """The number of updates received, including unreadable ones."""

    def take(self, raw: Any) -> int | None:
        """Queue one update and return its id; return None for JSON that is not an update.

        An unreadable update is logged without its texts and skipped.
        """
        update_id = raw.get("update_id") if isinstance(raw, dict) else None
        if not isinstance(update_id, int) or isinstance(update_id, bool):
            return None
        self.taken += 1
        try:
            update = Update.de_json(raw, self._bot)
        except Exception as error:  # noqa: BLE001 (the library may raise anything; logged below without texts)
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
    """Return the structure of a JSON value: names and types, without the values themselves."""
    if isinstance(part, dict):
        return {name: shape_of(value) for name, value in part.items()}
    if isinstance(part, list):
        return [shape_of(item) for item in part]
    return type(part).__name__
