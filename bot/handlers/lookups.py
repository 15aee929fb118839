"""Looks up chats and members at Telegram, with a short-lived cache. All such calls go through this module.

A result of None means that Telegram did not answer, which callers must not take for yes or no. Concurrent
look-ups of the same thing share one call; a result is used for at most `FRESH_SECONDS`, or until an update
reports a change.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

from telegram import Bot, ChatMember
from telegram.error import RetryAfter, TelegramError

log = logging.getLogger(__name__)

T = TypeVar("T")
Question: TypeAlias = Callable[[], Coroutine[Any, Any, T]]

FRESH_SECONDS = 10.0
"""The lifetime of a result. Telegram reports changes only where the bot is an admin."""
MEMBER_BURST = 5
"""The number of look-ups of one member in a row that each make a call; the next result is used for
`FRESH_SECONDS`, so that presses cannot cause calls without end."""
PAUSE_SECONDS = 1.0
"""The pause after a failed look-up; after a 429 it is as long as Telegram demands."""
MOST_REMEMBERED = 1024
"""The most look-ups that are kept, and members whose look-ups are counted. While so many are running, no
other begins."""


@dataclass(slots=True, eq=False)
class _Entry:
    """A look-up, whose result is used until `until` (unix seconds; infinite while it is running)."""

    task: asyncio.Task[Any]
    until: float = math.inf


class Lookups:
    """The running look-ups and cached results. `now` returns unix seconds."""

    def __init__(self, bot: Bot, now: Callable[[], float]) -> None:
        self._bot = bot
        self._now = now
        self._entries: dict[tuple[int, str], _Entry] = {}
        self._member_questions: dict[tuple[int, str], tuple[float, int]] = {}
        """The start (unix seconds) of a series of look-ups of a member, and their number."""

    async def admins(self, chat_id: int, patience: float | None = None) -> frozenset[int] | None:
        """The ids of a group's creator and admins; None without an answer within `patience` seconds.

        Bots may read this list without being admins, even where members are hidden
        (https://core.telegram.org/bots/api#getchatadministrators) and `getChatMember` is refused.
        """

        async def ask() -> frozenset[int]:
            members = await self._bot.get_chat_administrators(chat_id)
            return frozenset(member.user.id for member in members)

        return await self._answer(chat_id, "admins", ask, patience)

    async def is_closed(self, chat_id: int) -> bool | None:
        """Return whether the group's default permissions keep its ordinary members from writing.

        No update tells that they have changed, and getChat tells them to any member
        (https://core.telegram.org/bots/api#chatfullinfo).
        """

        async def ask() -> bool:
            permissions = (await self._bot.get_chat(chat_id)).permissions
            return permissions is not None and permissions.can_send_messages is False

        return await self._answer(chat_id, "permissions", ask)

    async def own(self, chat_id: int) -> ChatMember | None:
        """The bot itself as a member of this group."""

        async def ask() -> ChatMember:
            return await self._bot.get_chat_member(chat_id, self._bot.id)

        return await self._answer(chat_id, "own", ask)

    async def member(self, chat_id: int, user_id: int) -> ChatMember | None:
        """A person as a member of this group, not from the cache unless looked up very often.

        Telegram guarantees an answer only to admins (https://core.telegram.org/bots/api#getchatmember).
        """

        async def ask() -> ChatMember:
            return await self._bot.get_chat_member(chat_id, user_id)

        place = chat_id, f"member {user_id}"
        now = self._now()
        began, count = self._member_questions.get(place, (now, 0))
        if now - began >= FRESH_SECONDS:
            began, count = now, 0
        self._member_questions.pop(place, None)
        if len(self._member_questions) >= MOST_REMEMBERED:
            del self._member_questions[next(iter(self._member_questions))]  # asked about longest ago
        self._member_questions[place] = began, count + 1
        return await self._answer(*place, ask, fresh=FRESH_SECONDS if count >= MEMBER_BURST else 0.0)

    def forget(self, chat_id: int) -> None:
        """Drop the cached results of this chat, because something has changed in it."""
        for place in [place for place in self._entries if place[0] == chat_id]:
            del self._entries[place]

    async def _answer(
        self,
        chat_id: int,
        what: str,
        ask: Question[T],
        patience: float | None = None,
        fresh: float = FRESH_SECONDS,
    ) -> T | None:
        """Return the cached result or that of a call. A call that exceeds `patience` continues."""
        place = chat_id, what
        entry = self._entries.get(place)
        if entry is None or entry.until <= self._now():
            self._entries.pop(place, None)
            if not self._make_room():
                return None
            entry = self._entries[place] = _Entry(asyncio.create_task(self._call(place, ask, fresh)))
        await asyncio.wait({entry.task}, timeout=patience)
        return cast("T | None", entry.task.result()) if entry.task.done() else None

    async def _call(self, place: tuple[int, str], ask: Question[T], fresh: float) -> T | None:
        """Make the call, and set how long its result is used. Errors are logged and become None."""
        chat_id, what = place
        used = PAUSE_SECONDS
        try:
            answer = await ask()
            used = fresh
            return answer
        except TelegramError as error:
            if isinstance(error, RetryAfter):
                after = error.retry_after
                used = float(after.total_seconds() if hasattr(after, "total_seconds") else after)
            log.warning("Telegram did not say: %s: %s", what, error, extra={"chat": chat_id})
            return None
        except Exception:
            log.exception("a look-up broke: %s", what, extra={"chat": chat_id})
            return None
        finally:
            entry = self._entries.get(place)
            if entry is not None and entry.task is asyncio.current_task():
                entry.until = self._now() + used

    def _make_room(self) -> bool:
        """Drop the oldest result if there are too many. Return False if all of them are still running."""
        if len(self._entries) < MOST_REMEMBERED:
            return True
        answered = next((place for place, entry in self._entries.items() if entry.task.done()), None)
        if answered is None:
            log.warning("not asked: %d look-ups are under way", len(self._entries))
            return False
        del self._entries[answered]
        return True
