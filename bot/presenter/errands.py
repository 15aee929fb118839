"""Messages that belong to no table: answers to commands, menus, pins. Each has its turn among tables' steps.

Who asks for one waits for its turn, or has it drawn again while it waits. When a turn has come is decided by
`presenter`, which is made upon this and keeps one task for all calls.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.presenter.budget import Budget, Priority
from bot.presenter.courier import (
    CallFailed,
    Courier,
    Flooded,
    NotAllowed,
    OtherKind,
    Unanswered,
    Undeletable,
    Undrawable,
)
from bot.presenter.schedule import Need
from bot.presenter.steps import GENEROUS_SECONDS
from bot.screens.screen import Screen

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_WAITING = 8
"""Answers that wait for their turn in one chat: half a minute's worth. A group's table waits for them too."""


class Crowded(CallFailed):
    """So many answers wait in this chat that one more would come too late to be of use."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Errand(Need):
    """A message that belongs to no table: its turn has come when `turn` is done."""

    turn: asyncio.Future[None]


@dataclass(slots=True, eq=False)
class _Edit:
    """An edit of a message that belongs to no table, waiting for its turn or under way."""

    chat_id: int
    message_id: int
    screen: Screen
    instead: Callable[[], Awaitable[None]] | None = None
    is_under_way: bool = False
    task: asyncio.Task[None] | None = None


class Errands:
    """Such messages. `now` gives unix seconds; `_wake` is set when there is something to have its turn."""

    def __init__(self, courier: Courier, budget: Budget, now: Callable[[], float]) -> None:
        self._courier = courier
        self._budget = budget
        self._now = now
        self._errands: set[Errand] = set()
        self._edits: dict[tuple[int, int], _Edit] = {}
        self._busy_chats: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

    async def say(self, chat_id: int, thread_id: int, screen: Screen, *, silent: bool = True) -> int:
        """Send a screen, as text where the chat takes no picture, and return its id. Raises CallFailed."""
        self._require_room(chat_id)
        try:
            return await self._in_turn(
                chat_id, lambda: self._courier.send(chat_id, thread_id, screen, silent=silent)
            )
        except (NotAllowed, Undrawable) as failure:
            if screen.picture is None:
                raise
            log.info("text in place of a picture: %s", failure, extra={"chat": chat_id})
            return await self.say(chat_id, thread_id, replace(screen, picture=None), silent=silent)

    async def say_file(self, chat_id: int, name: str, content: bytes, caption: str) -> None:
        """Send a file. Raises CallFailed."""
        self._require_room(chat_id)
        await self._in_turn(chat_id, lambda: self._courier.send_file(chat_id, name, content, caption))

    def redraw(
        self,
        chat_id: int,
        message_id: int,
        screen: Screen,
        instead: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Edit such a message when it has its turn; a newer screen that comes before takes this one's place.

        Nobody waits for it, so that whoever turns pages fast has his next press answered at once. Where it
        turns out that the message carries a picture and the screen has none, which no edit can bring about,
        `instead` is done.
        """
        edit = self._edits.get((chat_id, message_id))
        if edit is not None and not edit.is_under_way:
            edit.screen, edit.instead = screen, instead
            return
        edit = self._edits[chat_id, message_id] = _Edit(chat_id, message_id, screen, instead)
        edit.task = self._go_on(self._carry_out_edit(edit))

    async def remove(self, chat_id: int, message_id: int) -> None:
        """Delete such a message; one too old for that loses its buttons. Raises CallFailed."""
        try:
            await self._in_turn(chat_id, lambda: self._courier.delete(chat_id, message_id))
        except Undeletable:
            await self._in_turn(chat_id, lambda: self._courier.strip(chat_id, message_id))

    async def pin(self, chat_id: int, message_id: int) -> None:
        """Pin a message, silently. Raises CallFailed."""
        await self._in_turn(chat_id, lambda: self._courier.pin(chat_id, message_id), Priority.HISTORY)

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Take a pin off. Raises CallFailed."""
        await self._in_turn(chat_id, lambda: self._courier.unpin(chat_id, message_id), Priority.HISTORY)

    # ---------------------------------------------------------------------------------------------- inside

    def _require_room(self, chat_id: int) -> None:
        """Raises Crowded where too many wait already."""
        if sum(errand.chat_id == chat_id for errand in self._errands) >= MOST_WAITING:
            raise Crowded(f"{MOST_WAITING} answers wait")

    async def _carry_out_edit(self, edit: _Edit) -> None:
        place = edit.chat_id, edit.message_id

        async def show() -> None:
            edit.is_under_way = True
            if self._edits.get(place) is edit:  # else a newer one was asked for since the first attempt
                await self._courier.edit(*place, edit.screen)

        async def show_somehow() -> None:
            try:
                await self._in_turn(edit.chat_id, show)
            except (NotAllowed, Undrawable):
                if edit.screen.picture is None:
                    raise
                edit.screen = replace(edit.screen, picture=None)
                await self._in_turn(edit.chat_id, show)

        try:
            try:
                await show_somehow()
            except OtherKind:
                if edit.instead is None:
                    raise
                await edit.instead()
        except CallFailed as failure:
            log.info("not redrawn: %s", failure, extra={"chat": edit.chat_id})
        except Exception:
            log.exception("a redraw broke", extra={"chat": edit.chat_id})
        finally:
            if self._edits.get(place) is edit:
                del self._edits[place]

    async def _in_turn(
        self, chat_id: int, call: Callable[[], Awaitable[T]], priority: Priority = Priority.GROUP
    ) -> T:
        """Make a call when it has its turn; once more if Telegram was flooded or did not answer."""
        for has_another in (True, False):
            async with self._turn(chat_id, priority):
                try:
                    return await call()
                except Flooded as failure:
                    log.warning("flood limit: %s", failure, extra={"chat": chat_id})
                    self._budget.hold(chat_id, self._now() + failure.retry_after)
                    if not has_another:
                        raise
                except Unanswered as failure:
                    log.warning("not answered: %s", failure, extra={"chat": chat_id})
                    if not has_another:
                        raise
        raise AssertionError("the last attempt returns or raises")

    @asynccontextmanager
    async def _turn(self, chat_id: int, priority: Priority) -> AsyncIterator[None]:
        """Wait until a call to this chat has its turn, and keep the chat until it is over."""
        turn = asyncio.get_running_loop().create_future()
        now = self._now()
        errand = Errand(
            chat_id=chat_id,
            priority=priority,
            since=now,
            generous_until=now + GENEROUS_SECONDS,
            turn=turn,
        )
        self._errands.add(errand)
        self._wake.set()
        try:
            await turn
            yield
        finally:
            if errand in self._errands:
                self._errands.remove(errand)
            else:
                if errand.takes_chat:  # pins go beside other calls: the chat is not theirs to free
                    self._busy_chats.discard(chat_id)
                self._wake.set()

    def _begin(self, errand: Errand) -> None:
        """This one has its turn."""
        self._errands.remove(errand)
        if not errand.turn.done():
            errand.turn.set_result(None)

    def _give_up_edits(self) -> None:
        """Those that still wait for their turn will not have it."""
        for edit in self._edits.values():
            if edit.task is not None and not edit.is_under_way:
                edit.task.cancel()

    def _go_on(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
