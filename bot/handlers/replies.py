"""The latest answer of each kind in a chat or topic: the next one takes its place."""

from __future__ import annotations

import logging

from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed

log = logging.getLogger(__name__)


async def take_place(parts: Parts, chat_id: int, thread_id: int, kind: str, message_id: int) -> None:
    """This message is the chat's answer of its kind from now on; the earlier one goes."""
    earlier = await parts.storage.replies.replace(chat_id, thread_id, kind, message_id)
    if earlier is None:
        return
    try:
        await parts.presenter.remove(chat_id, earlier)
    except CallFailed as failure:
        log.info("earlier answer not removed: %s", failure, extra={"chat": chat_id})
