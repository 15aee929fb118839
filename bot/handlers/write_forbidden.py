"""Private notices that the bot cannot write in a group or topic.

They go to a table's host if the table cannot be shown, and to anybody whose command cannot be answered.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.handlers.replies import send
from bot.handlers.services import Services
from bot.locales import Translator, pick_language
from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind
from bot.screens.notices import topic_deleted, write_forbidden_notice
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)

AGAIN_SECONDS = 3600.0
"""The interval between two notices about the same group to the same host."""
MOST_TOLD = 1024


class WriteForbiddenNotices:
    """Sends notices to the hosts of tables that cannot be shown."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._told_at: dict[tuple[int | str, int | None], float] = {}

    def note(self, table_id: str, *, is_topic_gone: bool) -> None:
        """Note that a table cannot be shown, because its topic is gone or the group forbids writing."""
        self._services.background.start(self._tell_host(table_id, is_topic_gone=is_topic_gone))

    async def _tell_host(self, table_id: str, *, is_topic_gone: bool) -> None:
        try:
            place = await self._services.queries.location_of(table_id)
            view = await self._services.queries.view(table_id, None)
        except Refusal as refusal:
            log.info("nobody to tell: %s", refusal, extra={"table": table_id})
            return
        host = next((player.user_id for player in view.players if player.is_host), None)
        now = self._services.now()
        about = (table_id if is_topic_gone else place.chat_id, host)
        if host is None or now - self._told_at.get(about, -AGAIN_SECONDS) < AGAIN_SECONDS:
            return
        if len(self._told_at) >= MOST_TOLD:
            self._told_at.clear()
        self._told_at[about] = now
        if is_topic_gone:
            await _tell(self._services, host, lambda tr: topic_deleted(view, tr))
        else:
            await tell_write_forbidden(self._services, place.chat_id, host)


async def tell_write_forbidden(services: Services, chat_id: int, user_id: int) -> None:
    """Tell a person in private that the bot may not write in this group; replaces an earlier notice."""
    chat = await services.storage.chats.get(chat_id)
    if chat is not None:
        await _tell(services, user_id, lambda tr: write_forbidden_notice(tr, chat.title))


async def _tell(services: Services, user_id: int, screen: Callable[[Translator], Screen]) -> None:
    person = await services.storage.people.get(user_id)
    if person is None or not person.reachable:
        return
    tr = services.catalogues[pick_language(person.language, person.language_code)]
    try:
        await send(services, user_id, 0, Kind.WRITE_FORBIDDEN, screen(tr), asked_by=user_id)
    except CallFailed as failure:
        log.info("not told in private either: %s", failure, extra={"user": user_id})
