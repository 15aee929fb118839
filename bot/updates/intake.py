"""Parses incoming updates one by one, so that an unreadable update does not block the others."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from typing import Any

from telegram import Bot, Update

from bot.bounded_json import is_deeper
from bot.metrics import Metrics

log = logging.getLogger(__name__)

LONGEST_SHAPE = 2000
"""The number of characters of an unreadable update's shape that are logged."""
DEEPEST_SHAPE = 12
"""The number of levels of a shape that are logged."""
DEEPEST_UPDATE = 64
"""The most levels of an update. Telegram's have about a dozen, and the library recurses into them."""


class TooDeep(ValueError):
    """The update is nested deeper than any of Telegram's."""


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
        update_id = update_id_of(raw)
        if update_id is None:
            return None
        self.taken += 1
        try:
            if is_deeper(raw, DEEPEST_UPDATE):
                raise TooDeep(DEEPEST_UPDATE)
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


def update_id_of(raw: Any) -> int | None:
    """Return the id of an update; None for JSON that is not an update."""
    update_id = raw.get("update_id") if isinstance(raw, dict) else None
    return update_id if isinstance(update_id, int) and not isinstance(update_id, bool) else None


def shape_of(part: Any, levels: int = DEEPEST_SHAPE) -> Any:
    """Return the structure of a JSON value down to a level: names and types, without the values."""
    if isinstance(part, dict) and levels:
        return {name: shape_of(value, levels - 1) for name, value in part.items()}
    if isinstance(part, list) and levels:
        return [shape_of(item, levels - 1) for item in part]
    return type(part).__name__
