"""Limits apologies for internal errors, so that nobody gets one after another while an outage lasts."""

from __future__ import annotations

from typing import Final

AGAIN_SECONDS: Final = 60.0


class Apologies:
    """The senders (people, groups or channels) who have recently got an apology, by id and chat."""

    MOST: Final = 1024

    def __init__(self) -> None:
        self._until: dict[tuple[int, int], float] = {}

    def is_due(self, sender_id: int, chat_id: int, now: float) -> bool:
        """Return whether to apologize to this sender here, at most once a minute. `now`: unix seconds."""
        place = sender_id, chat_id
        if now < self._until.get(place, now):
            return False
        self._until.pop(place, None)
        if len(self._until) >= self.MOST:
            del self._until[next(iter(self._until))]
        self._until[place] = now + AGAIN_SECONDS
        return True
