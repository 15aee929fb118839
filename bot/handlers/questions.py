"""Questions that are asked once before something is done: closing them, removing them when answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)


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
