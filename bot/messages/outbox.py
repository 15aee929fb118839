"""Messages that belong to no table: answers to commands, menus, pins. Each has its turn among tables' steps.

Who asks for one waits for its turn, or has it drawn again while it waits. When a turn has come is decided by
`messages`, which is made upon this and keeps one task for all calls.

Each person has one answer at a time that waits in a chat, and who has just had one lets others go first. So
nobody who asks all the time keeps others waiting.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
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
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.schedule import PendingCall
from bot.screens.screen import Screen

log = logging.getLogger(__name__)

T = TypeVar("T")
V = TypeVar("V")

MOST_WAITING = 8
"""Answers that wait for their turn in one chat: half a minute's worth."""
SHARE_SECONDS = 10.0
"""For each call that is made for somebody in a chat his next one counts as asked for so much later."""
LONGEST_SHARE_SECONDS = 120.0
"""And for all of them together at most so much."""
MOST_REMEMBERED = 4096
"""Messages known to be gone or to show something, and people whose share of a chat is known."""


class Crowded(CallFailed):
    """So many answers wait in this chat that one more would come too late to be of use."""


class Superseded(CallFailed):
    """Whoever asked for this has asked for something else in this chat before it had its turn."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueuedCall(PendingCall):
    """A message that belongs to no table: its turn has come when `turn` is done.

    `asked_by` is whoever it answers, 0 if nobody has asked.
    """

    turn: asyncio.Future[None]
    asked_by: int = 0


@dataclass(slots=True, eq=False)
class _Edit:
    """An edit of a message that belongs to no table, waiting for its turn or under way."""

    chat_id: int
    message_id: int
    screen: Screen
    instead: Callable[[], Awaitable[None]] | None
    asked_by: int
    is_under_way: bool = False
    task: asyncio.Task[None] | None = None


class Outbox:
    """Such messages. `now` gives unix seconds; `_wake` is set when there is something to have its turn."""

    def __init__(self, gateway: MessageGateway, rate_limiter: RateLimiter, now: Callable[[], float]) -> None:
        self._gateway = gateway
        self._rate_limiter = rate_limiter
        self._now = now
        self._queue: dict[QueuedCall, None] = {}
        self._latest: dict[tuple[int, int], QueuedCall] = {}
        """The answer that waits for its turn, by chat and by who has asked."""
        self._used_until: dict[tuple[int, int], float] = {}
        """Until when people have used up their shares (unix seconds), by chat and by who has asked."""
        self._edits: dict[tuple[int, int], _Edit] = {}
        self._digests: dict[tuple[int, int], str] = {}
        """What messages show, as far as it is known, by chat and message id."""
        self._removed: dict[tuple[int, int], None] = {}
        """Messages that are gone or going: what ends one may come twice, and no call is to be wasted."""
        self._busy_chats: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()

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
        """Send a screen, as text where the chat takes no picture, and return its id. Raises CallFailed.

        `asked_by`: whose question it answers (Superseded if that person asks for more before its turn has
        come), and `reply_to` the message that asked; 0: none.
        """
        self._require_room(chat_id, asked_by, kind)

        async def send() -> int:
            return await self._gateway.send(chat_id, thread_id, screen, silent=silent, reply_to=reply_to)

        try:
            message_id = await self._in_turn(chat_id, send, asked_by=asked_by)
        except (NotAllowed, Undrawable) as failure:
            if screen.picture is None:
                raise
            log.info("text in place of a picture: %s", failure, extra={"chat": chat_id, "kind": kind})
            screen = replace(screen, picture=None)
            message_id = await self._in_turn(chat_id, send, asked_by=asked_by, is_repeated=True)
        self._note(self._digests, (chat_id, message_id), screen.digest)
        return message_id

    async def say_file(
        self, chat_id: int, name: str, content: bytes, caption: str, *, kind: Kind, asked_by: int = 0
    ) -> None:
        """Send a file. Raises CallFailed."""
        self._require_room(chat_id, asked_by, kind)
        await self._in_turn(
            chat_id, lambda: self._gateway.send_file(chat_id, name, content, caption), asked_by=asked_by
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
        """Edit such a message when it has its turn; a newer screen that comes before takes this one's place.

        Nobody waits for it, so that whoever turns pages fast has his next press answered at once. Where it
        turns out that the message carries a picture and the screen has none, which no edit can bring about,
        `instead` is done. A message that shows this screen already is left alone.
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
            edit.task = self._go_on(self._carry_out_edit(edit))

    async def remove(
        self, chat_id: int, message_id: int, *, asked_by: int = 0, priority: Priority = Priority.ANSWER
    ) -> None:
        """Delete such a message, once; one too old for that loses its buttons. Raises CallFailed."""
        place = chat_id, message_id
        if place in self._removed:
            return
        self._note(self._removed, place, None)
        self._give_up_edit(place)
        self._digests.pop(place, None)

        async def in_turn(call: Callable[[int, int], Awaitable[None]]) -> None:
            await self._in_turn(chat_id, lambda: call(*place), priority, asked_by=asked_by, is_answer=False)

        try:
            try:
                await in_turn(self._gateway.delete)
            except Undeletable:
                await in_turn(self._gateway.remove_keyboard)
        except CallFailed:
            self._removed.pop(place, None)
            raise

    async def pin(self, chat_id: int, message_id: int) -> None:
        """Pin a message, silently. Raises CallFailed."""
        await self._in_turn(
            chat_id, lambda: self._gateway.pin(chat_id, message_id), Priority.HISTORY, is_answer=False
        )

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Take a pin off. Raises CallFailed."""
        await self._in_turn(
            chat_id, lambda: self._gateway.unpin(chat_id, message_id), Priority.HISTORY, is_answer=False
        )

    # ---------------------------------------------------------------------------------------------- inside

    def _require_room(self, chat_id: int, asked_by: int, kind: Kind) -> None:
        """Raises Crowded where too many wait already, and none of them for the one who asks now."""
        if (chat_id, asked_by) in self._latest:
            return
        if sum(call.chat_id == chat_id for call in self._waiting()) >= MOST_WAITING:
            raise Crowded(f"{MOST_WAITING} answers wait, and a {kind} would be one more")

    def _waiting(self) -> list[QueuedCall]:
        """What waits for its turn."""
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
        is_answer: bool = True,
        is_repeated: bool = False,
    ) -> T:
        """Make a call when it has its turn; once more if Telegram was flooded or did not answer.

        `is_answer`: the person who has asked waits for this one alone, and no more for an earlier one.
        `is_repeated`: it was tried before.
        """
        for is_last in (False, True):
            turn = self._turn(
                chat_id, priority, asked_by, is_answer=is_answer, is_repeated=is_repeated or is_last
            )
            async with turn:
                try:
                    return await call()
                except Flooded as failure:
                    log.warning("flood limit: %s", failure, extra={"chat": chat_id})
                    self._rate_limiter.hold(chat_id, self._now() + failure.retry_after)
                    if is_last:
                        raise
                except Unanswered as failure:
                    log.warning("not answered: %s", failure, extra={"chat": chat_id})
                    if is_last:
                        raise
        raise AssertionError("the last attempt returns or raises")

    @asynccontextmanager
    async def _turn(
        self, chat_id: int, priority: Priority, asked_by: int, *, is_answer: bool, is_repeated: bool
    ) -> AsyncIterator[None]:
        """Wait until a call to this chat has its turn, and keep the chat until it is over."""
        turn = asyncio.get_running_loop().create_future()
        place = chat_id, asked_by
        since = max(self._now(), self._used_until.get(place, 0.0))
        earlier = self._latest.get(place)
        if asked_by and is_answer and earlier is not None:
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
        if asked_by and is_answer:
            self._latest[place] = call
        self._wake.set()
        try:
            await turn
            yield
        finally:
            if call in self._queue:
                self._leave_queue(call)
            else:
                if call.takes_chat:  # pins go beside other calls: the chat is not theirs to free
                    self._busy_chats.discard(chat_id)
                self._wake.set()

    def _begin(self, call: QueuedCall) -> None:
        """This one has its turn."""
        self._leave_queue(call)
        if call.asked_by:
            place, now = (call.chat_id, call.asked_by), self._now()
            used_until = max(now, self._used_until.get(place, 0.0)) + SHARE_SECONDS
            self._note(self._used_until, place, min(used_until, now + LONGEST_SHARE_SECONDS))
        if not call.turn.done():
            call.turn.set_result(None)

    def _leave_queue(self, call: QueuedCall) -> None:
        del self._queue[call]
        place = call.chat_id, call.asked_by
        if self._latest.get(place) is call:
            del self._latest[place]

    def _give_up_edit(self, place: tuple[int, int]) -> None:
        """What a message was to show, if that still waits for its turn, is not wanted any more."""
        edit = self._edits.get(place)
        if edit is not None and edit.task is not None and not edit.is_under_way:
            del self._edits[place]
            edit.task.cancel()

    def _note(self, notes: dict[tuple[int, int], V], place: tuple[int, int], value: V) -> None:
        """Remember something as the newest, and no more than so much."""
        notes.pop(place, None)
        notes[place] = value
        if len(notes) > MOST_REMEMBERED:
            del notes[next(iter(notes))]

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
