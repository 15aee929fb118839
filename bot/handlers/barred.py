"""Groups in which the bot may not write: whoever wants something there is told in private."""

from __future__ import annotations

import logging

from bot.handlers.parts import Parts
from bot.handlers.replies import take_place
from bot.locales import pick_language
from bot.presenter.courier import CallFailed
from bot.screens.notices import barred
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)

AGAIN_SECONDS = 3600.0
"""After so long somebody is told of the same group again."""
MOST_TOLD = 1024


class Barred:
    """Tells the host of a table that cannot be shown; others when a command of theirs cannot be answered."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._told_at: dict[tuple[int, int], float] = {}
        parts.presenter.on_barred(lambda table_id: parts.background.start(self._tell_host(table_id)))

    async def _tell_host(self, table_id: str) -> None:
        try:
            place = await self._parts.tables.place_of(table_id)
            view = await self._parts.tables.view(table_id, None)
        except Refusal as refusal:
            log.info("nobody to tell: %s", refusal, extra={"table": table_id})
            return
        host = next((player.user_id for player in view.players if player.is_host), None)
        now = self._parts.now()
        if host is None or now - self._told_at.get((place.chat_id, host), -AGAIN_SECONDS) < AGAIN_SECONDS:
            return
        if len(self._told_at) >= MOST_TOLD:
            self._told_at.clear()
        self._told_at[place.chat_id, host] = now
        await tell_barred(self._parts, place.chat_id, host)


async def tell_barred(parts: Parts, chat_id: int, user_id: int) -> None:
    """Say in private that the bot may not write in this group; an earlier such message goes."""
    person = await parts.storage.people.get(user_id)
    chat = await parts.storage.chats.get(chat_id)
    if person is None or chat is None or not person.reachable:
        return
    words = parts.catalogues[pick_language(person.language, person.language_code)]
    try:
        message_id = await parts.presenter.say(user_id, 0, barred(words, chat.title))
    except CallFailed as failure:
        log.info("not told in private either: %s", failure, extra={"chat": chat_id, "user": user_id})
    else:
        await take_place(parts, user_id, 0, "barred", message_id)
