"""What Telegram has last told of how people stand in groups, kept so that it is seldom asked."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

FRESH_SECONDS: Final = 30.0
"""For so long Telegram is not asked again about somebody who is out or muted, or of whom it has not told."""
WATCH_SECONDS: Final = 600.0
"""So often it is asked about somebody who plays in private."""
MOST_KNOWN: Final = 4096


class MemberStatus(Enum):
    """How somebody stands in a group."""

    FREE = "free"
    MUTED = "muted"
    """In the group, without the right to write there."""
    OUT = "out"


@dataclass(frozen=True, slots=True)
class _Known:
    """Telegram's last word; when it was last asked or told, and when something last came from the group."""

    standing: MemberStatus | None = None
    asked_at: float = -math.inf
    seen_at: float = -math.inf


class MemberCache:
    """What is known of people's standing, by chat and person; all times are unix seconds."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Known] = {}

    def learn(self, chat_id: int, user_id: int, standing: MemberStatus | None, now: float) -> None:
        """Remember what Telegram has told; None, that it did not: then its last word stands."""
        known = self._get(chat_id, user_id)
        self._keep(chat_id, user_id, replace(known, standing=standing or known.standing, asked_at=now))

    def notice(self, chat_id: int, user_id: int, now: float) -> None:
        """Take it that this person is in the group: something of theirs has arrived from there."""
        known = self._get(chat_id, user_id)
        standing = None if known.standing is MemberStatus.OUT else known.standing
        self._keep(chat_id, user_id, replace(known, standing=standing, seen_at=now))

    def last(self, chat_id: int, user_id: int) -> MemberStatus | None:
        """Telegram's last word; None if it has never told."""
        return self._get(chat_id, user_id).standing

    def is_settled(self, chat_id: int, user_id: int, now: float) -> bool:
        """Need Telegram not be asked again? That somebody is free to do all has to be true now."""
        known = self._get(chat_id, user_id)
        return known.standing is not MemberStatus.FREE and now - known.asked_at < FRESH_SECONDS

    def is_due(self, chat_id: int, user_id: int, now: float) -> bool:
        """Has nothing been heard for long?"""
        known = self._get(chat_id, user_id)
        return now - max(known.asked_at, known.seen_at) >= WATCH_SECONDS

    def _get(self, chat_id: int, user_id: int) -> _Known:
        return self._known.get((chat_id, user_id), _Known())

    def _keep(self, chat_id: int, user_id: int, known: _Known) -> None:
        self._known.pop((chat_id, user_id), None)
        self._known[chat_id, user_id] = known
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
