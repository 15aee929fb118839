"""Caches people's status in groups as last reported by Telegram, to save look-ups."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

FRESH_SECONDS: Final = 30.0
"""The lifetime of a status other than `FREE`, and of an unsuccessful look-up."""
WATCH_SECONDS: Final = 600.0
"""The interval between look-ups of a person who plays in private."""
MOST_KNOWN: Final = 4096


class MemberStatus(Enum):
    """A person's status in a group."""

    FREE = "free"
    MUTED = "muted"
    """In the group, but without the right to write there."""
    OUT = "out"


@dataclass(frozen=True, slots=True)
class _Known:
    """The last status, the time of the last look-up or report, and of the person's last update."""

    status: MemberStatus | None = None
    asked_at: float = -math.inf
    seen_at: float = -math.inf


class MemberCache:
    """The last known status by chat and person. All times are unix seconds."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], _Known] = {}

    def learn(self, chat_id: int, user_id: int, status: MemberStatus | None, now: float) -> None:
        """Store a reported status. None means that a look-up failed, and keeps the last status."""
        known = self._get(chat_id, user_id)
        self._keep(chat_id, user_id, replace(known, status=status or known.status, asked_at=now))

    def note_seen(self, chat_id: int, user_id: int, now: float) -> None:
        """Note that an update of this person's has come from the group.

        If they were out, nothing is known then: they may be back, or have sent it before they went. The next
        look-up makes a call.
        """
        known = self._get(chat_id, user_id)
        is_out = known.status is MemberStatus.OUT
        self._keep(chat_id, user_id, _Known() if is_out else replace(known, seen_at=now))

    def last_status(self, chat_id: int, user_id: int) -> MemberStatus | None:
        """The last reported status; None if there has been none."""
        return self._get(chat_id, user_id).status

    def is_fresh(self, chat_id: int, user_id: int, now: float) -> bool:
        """Whether no look-up is needed. The status `FREE` always needs one."""
        known = self._get(chat_id, user_id)
        return known.status is not MemberStatus.FREE and now - known.asked_at < FRESH_SECONDS

    def is_due(self, chat_id: int, user_id: int, now: float) -> bool:
        """Whether there has been no look-up or report, and no update of the person, for `WATCH_SECONDS`."""
        known = self._get(chat_id, user_id)
        return now - max(known.asked_at, known.seen_at) >= WATCH_SECONDS

    def _get(self, chat_id: int, user_id: int) -> _Known:
        return self._known.get((chat_id, user_id), _Known())

    def _keep(self, chat_id: int, user_id: int, known: _Known) -> None:
        self._known.pop((chat_id, user_id), None)
        self._known[chat_id, user_id] = known
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
