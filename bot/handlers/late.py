"""Late answers: texts for callback queries that had to be answered with nothing before the text was known.

The text is sent to the person's private chat, where it replaces an earlier one. If the bot cannot write
there, an invitation is posted in the group, since nobody can sit down without it; other texts are kept for
the next press of the same button, in case that takes long as well.
"""

from __future__ import annotations

import logging
from typing import TypeVar

from telegram import CallbackQuery
from telegram.constants import ChatType

from bot.buttons import decode
from bot.handlers.answer import Answer
from bot.handlers.replies import send
from bot.handlers.services import Services
from bot.handlers.visitor import name_of, thread_of, translator_of_chat
from bot.locales import Translator, pick_language
from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind, Slot, slot
from bot.screens import help as guide
from bot.screens.notices import late_answer
from bot.screens.screen import Screen

log = logging.getLogger(__name__)

K = TypeVar("K")
V = TypeVar("V")

AGAIN_SECONDS = 60.0
"""The time for which a text is not sent to the same person again, and for which an unsent one is kept."""
MOST_KEPT = 1024


class LateAnswers:
    """Sends late answers, and keeps those that cannot be sent yet."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._said: dict[int, tuple[str, float]] = {}
        self._kept: dict[tuple[int, int, str], tuple[Answer, float]] = {}

    def tell(self, query: CallbackQuery, answer: Answer) -> None:
        """Send this answer as a message, in the background."""
        if answer.text or answer.url is not None:
            self._services.background.start(self._tell(query, answer))

    def take_kept(self, query: CallbackQuery) -> Answer:
        """Return and forget the answer kept from an earlier press of this button; empty if there is none."""
        answer, until = self._kept.pop(_button(query), (Answer(), 0.0))
        return answer if self._services.now() < until else Answer()

    async def _tell(self, query: CallbackQuery, answer: Answer) -> None:
        user, message = query.from_user, query.message
        person = await self._services.storage.people.get(user.id)
        is_private = message is not None and message.chat.type == ChatType.PRIVATE
        if answer.url is not None:
            if message is not None:
                await self._invite(query, answer.url)
        elif is_private or (person is not None and person.reachable):
            language = pick_language(None if person is None else person.language, user.language_code)
            title = None if message is None or is_private else message.chat.title or ""
            await self._say(user.id, answer.text, title, self._services.catalogues[language])
        else:
            _keep(self._kept, _button(query), (Answer(answer.text, answer.alert), self._until()))

    async def _say(self, user_id: int, text: str, title: str | None, tr: Translator) -> None:
        earlier, until = self._said.get(user_id, ("", 0.0))
        if (earlier, self._services.now() < until) == (text, True):
            return
        _keep(self._said, user_id, (text, self._until()))
        await self._send(user_id, user_id, 0, Kind.LATE, late_answer(tr, text, title))

    async def _invite(self, query: CallbackQuery, url: str) -> None:
        assert query.message is not None
        chat_id, user = query.message.chat.id, query.from_user
        screen = guide.open_private_chat(
            await translator_of_chat(chat_id, self._services), name_of(user), url
        )
        asked = decode(query.data or "")
        table_id = "" if asked is None else asked.table_id
        of = slot(Kind.INVITATION, user.id)
        await self._send(user.id, chat_id, thread_of(query.message), of, screen, table_id)

    async def _send(
        self,
        user_id: int,
        chat_id: int,
        thread_id: int,
        of: Kind | Slot,
        screen: Screen,
        table_id: str = "",
    ) -> None:
        try:
            await send(self._services, chat_id, thread_id, of, screen, table_id=table_id, asked_by=user_id)
        except CallFailed as failure:
            log.info("a late answer was not told: %s", failure, extra={"chat": chat_id})

    def _until(self) -> float:
        return self._services.now() + AGAIN_SECONDS


def _button(query: CallbackQuery) -> tuple[int, int, str]:
    """The person, the chat and the data of a press."""
    return query.from_user.id, 0 if query.message is None else query.message.chat.id, query.data or ""


def _keep(memory: dict[K, V], key: K, value: V) -> None:
    """Store a value in a bounded dict, dropping the oldest one."""
    memory.pop(key, None)
    if len(memory) >= MOST_KEPT:
        del memory[next(iter(memory))]
    memory[key] = value
