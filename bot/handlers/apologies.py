"""Who has lately been told of a fault of ours, so that nobody is told again and again while it lasts."""

from __future__ import annotations

from typing import Final

AGAIN_SECONDS: Final = 60.0


class Apologies:
    """The people, and the groups or channels that somebody writes as, by id."""

    MOST: Final = 1024

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def is_due(self, sender_id: int, now: float) -> bool:
        """Whether to apologize to this sender now; if so, not again for a minute. `now`: unix seconds."""
        if now < self._until.get(sender_id, now):
            return False
        self._until.pop(sender_id, None)
        if len(self._until) >= self.MOST:
            del self._until[next(iter(self._until))]
        self._until[sender_id] = now + AGAIN_SECONDS
        return True
