"""Limits apologies for internal errors, so that nobody gets one after another while an outage lasts."""

from __future__ import annotations

from typing import Final

AGAIN_SECONDS: Final = 60.0


class Apologies:
    """The senders (people, groups or channels) who have recently got an apology, by id."""

    MOST: Final = 1024

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def is_due(self, sender_id: int, now: float) -> bool:
        """Return whether to apologize to this sender at `now` (unix seconds), at most once a minute."""
        if now < self._until.get(sender_id, now):
            return False
        self._until.pop(sender_id, None)
        if len(self._until) >= self.MOST:
            del self._until[next(iter(self._until))]
        self._until[sender_id] = now + AGAIN_SECONDS
        return True
