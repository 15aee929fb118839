"""Ends messages that belong to no table's play, when what ends their kind has come about.

That they are answered, put away or replaced is seen to where this happens. Here is heard what tables do, and
what was missed while the bot was down is made up for.
"""

from __future__ import annotations

import logging

from bot.handlers.replies import is_ended, remove
from bot.handlers.services import Services
from bot.messages.kinds import End, Kind, kind_of, kinds_ended_by
from bot.messages.rate_limit import Priority
from bot.storage.replies import Reply
from bot.tables.lifecycle import Stage
from bot.tables.queries import Course
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)


class Endings:
    """Follows all tables."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._courses: dict[str, Course] = {}
        services.tables.on_change(lambda table_id: services.background.start(self._follow(table_id)))

    async def catch_up(self) -> None:
        """After a start: end what should have ended by now."""
        for table_id in await self._services.storage.replies.tables():
            await self._follow(table_id)

    async def _follow(self, table_id: str) -> None:
        """See whether a table has come further, or other people are at it; a press at it is answered
        first."""
        await self._services.messages.answered(table_id)
        try:
            course = await self._services.queries.course_of(table_id)
        except Refusal as refusal:
            log.info("no table to follow: %s", refusal, extra={"table": table_id})
            return
        before = self._courses.get(table_id)
        if course == before:
            return
        if course.stage is Stage.OVER:
            self._courses.pop(table_id, None)
        else:
            self._courses[table_id] = course
        replies = [
            it for it in await self._services.storage.replies.of_table(table_id) if is_ended(it, course)
        ]
        if course.stage is Stage.MATCH and (before is None or before.round != course.round):
            replies += await self._above_new_hands(course)
        for reply in sorted(replies, key=lambda it: not _can_be_pressed(it)):
            await self._end(reply)

    async def _above_new_hands(self, course: Course) -> list[Reply]:
        """What gives way to the hands that were dealt."""
        there = await self._services.storage.replies.in_chats(course.playing)
        return [it for it in there if kind_of(it.kind) in kinds_ended_by(End.DEAL)]

    async def _end(self, reply: Reply) -> None:
        if kind_of(reply.kind) is Kind.TALK_QUESTION:
            self._services.unsaid.forget(reply.chat_id)
        priority = Priority.ANSWER if _can_be_pressed(reply) else Priority.HISTORY
        await remove(self._services, reply.chat_id, reply.message_id, priority=priority)


def _can_be_pressed(reply: Reply) -> bool:
    """Does it ask for a press that would mean nothing any more? It goes first, and soon."""
    return kind_of(reply.kind) in kinds_ended_by(End.PRESS)


async def end_in_old_language(services: Services, chat_id: int, but: int) -> None:
    """The chat has chosen another language: what speaks the old one goes, but for this message."""
    for reply in await services.storage.replies.in_chats([chat_id]):
        if reply.message_id != but and kind_of(reply.kind) in kinds_ended_by(End.LANGUAGE):
            await remove(services, chat_id, reply.message_id)
