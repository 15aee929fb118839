"""Questions that are asked once before something is done: closing them, removing them when answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import replace_answer
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)


MOOT = frozenset(
    {
        Refused.TABLE_GONE,
        Refused.TABLE_OVER,
        Refused.NOT_SEATED,
        Refused.NOTHING_TO_LEAVE,
        Refused.NOT_AT_TABLE,
        Refused.TWO_ARE_LEFT,
    }
)
"""Refusals after which a question has no answer any more: whoever still wants it asks anew."""

OVER = frozenset({Refused.TABLE_GONE, Refused.TABLE_OVER})
"""Refusals after which nothing at the table can be chosen any more."""


async def ask(parts: Parts, guest: Guest, kind: str, screen: Screen) -> None:
    """Ask somebody a question; his earlier one of this kind in this chat goes."""
    await replace_answer(parts, guest, f"ask:{kind}:{guest.user_id}", screen)


async def dismiss(parts: Parts, press: Press, asked: callbacks.Dismiss) -> Answer:
    """Close a question."""
    if asked.user_id != press.guest.user_id:
        raise Refusal(Refused.NOT_ASKED)
    return Answer(then=removing(parts, press))


def removing(parts: Parts, press: Press) -> Callable[[], Awaitable[None]] | None:
    """What removes the question that was answered by this press; None where it was no answer to it."""
    if not press.is_on_it:
        return None

    async def remove() -> None:
        try:
            await parts.presenter.remove(press.guest.chat_id, press.message_id)
        except CallFailed as failure:
            log.info("question not removed: %s", failure, extra={"chat": press.guest.chat_id})

    return remove
