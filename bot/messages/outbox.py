"""The outbox: sends, edits, deletes and pins messages that belong to no table, such as answers and menus.

Its calls wait for their turn in the scheduler, beside the reconciler's. Of each kind a person has at most one
answer waiting in a chat, and of all kinds a few; somebody who has just had one lets others go first. So
nobody who asks all the time keeps others waiting. A message that is there already is edited whatever else is
asked for.
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
from bot.messages.scheduler import PendingCall, Scheduler
from bot.screens.screen import Screen

log = logging.getLogger(__name__)

T = TypeVar("T")
V = TypeVar("V")

MOST_WAITING = 8
"""Answers that wait for their turn in one chat: as many as go out in half a minute."""
MOST_EACH = 3
"""Of these for one person; a further one supersedes the oldest."""
SHARE_SECONDS = 10.0
"""After each call made for somebody in a chat, their next one there counts as asked for this much later."""
LONGEST_SHARE_SECONDS = 120.0
"""The most that these add up to."""
MOST_REMEMBERED = 4096
"""Messages known to be gone or to show something, and people whose share of a chat is known."""


class Crowded(CallFailed):
    """Too many answers wait in this chat: one more would come too late to be of use."""


class Superseded(CallFailed):
    """Whoever asked for this has asked for something else in this chat before it had its turn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueuedCall(PendingCall):
    """A call that waits until `turn` is done. `asked_by` is the person it is for, 0 if nobody has asked."""

    turn: asyncio.Future[None]
    asked_by: int = 0


