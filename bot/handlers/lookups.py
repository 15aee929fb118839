"""What Telegram says of a chat's members: every such question to it is asked here, and remembered briefly.

An answer is what Telegram said, or None: it did not say. Who asks must keep these apart, since «not known» is
neither yes nor no. Of questions that are asked at the same time one goes out; an answer is used for
`FRESH_SECONDS` at most, unless an update tells meanwhile that it has changed.
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
"""How long an answer is used. Only where the bot is an admin does Telegram tell that it has changed."""
MEMBER_BURST = 5
"""So many questions about one member are asked as they come; the next answer is used for `FRESH_SECONDS`, so
that nobody has Telegram asked at every press."""
PAUSE_SECONDS = 1.0
"""How long a question that was not answered is left alone; after a 429 as long as Telegram wants."""
MOST_REMEMBERED = 1024


@dataclass(slots=True, eq=False)
class _Entry:
    """A look-up: under way until it is done, used until `until` (unix seconds)."""

    task: asyncio.Task[Any]
    until: float = math.inf


class Lookups:
    """Such questions, under way and answered. `now` gives unix seconds."""

    def __init__(self, bot: Bot, now: Callable[[], float]) -> None:
        self._bot = bot
        self._now = now
        self._entries: dict[tuple[int, str], _Entry] = {}
        self._member_questions: dict[tuple[int, str], tuple[float, int]] = {}
        """Since when (unix seconds) and how often each member has been asked about."""

    async def admins(self, chat_id: int, patience: float | None = None) -> frozenset[int] | None:
        """The ids of a group's creator and admins. None: Telegram did not say, or not within `patience`.

        A list that bots may read without being admins, also where the members are hidden
        (https://core.telegram.org/bots/api#getchatadministrators); `getChatMember` is refused there.
        """

        async def ask() -> frozenset[int]:
            members = await self._bot.get_chat_administrators(chat_id)
            return frozenset(member.user.id for member in members)

        return await self._answer(chat_id, "admins", ask, patience)

    async def own(self, chat_id: int) -> ChatMember | None:
        """The bot itself as a member of this group."""

        async def ask() -> ChatMember:
            return await self._bot.get_chat_member(chat_id, self._bot.id)

        return await self._answer(chat_id, "own", ask)

    async def member(self, chat_id: int, user_id: int) -> ChatMember | None:
        """Somebody as a member of this group: as of now, unless it is asked all the time.

        Where the bot is no admin, Telegram need not tell (https://core.telegram.org/bots/api#getchatmember).
        """

        async def ask() -> ChatMember:
            return await self._bot.get_chat_member(chat_id, user_id)

        place = chat_id, f"member {user_id}"
        now = self._now()
        began, count = self._member_questions.get(place, (now, 0))
        if now - began >= FRESH_SECONDS:
            began, count = now, 0
        self._member_questions[place] = began, count + 1
        return await self._answer(*place, ask, fresh=FRESH_SECONDS if count >= MEMBER_BURST else 0.0)

    def forget(self, chat_id: int) -> None:
        """Something has changed in this chat: the next question goes to Telegram again."""
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
        """The answer remembered, or the one that is on its way; a question that takes too long goes on."""
        place = chat_id, what
        entry = self._entries.get(place)
        if entry is None or entry.until <= self._now():
            self._make_room()
            entry = self._entries[place] = _Entry(asyncio.create_task(self._call(place, ask, fresh)))
        await asyncio.wait({entry.task}, timeout=patience)
        return cast("T | None", entry.task.result()) if entry.task.done() else None

    async def _call(self, place: tuple[int, str], ask: Question[T], fresh: float) -> T | None:
        """Ask Telegram: the one way by which these questions go out."""
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
        finally:
            entry = self._entries.get(place)
            if entry is not None and entry.task is asyncio.current_task():
                entry.until = self._now() + used

    def _make_room(self) -> None:
        """Keep what is under way, and what is new."""
        if len(self._member_questions) >= MOST_REMEMBERED:
            self._member_questions.clear()
        if len(self._entries) >= MOST_REMEMBERED:
            now = self._now()
            self._entries = {place: entry for place, entry in self._entries.items() if entry.until > now}
