"""Requests for messages that belong to no table, and how many each person has made lately. Pure.

People who seldom ask are answered soon, however much others ask for. People who ask all the time get the
calls that are left.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages.kinds import Kind

SHARE_SECONDS = 10.0
"""A request uses up its sender's share of the chat's calls for this long."""
MOST_AHEAD_SECONDS = 20.0
"""Up to this far ahead of their share a person still counts as seldom asking: three requests at once."""
LONGEST_SHARE_SECONDS = 60.0
"""The longest time that a share is used up; after that a person starts afresh."""
MOST_REMEMBERED = 4096
"""The most pairs of chat and person whose requests are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request for a message: its sender (0: nobody), its time, and the time of the sender's previous one.

    Times are unix seconds. `kind` is the kind of answer; None if it is no answer. `is_seldom`: the sender
    seldom asks.
    """

    chat_id: int
    asked_by: int
    asked_at: float
    asked_before: float = 0.0
    is_seldom: bool = False
    kind: Kind | None = None

    def supersedes(self, other: Request) -> bool:
        """Return whether this answer replaces the other: same person and chat, in private also same kind."""
        if None in (self.kind, other.kind) or not self.asked_by:
            return False
        is_same = (self.chat_id, self.asked_by) == (other.chat_id, other.asked_by)
        return is_same and (self.chat_id < 0 or self.kind is other.kind)


@dataclass(frozen=True, slots=True)
class _Asker:
    """The time of a person's last request in a chat, and the time until which their share is used up."""

    asked_at: float = 0.0
    used_until: float = 0.0


class Requests:
    """Keeps track of people's requests."""

    def __init__(self) -> None:
        self._askers: dict[tuple[int, int], _Asker] = {}
        """By chat and person."""

    def make(self, now: float, chat_id: int, asked_by: int, kind: Kind | None) -> Request:
        """Create and count a request made now; `asked_by` 0: nobody asked."""
        if not asked_by:
            return Request(chat_id=chat_id, asked_by=0, asked_at=now, kind=kind)
        asker = self._askers.pop((chat_id, asked_by), _Asker())
        used_until = max(now, asker.used_until)
        next_used_until = min(used_until + SHARE_SECONDS, now + LONGEST_SHARE_SECONDS)
        self._askers[chat_id, asked_by] = _Asker(now, next_used_until)
        if len(self._askers) > MOST_REMEMBERED:
            del self._askers[next(iter(self._askers))]
        return Request(
            chat_id=chat_id,
            asked_by=asked_by,
            asked_at=now,
            asked_before=asker.asked_at,
            is_seldom=used_until <= now + MOST_AHEAD_SECONDS,
            kind=kind,
        )