@dataclass(slots=True, eq=False)
class _Edit:
    """An edit that waits for its turn or is under way."""

    chat_id: int
    message_id: int
    screen: Screen
    instead: Callable[[], Awaitable[None]] | None
    asked_by: int
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
        self._answers: dict[tuple[int, int, Kind], QueuedCall] = {}
        """The answers that wait for their turn, by chat, person and kind, the oldest first."""
        self._used_until: dict[tuple[int, int], float] = {}
        """Until when people have used up their shares (unix seconds), by chat and by person."""
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
        Crowded, and Superseded if the same person asks for another of its kind before its turn has come, or
        for too much else.
        """
        self._require_room(chat_id, asked_by, kind)

        async def send() -> int:
            return await self._gateway.send(chat_id, thread_id, screen, silent=silent, reply_to=reply_to)

        try:
            message_id = await self._in_turn(chat_id, send, asked_by=asked_by, kind=kind)
        except (NotAllowed, Undrawable) as failure:
            if screen.picture is None:
                raise
            log.info("text in place of a picture: %s", failure, extra={"chat": chat_id, "kind": kind})
            screen = replace(screen, picture=None)
            message_id = await self._in_turn(chat_id, send, asked_by=asked_by, kind=kind, is_repeated=True)
        self._note(self._digests, (chat_id, message_id), screen.digest)
        return message_id

    async def say_file(
        self, chat_id: int, name: str, content: bytes, caption: str, *, kind: Kind, asked_by: int = 0
    ) -> None:
        """Send a file. Raises CallFailed."""
        self._require_room(chat_id, asked_by, kind)
        await self._in_turn(
            chat_id,
            lambda: self._gateway.send_file(chat_id, name, content, caption),
            asked_by=asked_by,
            kind=kind,
        )

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
        elif edit is not None and is_waiting:
            edit.screen, edit.instead = screen, instead
        else:
            edit = self._edits[place] = _Edit(chat_id, message_id, screen, instead, asked_by)
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

        async def in_turn(call: Callable[[int, int], Awaitable[None]]) -> None:
            await self._in_turn(chat_id, lambda: call(*place), priority, asked_by=asked_by)

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
        await self._in_turn(chat_id, lambda: self._gateway.pin(chat_id, message_id), Priority.HISTORY)

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Unpin a message. Raises CallFailed."""
        await self._in_turn(chat_id, lambda: self._gateway.unpin(chat_id, message_id), Priority.HISTORY)

    # ------------------------------------------------------------------------------ a source of the scheduler

    async def prepare(self) -> None:
        """Nothing to find out: calls are queued when they are asked for."""

    def pending(self, _now: float) -> list[QueuedCall]:
        """The calls that wait for their turn."""
        return self._waiting()

    def start(self, call: QueuedCall, now: float) -> None:
        """Let this call be made: its turn has come."""
        self._leave_queue(call)
        if call.asked_by:
            place = call.chat_id, call.asked_by
            used_until = max(now, self._used_until.get(place, 0.0)) + SHARE_SECONDS
            self._note(self._used_until, place, min(used_until, now + LONGEST_SHARE_SECONDS))
        if not call.turn.done():
            call.turn.set_result(None)

    def stop(self) -> None:
        """Give up the edits that still wait for their turn."""
        for edit in self._edits.values():
            if edit.task is not None and not edit.is_under_way:
                edit.task.cancel()

    # ---------------------------------------------------------------------------------------------- inside

    def _require_room(self, chat_id: int, asked_by: int, kind: Kind) -> None:
        """Raises Crowded where too many answers wait, and none that this one would supersede."""
        if self._superseded_by(chat_id, asked_by, kind) is not None:
            return
        if sum(call.chat_id == chat_id for call in self._waiting()) >= MOST_WAITING:
            raise Crowded(f"{MOST_WAITING} answers wait, and a {kind} would be one more")

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
                await self._in_turn(edit.chat_id, show, asked_by=edit.asked_by)
            except (NotAllowed, Undrawable):
                if edit.screen.picture is None:
                    raise
                edit.screen = replace(edit.screen, picture=None)
                await self._in_turn(edit.chat_id, show, asked_by=edit.asked_by, is_repeated=True)

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
        chat_id: int,
        call: Callable[[], Awaitable[T]],
        priority: Priority = Priority.ANSWER,
        *,
        asked_by: int = 0,
        kind: Kind | None = None,
        is_repeated: bool = False,
    ) -> T:
        """Make a call when its turn comes; once more after a flood limit or a lost answer.

        An answer has a `kind`, and supersedes what `_superseded_by` says. `is_repeated`: it was tried before.
        """
        for is_last in (False, True):
            turn = self._turn(chat_id, priority, asked_by, kind, is_repeated=is_repeated or is_last)
            async with turn:
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
    async def _turn(
        self, chat_id: int, priority: Priority, asked_by: int, kind: Kind | None, *, is_repeated: bool
    ) -> AsyncIterator[None]:
        """Wait for the turn of a call to this chat, and keep the chat busy until it is over."""
        turn = asyncio.get_running_loop().create_future()
        since = max(self._now(), self._used_until.get((chat_id, asked_by), 0.0))
        earlier = None if kind is None else self._superseded_by(chat_id, asked_by, kind)
        if earlier is not None:
            if is_repeated:
                raise Superseded("something newer waits")
            since = min(since, earlier.since)
            if not earlier.turn.done():
                earlier.turn.set_exception(Superseded("something newer was asked for"))
        call = QueuedCall(
            chat_id=chat_id,
            priority=priority,
            since=since,
            generous_until=math.inf,
            turn=turn,
            asked_by=asked_by,
        )
        self._queue[call] = None
        if asked_by and kind is not None:
            self._answers[chat_id, asked_by, kind] = call
        self._scheduler.wake()
        try:
            await turn
            yield
        finally:
            if call in self._queue:
                self._leave_queue(call)
            else:
                self._scheduler.finished(call)

    def _leave_queue(self, call: QueuedCall) -> None:
        del self._queue[call]
        for place in [place for place, waiting in self._answers.items() if waiting is call]:
            del self._answers[place]

    def _superseded_by(self, chat_id: int, asked_by: int, kind: Kind) -> QueuedCall | None:
        """The waiting answer that a new one of this kind would take the place of."""
        if not asked_by:
            return None
        same = self._answers.get((chat_id, asked_by, kind))
        theirs = [call for place, call in self._answers.items() if place[:2] == (chat_id, asked_by)]
        return same or (theirs[0] if len(theirs) >= MOST_EACH else None)

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
