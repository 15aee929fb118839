"""Groups and topics in which the bot cannot write: whoever wants something there is told in private."""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.handlers.parts import Parts
from bot.handlers.replies import send
from bot.locales import Words, pick_language
from bot.presenter.courier import CallFailed
from bot.presenter.kinds import Kind
from bot.screens.notices import barred, topic_gone
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)

AGAIN_SECONDS = 3600.0
"""After so long somebody is told of the same group again."""
MOST_TOLD = 1024


class Barred:
    """Tells the host of a table that cannot be shown; others when a command of theirs cannot be answered."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._told_at: dict[tuple[int | str, int | None], float] = {}
        parts.presenter.on_barred(self._tell)

    def _tell(self, table_id: str, is_topic_gone: bool) -> None:
        self._parts.background.start(self._tell_host(table_id, is_topic_gone=is_topic_gone))

    async def _tell_host(self, table_id: str, *, is_topic_gone: bool) -> None:
        try:
            place = await self._parts.tables.place_of(table_id)
            view = await self._parts.tables.view(table_id, None)
        except Refusal as refusal:
            log.info("nobody to tell: %s", refusal, extra={"table": table_id})
            return
        host = next((player.user_id for player in view.players if player.is_host), None)
        now = self._parts.now()
        about = (table_id if is_topic_gone else place.chat_id, host)
        if host is None or now - self._told_at.get(about, -AGAIN_SECONDS) < AGAIN_SECONDS:
            return
        if len(self._told_at) >= MOST_TOLD:
            self._told_at.clear()
        self._told_at[about] = now
        if is_topic_gone:
            await _tell(self._parts, host, lambda words: topic_gone(view, words))
        else:
            await tell_barred(self._parts, place.chat_id, host)


async def tell_barred(parts: Parts, chat_id: int, user_id: int) -> None:
    """Say in private that the bot may not write in this group; an earlier such message goes."""
    chat = await parts.storage.chats.get(chat_id)
    if chat is not None:
        await _tell(parts, user_id, lambda words: barred(words, chat.title))


async def _tell(parts: Parts, user_id: int, screen: Callable[[Words], Screen]) -> None:
    person = await parts.storage.people.get(user_id)
    if person is None or not person.reachable:
        return
    words = parts.catalogues[pick_language(person.language, person.language_code)]
    try:
        await send(parts, user_id, 0, Kind.BARRED, screen(words), asked_by=user_id)
    except CallFailed as failure:
        log.info("not told in private either: %s", failure, extra={"user": user_id})
