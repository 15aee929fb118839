"""The outbox: sends, edits, deletes and pins messages that belong to no table, such as answers and menus.

Its calls wait for their turn in the scheduler, beside the reconciler's. A person has at most one answer
waiting in a group, and who has asked for something there least lately goes first. So nobody who asks all the
time keeps others waiting. A message that is there already is edited whatever else is asked for.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.messages.gateway import (
    CallFailed,
    Flooded,
    MessageGateway,
    NotAllowed,
    OtherKind,
    Unanswered,
    Undeletable,
    Undrawable,
)
from bot.messages.kinds import Kind
from bot.messages.rate_limit import Priority
from bot.messages.requests import Request, Requests
from bot.messages.scheduler import PendingCall, Scheduler
from bot.screens.screen import Screen

log = logging.getLogger(__name__)

T = TypeVar("T")
V = TypeVar("V")

MOST_WAITING = 8
"""Answers that wait for their turn in one chat: as many as go out in half a minute."""
MOST_REMEMBERED = 4096
"""Messages that are known to be gone, or what they show."""


class Crowded(CallFailed):
    """Too many answers wait in this chat: one more would come too late to be of use."""


class Superseded(CallFailed):
    """Whoever asked for this has asked for something else in this chat before it had its turn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueuedCall(PendingCall):
    """A call that waits until `turn` is done."""

    turn: asyncio.Future[None]
    request: Request


@dataclass(slots=True, eq=False)
class _Edit:
    """An edit that waits for its turn or is under way."""

    chat_id: int
    message_id: int
    screen: Screen
    instead: Callable[[], Awaitable[None]] | None
    request: Request
    is_under_way: bool = False
    task: asyncio.Task[None] | None = None


