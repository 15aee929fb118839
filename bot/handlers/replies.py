"""Sends replies, the messages that the reconciler does not keep, and records them until they end.

`bot.messages.kinds` defines what ends which kind of message; `endings` listens for it.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.handlers.services import Services
from bot.messages.gateway import CallFailed
from bot.messages.kinds import ENDS, End, Kind, Slot, kind_of
from bot.messages.rate_limit import Priority
from bot.screens.screen import Screen
from bot.storage.errors import PASSING
from bot.storage.replies import Reply
from bot.tables.lifecycle import Stage
from bot.tables.queries import Course
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)


async def send(
    services: Services,
    chat_id: int,
    thread_id: int,
    of: Kind | Slot,
    screen: Screen,
    *,
    table_id: str = "",
    silent: bool = True,
    asked_by: int = 0,
    reply_to: int = 0,
) -> int:
    """Send a message in its slot, remove an earlier one from there, and return the new message's id.

    `table_id` is the table that the message is about; `asked_by` and `reply_to` are as in `Outbox.say`. If
    the message cannot be recorded, it stays. Raises CallFailed.
    """
    kind = kind_of(of)
    assert kind is not None
    stage = await _stage_of(services, table_id)
    message_id = await services.outbox.say(
        chat_id, thread_id, screen, kind=kind, silent=silent, asked_by=asked_by, reply_to=reply_to
    )
    try:
        await take_slot(services, Reply(chat_id, thread_id, of, message_id, table_id, stage))
    except PASSING as failure:  # it has been said all the same
        log.warning("no record of a message: %s", failure, extra={"chat": chat_id})
    return message_id


async def take_slot(services: Services, reply: Reply) -> None:
    """Record a sent message in its slot; remove an earlier one, and the new one itself if it has ended."""
    if not _ends(reply):
        return
    await _give_way(services, reply, await services.storage.replies.replace(reply))


async def become(services: Services, reply: Reply, screen: Screen) -> None:
    """Turn a message into one of another kind with this content; if it has ended, send a new one."""
    chat_id, message_id = reply.chat_id, reply.message_id
    reply = replace(reply, stage=await _stage_of(services, reply.table_id))
    earlier = None
    async with _locked(services, chat_id, message_id):
        is_there = await services.storage.replies.find(chat_id, message_id) is not None
        if is_there:
            services.outbox.redraw(chat_id, message_id, screen)
            earlier = await services.storage.replies.replace(reply)
    if is_there:
        await _give_way(services, reply, earlier)
        return
    await remove(services, chat_id, message_id)
    try:
        await send(services, chat_id, reply.thread_id, Slot(reply.kind), screen, table_id=reply.table_id)
    except CallFailed as failure:
        log.info("not sent anew: %s", failure, extra={"chat": chat_id})


async def end(services: Services, reply: Reply, priority: Priority = Priority.ANSWER) -> None:
    """End a message, unless it has been turned into another kind meanwhile."""
    if kind_of(reply.kind) is Kind.TALK_QUESTION:
        services.pending_texts.forget(reply.chat_id, reply.table_id)
    async with _locked(services, reply.chat_id, reply.message_id):
        if await services.storage.replies.find(reply.chat_id, reply.message_id) == reply.kind:
            await remove(services, reply.chat_id, reply.message_id, priority=priority)


async def _give_way(services: Services, reply: Reply, earlier: int | None) -> None:
    """Remove the message that had this one's slot, and this one itself if it has ended.

    Nobody waits for the earlier one: it goes when nothing is more urgent in its chat.
    """
    if earlier is not None and earlier != reply.message_id:
        services.background.start(remove_replaced(services, reply.chat_id, earlier))
    if reply.table_id and is_ended(reply, await _course_of(services, reply.table_id)):
        await end(services, reply)


async def remove_replaced(services: Services, chat_id: int, message_id: int) -> None:
    """Remove a message that lost its slot to another, unless it has been turned into another kind since.

    Its record goes only then, so that it is removed after a restart in between.
    """
    async with _locked(services, chat_id, message_id):
        if await services.storage.replies.find(chat_id, message_id) is None:
            await _is_removed(services, chat_id, message_id, 0, Priority.HISTORY)
            await services.storage.replies.drop(chat_id, message_id)


def _locked(services: Services, chat_id: int, message_id: int) -> asyncio.Lock:
    """The lock that keeps a message from ending and being turned into another kind at the same time."""
    return services.reply_locks.setdefault((chat_id, message_id), asyncio.Lock())


async def remove(
    services: Services,
    chat_id: int,
    message_id: int,
    asked_by: int = 0,
    priority: Priority = Priority.ANSWER,
) -> None:
    """Remove a message and free its slot."""
    if await _is_removed(services, chat_id, message_id, asked_by, priority):
        await services.storage.replies.drop(chat_id, message_id)


def is_ended(reply: Reply, course: Course | None) -> bool:
    """Whether this message has ended, by the state of its table (None: the table is gone)."""
    kind = kind_of(reply.kind)
    ends = frozenset[End]() if kind is None else ENDS[kind]
    if course is None:
        return bool(ends & {End.STAGE, End.OVER})
    for_whom = reply.kind.rpartition(":")[2]
    return (
        (End.STAGE in ends and reply.stage != course.stage)
        or (End.OVER in ends and course.stage is Stage.OVER)
        or (End.SEATED in ends and for_whom in map(str, course.people))
        or (End.UNSEATED in ends and reply.chat_id not in course.people)
    )


def _ends(reply: Reply) -> bool:
    kind = kind_of(reply.kind)
    return kind is not None and bool(ENDS[kind])


async def _is_removed(
    services: Services, chat_id: int, message_id: int, asked_by: int, priority: Priority
) -> bool:
    """Remove a message and return whether that succeeded."""
    try:
        await services.outbox.remove(chat_id, message_id, asked_by=asked_by, priority=priority)
    except CallFailed as failure:
        log.info("not removed: %s", failure, extra={"chat": chat_id, "user": asked_by})
        return False
    return True


async def _course_of(services: Services, table_id: str) -> Course | None:
    try:
        return await services.queries.course_of(table_id)
    except Refusal:
        return None


async def _stage_of(services: Services, table_id: str) -> str:
    course = await _course_of(services, table_id) if table_id else None
    return "" if course is None else course.stage
