"""Sending the messages that belong to no table's play, and keeping record of them until something ends them.

What ends which kind is said in `bot.messages.kinds`; `endings` listens for it.
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
    """Send a message in its slot, from which an earlier one goes; its id. `table_id`: what it is about.

    `asked_by` and `reply_to` are as in `Outbox.say`. Where no record of it can be written it stays. Raises
    CallFailed.
    """
    kind = kind_of(of)
    assert kind is not None
    stage = await _stage_of(services, table_id)
    message_id = await services.outbox.say(
        chat_id, thread_id, screen, kind=kind, silent=silent, asked_by=asked_by, reply_to=reply_to
    )
    try:
        await take_slot(services, Reply(chat_id, thread_id, of, message_id, table_id, stage), asked_by)
    except PASSING as failure:  # it has been said all the same
        log.warning("no record of a message: %s", failure, extra={"chat": chat_id})
    return message_id


async def take_slot(services: Services, reply: Reply, asked_by: int = 0) -> None:
    """Let a message that is there have its slot; an earlier one goes, and so does it if its end has come."""
    if not _ends(reply):
        return
    await _give_way(services, reply, await services.storage.replies.replace(reply), asked_by)


async def become(services: Services, reply: Reply, screen: Screen) -> None:
    """Let a message be of another kind from now on, and show this; where it has ended it is sent anew."""
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
    """End a message, unless it has become another meanwhile."""
    if kind_of(reply.kind) is Kind.TALK_QUESTION:
        services.unsaid.forget(reply.chat_id, reply.table_id)
    async with _locked(services, reply.chat_id, reply.message_id):
        if await services.storage.replies.find(reply.chat_id, reply.message_id) == reply.kind:
            await remove(services, reply.chat_id, reply.message_id, priority=priority)


async def _give_way(services: Services, reply: Reply, earlier: int | None, asked_by: int = 0) -> None:
    """The message that had this one's slot goes, and so does this one if its end has come."""
    if earlier is not None and earlier != reply.message_id:
        async with _locked(services, reply.chat_id, earlier):
            if await services.storage.replies.find(reply.chat_id, earlier) is None:
                await _is_removed(services, reply.chat_id, earlier, asked_by)
    if reply.table_id and is_ended(reply, await _course_of(services, reply.table_id)):
        await end(services, reply)


def _locked(services: Services, chat_id: int, message_id: int) -> asyncio.Lock:
    """Held while this message ends or becomes another, so that it does not do both."""
    return services.reply_locks.setdefault((chat_id, message_id), asyncio.Lock())


async def remove(
    services: Services,
    chat_id: int,
    message_id: int,
    asked_by: int = 0,
    priority: Priority = Priority.ANSWER,
) -> None:
    """Remove a message; its slot is free."""
    if await _is_removed(services, chat_id, message_id, asked_by, priority):
        await services.storage.replies.drop(chat_id, message_id)


def is_ended(reply: Reply, course: Course | None) -> bool:
    """Has its table, of which nothing is left where that is None, come so far that this message ends?"""
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
    """Does anything end messages of this kind?"""
    kind = kind_of(reply.kind)
    return kind is not None and bool(ENDS[kind])


async def _is_removed(
    services: Services,
    chat_id: int,
    message_id: int,
    asked_by: int,
    priority: Priority = Priority.ANSWER,
) -> bool:
    """Remove a message; False if that failed."""
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