class Outbox:
    """Makes calls for messages that belong to no table. `now` gives unix seconds."""

    def __init__(self, gateway: MessageGateway, scheduler: Scheduler, now: Callable[[], float]) -> None:
        self._gateway = gateway
        self._scheduler = scheduler
        self._now = now
        scheduler.add(self)
        self._queue: dict[QueuedCall, None] = {}
        self._requests = Requests()
        self._edits: dict[tuple[int, int], _Edit] = {}
        self._digests: dict[tuple[int, int], str] = {}
        """What messages show, as far as it is known, by chat and message id."""
        self._removed: dict[tuple[int, int], None] = {}
        """Messages that were deleted: it may be asked for twice, and takes one call."""
        self._removals: dict[tuple[int, int], asyncio.Event] = {}
        """Messages that are being deleted, and what is set when that has ended."""

    async def say(
        self,
        chat_id: int,
        thread_id: int,
        screen: Screen,
        *,
        kind: Kind,
        silent: bool = True,
        asked_by: int = 0,
        reply_to: int = 0,
    ) -> int:
        """Send a screen, as text where the chat takes no picture, and return the message's id.

        `asked_by` is the person it answers and `reply_to` the message that asked; 0: none. Raises CallFailed:
        Crowded, and Superseded if the same person asks for something else before its turn has come, in
        private for another of its kind.
        """
        request = self._request(chat_id, asked_by, kind)
        self._require_room(request)

        async def send() -> int:
            return await self._gateway.send(chat_id, thread_id, screen, silent=silent, reply_to=reply_to)

        try:
            message_id = await self._in_turn(request, send)
        except (NotAllowed, Undrawable) as failure:
            if screen.picture is None:
                raise
            log.info("text in place of a picture: %s", failure, extra={"chat": chat_id, "kind": kind})
            screen = replace(screen, picture=None)
            message_id = await self._in_turn(request, send, is_repeated=True)
        self._note(self._digests, (chat_id, message_id), screen.digest)
        return message_id

    async def say_file(
        self, chat_id: int, name: str, content: bytes, caption: str, *, kind: Kind, asked_by: int = 0
    ) -> None:
        """Send a file. Raises CallFailed."""
        request = self._request(chat_id, asked_by, kind)
        self._require_room(request)
        await self._in_turn(request, lambda: self._gateway.send_file(chat_id, name, content, caption))

    def redraw(
        self,
        chat_id: int,
        message_id: int,
        screen: Screen,
        instead: Callable[[], Awaitable[None]] | None = None,
        *,
        asked_by: int = 0,
    ) -> None:
        """Edit a message when its turn comes; a newer screen given before then replaces this one.

        Returns at once, so that somebody who turns pages fast has the next press answered at once. No edit
        can turn a picture into text: then `instead` is done. A message that shows this screen already is left
        alone.
        """
        place = chat_id, message_id
        edit = self._edits.get(place)
        is_waiting = edit is not None and not edit.is_under_way
        if self._digests.get(place) == screen.digest:
            if is_waiting:
                self._give_up_edit(place)
            return
        request = self._request(chat_id, asked_by)
        if edit is not None and is_waiting:
            edit.screen, edit.instead = screen, instead
            if edit.request.is_seldom or not request.is_seldom:
                return
            self._give_up_edit(place)  # what comes from this person goes earlier
        edit = self._edits[place] = _Edit(chat_id, message_id, screen, instead, request)
        edit.task = self._scheduler.spawn(self._carry_out_edit(edit))

    async def remove(
        self, chat_id: int, message_id: int, *, asked_by: int = 0, priority: Priority = Priority.ANSWER
    ) -> None:
        """Delete a message, once; one too old for that loses its buttons. Raises CallFailed.

        Returns once it is gone, whoever was the first to ask for that.
        """
        place = chat_id, message_id
        while (removal := self._removals.get(place)) is not None:
            await removal.wait()
        if place in self._removed:
            return
        removal = self._removals[place] = asyncio.Event()
        self._give_up_edit(place)
        self._digests.pop(place, None)
        request = self._request(chat_id, asked_by if priority is Priority.ANSWER else 0)

        async def in_turn(call: Callable[[int, int], Awaitable[None]]) -> None:
            await self._in_turn(request, lambda: call(*place), priority)

        try:
            try:
                await in_turn(self._gateway.delete)
            except Undeletable:
                await in_turn(self._gateway.remove_keyboard)
            self._note(self._removed, place, None)
        finally:
            del self._removals[place]
            removal.set()

    async def pin(self, chat_id: int, message_id: int) -> None:
        """Pin a message, silently. Raises CallFailed."""
        request = self._request(chat_id)
        await self._in_turn(request, lambda: self._gateway.pin(chat_id, message_id), Priority.HISTORY)

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Unpin a message. Raises CallFailed."""
        request = self._request(chat_id)
        await self._in_turn(request, lambda: self._gateway.unpin(chat_id, message_id), Priority.HISTORY)

    # ------------------------------------------------------------------------------ a source of the scheduler

    async def prepare(self) -> None:
        """Nothing to find out: calls are queued when they are asked for."""

    def pending(self, _now: float) -> list[QueuedCall]:
        """The calls that wait for their turn."""
        return self._waiting()

    def start(self, call: QueuedCall, _now: float) -> None:
        """Let this call be made: its turn has come."""
        del self._queue[call]
        if not call.turn.done():
            call.turn.set_result(None)

    def stop(self) -> None:
        """Give up the edits that still wait for their turn."""
        for edit in self._edits.values():
            if edit.task is not None and not edit.is_under_way:
                edit.task.cancel()

    # ---------------------------------------------------------------------------------------------- inside

    def _request(self, chat_id: int, asked_by: int = 0, kind: Kind | None = None) -> Request:
        return self._requests.make(self._now(), chat_id, asked_by, kind)

    def _require_room(self, request: Request) -> None:
        """Make room where too many answers wait: who has asked most lately goes without.

        Raises Crowded if that is whoever makes this request.
        """
        answers = [
            call
            for call in self._waiting()
            if call.chat_id == request.chat_id and call.request.kind is not None
        ]
        if len(answers) < MOST_WAITING or any(request.supersedes(call.request) for call in answers):
            return
        latest = max(answers, key=lambda call: call.request.asked_before)
        if latest.request.asked_before <= request.asked_before:
            raise Crowded(f"{MOST_WAITING} answers wait, and a {request.kind} would be one more")
        latest.turn.set_exception(Superseded("others who ask less wait"))

    def _waiting(self) -> list[QueuedCall]:
        return [call for call in self._queue if not call.turn.done()]

    async def _carry_out_edit(self, edit: _Edit) -> None:
        place = edit.chat_id, edit.message_id

        async def show() -> None:
            edit.is_under_way = True
            if self._edits.get(place) is not edit:  # a newer one was asked for since the first attempt
                return
            self._note(self._digests, place, edit.screen.digest)
            try:
                await self._gateway.edit(*place, edit.screen)
            except BaseException:
                self._digests.pop(place, None)
                raise

        async def show_somehow() -> None:
            try:
                await self._in_turn(edit.request, show)
            except (NotAllowed, Undrawable):
                if edit.screen.picture is None:
                    raise
                edit.screen = replace(edit.screen, picture=None)
                await self._in_turn(edit.request, show, is_repeated=True)

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
        self,
        request: Request,
        call: Callable[[], Awaitable[T]],
        priority: Priority = Priority.ANSWER,
        *,
        is_repeated: bool = False,
    ) -> T:
        """Make a call when its turn comes; once more after a flood limit or a lost answer.

        `is_repeated`: it was tried before.
        """
        chat_id = request.chat_id
        for is_last in (False, True):
            async with self._turn(request, priority, is_repeated=is_repeated or is_last):
                try:
                    return await call()
                except Flooded as failure:
                    log.warning("flood limit: %s", failure, extra={"chat": chat_id})
                    self._scheduler.rate_limiter.hold(chat_id, self._now() + failure.retry_after)
                    if is_last:
                        raise
                except Unanswered as failure:
                    log.warning("not answered: %s", failure, extra={"chat": chat_id})
                    if is_last:
                        raise
        raise AssertionError("the last attempt returns or raises")

    @asynccontextmanager
    async def _turn(self, request: Request, priority: Priority, *, is_repeated: bool) -> AsyncIterator[None]:
        """Wait for the turn of a call to this chat, and keep the chat busy until it is over.

        An answer takes the place of one that it supersedes.
        """
        for earlier in self._waiting():
            if request.supersedes(earlier.request):
                if is_repeated:
                    raise Superseded("something newer waits")
                request = replace(request, asked_at=earlier.request.asked_at)
                earlier.turn.set_exception(Superseded("something newer was asked for"))
        turn = asyncio.get_running_loop().create_future()
        call = QueuedCall(
            chat_id=request.chat_id,
            priority=priority,
            since=request.asked_at,
            generous_until=math.inf,
            asked_before=request.asked_before,
            goes_first=request.chat_id < 0 and request.is_seldom,
            turn=turn,
            request=request,
        )
        self._queue[call] = None
        self._scheduler.wake()
        try:
            await turn
            yield
        finally:
            if call in self._queue:
                del self._queue[call]
            else:
                self._scheduler.finished(call)

    def _give_up_edit(self, place: tuple[int, int]) -> None:
        """Cancel the edit of a message if it still waits for its turn."""
        edit = self._edits.get(place)
        if edit is not None and edit.task is not None and not edit.is_under_way:
            del self._edits[place]
            edit.task.cancel()

    def _note(self, notes: dict[tuple[int, int], V], place: tuple[int, int], value: V) -> None:
        """Remember something, and forget the oldest where there is too much."""
        notes.pop(place, None)
        notes[place] = value
        if len(notes) > MOST_REMEMBERED:
            del notes[next(iter(notes))]
