"""Ends replies, the messages that the reconciler does not keep, when a table's changes make them obsolete.

Replies that are answered, dismissed or replaced are ended where that happens. This module listens to tables,
and catches up after a start.

Whether a table's state ends a reply (`is_ended`) can be decided at any time. Whether a deal does cannot: the
reply may be above or below the hands. So the last round whose deal has been handled is stored with the table;
each deal ends replies once, even if the bot was restarted in between.
"""

from __future__ import annotations

import logging

from bot.handlers.replies import end, is_ended, remove_replaced
from bot.handlers.services import Services
from bot.messages.kinds import End, kind_of, kinds_ended_by
from bot.messages.rate_limit import Priority
from bot.storage.replies import Reply
from bot.tables.lifecycle import Stage
from bot.tables.queries import Course
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)


class Endings:
    """Listens to the changes of all tables."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._courses: dict[str, Course] = {}
        services.tables.on_change(lambda table_id: services.background.start(self._follow(table_id)))

    async def catch_up(self) -> None:
        """End the replies that should have ended while the bot was down, and remove those replaced before."""
        for table_id in await self._services.storage.replies.tables():
            await self._follow(table_id)
        for reply in await self._services.storage.replies.replaced():
            chat_id, message_id = reply.chat_id, reply.message_id
            await remove_replaced(self._services, chat_id, message_id)

    async def _follow(self, table_id: str) -> None:
        """Handle a table's progress or a change of its people, after presses at it have been answered."""
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
            await self._end_obsolete(table_id, before, course)
        except BaseException:
            self._courses.pop(table_id, None)  # retried at the next change
            raise
        if course.stage is Stage.OVER:
            self._courses.pop(table_id, None)

    async def _end_obsolete(self, table_id: str, before: Course | None, course: Course) -> None:
        tables, replies = self._services.storage.tables, self._services.storage.replies
        ended = [it for it in await replies.of_table(table_id) if is_ended(it, course)]
        is_dealt = False
        if course.stage is Stage.MATCH and (before is None or before.round != course.round):
            cleared_round = await tables.cleared_round(table_id)
            is_dealt = cleared_round < course.round
            if is_dealt:
                ended += await self._replaced_by_hands(table_id, course)
            if cleared_round == 0:
                ended += await self._ended_by_match(table_id)
        for reply in sorted(ended, key=lambda it: not _is_void(it)):
            await end(self._services, reply, Priority.ANSWER if _is_void(reply) else Priority.HISTORY)
        if is_dealt:
            await tables.set_cleared_round(table_id, course.round)

    async def _replaced_by_hands(self, table_id: str, course: Course) -> list[Reply]:
        """The replies that are replaced by newly dealt hands, without those about other tables."""
        there = await self._services.storage.replies.in_chats(course.playing)
        kinds = kinds_ended_by(End.DEAL)
        return [it for it in there if kind_of(it.kind) in kinds and it.table_id in ("", table_id)]

    async def _ended_by_match(self, table_id: str) -> list[Reply]:
        """The replies in the table's group or topic that end when a match begins.

        There are none in a private chat: the menu there is the player's own, or has started the match.
        """
        place = await self._services.queries.location_of(table_id)
        if place.chat_id > 0:
            return []
        there = await self._services.storage.replies.in_chats([place.chat_id])
        kinds = kinds_ended_by(End.MATCH)
        return [it for it in there if kind_of(it.kind) in kinds and it.thread_id == place.thread_id]


def _is_void(reply: Reply) -> bool:
    """Whether its buttons have become meaningless, so that it is removed first and soon."""
    kind = kind_of(reply.kind)
    return kind in kinds_ended_by(End.PRESS) and kind not in kinds_ended_by(End.MATCH)


async def end_in_old_language(services: Services, chat_id: int, but: int) -> None:
    """End the chat's replies that depend on its language, which has changed, except the message `but`."""
    for reply in await services.storage.replies.in_chats([chat_id]):
        if reply.message_id != but and kind_of(reply.kind) in kinds_ended_by(End.LANGUAGE):
            await end(services, reply)
