"""Requests for what belongs to no table, and how much each person has asked for lately. Pure.

Who asks seldom is answered soon, whatever others ask for; who asks all the time gets what is left over.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages.kinds import Kind

SHARE_SECONDS = 10.0
"""Whoever asks for something in a chat uses up their share of its calls for so long."""
MOST_AHEAD_SECONDS = 20.0
"""So far ahead of their share they still count as somebody who asks seldom: with three things at once."""
LONGEST_SHARE_SECONDS = 60.0
"""The longest that a share is used up: so long after the last request everybody begins anew."""
MOST_REMEMBERED = 4096
"""People, by chat, of whom it is known what they have asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What calls are made for: who has asked for it (0: nobody), when, and when that person last had before.

    Times are unix seconds. `kind` is that of an answer; None where it is something else. `is_seldom`: it
    comes from somebody who seldom asks.
    """

    chat_id: int
    asked_by: int
    asked_at: float
    asked_before: float = 0.0
    is_seldom: bool = False
    kind: Kind | None = None

    def supersedes(self, other: Request) -> bool:
        """Are both answers to one person, of which only this one is given? In private: both of one kind."""
        if None in (self.kind, other.kind) or not self.asked_by:
            return False
        is_same = (self.chat_id, self.asked_by) == (other.chat_id, other.asked_by)
        return is_same and (self.chat_id < 0 or self.kind is other.kind)


@dataclass(frozen=True, slots=True)
class _Asker:
    """When a person last asked for something in a chat, and until when their share is used up."""

    asked_at: float = 0.0
    used_until: float = 0.0


class Requests:
    """Counts what people ask for."""

    def __init__(self) -> None:
        self._askers: dict[tuple[int, int], _Asker] = {}
        """By chat and person."""

    def make(self, now: float, chat_id: int, asked_by: int, kind: Kind | None) -> Request:
        """A request made now, which counts as such; 0: nobody has asked."""
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
