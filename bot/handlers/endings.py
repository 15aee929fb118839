"""Ends messages that belong to no table's play, when what ends their kind has come about.

That they are answered, put away or replaced is seen to where this happens. Here is heard what tables do, and
what was missed while the bot was down is made up for.

What a table's state ends (`is_ended`) can be told at any time. What a deal ends can't: a message may have
been sent above the hands or below them. So the last round whose deal has been seen to is stored with the
table, after it has been; each deal ends messages once, and one that a restart has overtaken does so too.
"""

from __future__ import annotations

import logging

from bot.handlers.replies import end, is_ended
from bot.handlers.services import Services
from bot.messages.kinds import End, kind_of, kinds_ended_by
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
        self._courses[table_id] = course
        try:
            await self._end_what_should(table_id, before, course)
        except BaseException:
            self._courses.pop(table_id, None)  # what was not seen to is at the next change
            raise
        if course.stage is Stage.OVER:
            self._courses.pop(table_id, None)

    async def _end_what_should(self, table_id: str, before: Course | None, course: Course) -> None:
        tables, replies = self._services.storage.tables, self._services.storage.replies
        ended = [it for it in await replies.of_table(table_id) if is_ended(it, course)]
        is_dealt = False
        if course.stage is Stage.MATCH and (before is None or before.round != course.round):
            cleared_round = await tables.cleared_round(table_id)
            is_dealt = cleared_round < course.round
            if is_dealt:
                ended += await self._above_new_hands(table_id, course)
            if cleared_round == 0:
                ended += await self._where_a_match_begins(table_id)
        for reply in sorted(ended, key=lambda it: not _is_void(it)):
            await end(self._services, reply, Priority.ANSWER if _is_void(reply) else Priority.HISTORY)
        if is_dealt:
            await tables.set_cleared_round(table_id, course.round)

    async def _above_new_hands(self, table_id: str, course: Course) -> list[Reply]:
        """What gives way to the hands that were dealt; what is about another table does not."""
        there = await self._services.storage.replies.in_chats(course.playing)
        kinds = kinds_ended_by(End.DEAL)
        return [it for it in there if kind_of(it.kind) in kinds and it.table_id in ("", table_id)]

    async def _where_a_match_begins(self, table_id: str) -> list[Reply]:
        """What gives way, in its group or topic, to the match that has begun.

        In a private chat nothing does: the menu there is the player's own, or has begun a match itself.
        """
        place = await self._services.queries.location_of(table_id)
        if place.chat_id > 0:
            return []
        there = await self._services.storage.replies.in_chats([place.chat_id])
        kinds = kinds_ended_by(End.MATCH)
        return [it for it in there if kind_of(it.kind) in kinds and it.thread_id == place.thread_id]


def _is_void(reply: Reply) -> bool:
    """Does it ask for a press that would mean nothing any more? It goes first, and soon."""
    kind = kind_of(reply.kind)
    return kind in kinds_ended_by(End.PRESS) and kind not in kinds_ended_by(End.MATCH)


async def end_in_old_language(services: Services, chat_id: int, but: int) -> None:
    """The chat has chosen another language: what speaks the old one goes, but for this message."""
    for reply in await services.storage.replies.in_chats([chat_id]):
        if reply.message_id != but and kind_of(reply.kind) in kinds_ended_by(End.LANGUAGE):
            await end(services, reply)
