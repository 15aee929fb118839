"""Decides when other messages have buried a table's message, so that it should be reposted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

MESSAGES: Final = 15
"""A table's message is buried under this many messages."""

ChatTopic: TypeAlias = tuple[int, int]
"""A chat id and a topic id (0 outside of topics)."""


@dataclass(slots=True)
class _Below:
    """The number of messages below a table's message that was posted at `since` (unix seconds)."""

    messages: int
    since: float


class RepostTrigger:
    """Counts the messages below the last message of each table. Pure: time is passed in.

    A table is reposted at most once in `seconds`.
    """

    MOST_PLACES: Final = 4096

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._places: dict[ChatTopic, _Below] = {}

    def reset(self, place: ChatTopic, now: float) -> None:
        """Restart the count, because the table's message is the last one there."""
        self._places[place] = _Below(0, now)

    def count(self, place: ChatTopic, now: float) -> bool:
        """Count one message; return whether to repost the table."""
        if place not in self._places and len(self._places) >= self.MOST_PLACES:
            self._places.clear()
        below = self._places.setdefault(place, _Below(0, -self._seconds))
        below.messages += 1
        return below.messages >= MESSAGES and now - below.since >= self._seconds
