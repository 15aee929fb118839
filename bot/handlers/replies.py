"""The latest answer of each kind in a chat or topic: the next one takes its place."""

from __future__ import annotations

import logging

from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed

log = logging.getLogger(__name__)


async def take_place(
    parts: Parts, chat_id: int, thread_id: int, kind: str, message_id: int, asked_by: int
) -> None:
    """This message is the chat's answer of its kind from now on; the earlier one goes."""
    earlier = await parts.storage.replies.replace(chat_id, thread_id, kind, message_id)
    if earlier is not None:
        await _is_removed(parts, chat_id, earlier, asked_by)


async def remove(parts: Parts, chat_id: int, message_id: int, asked_by: int) -> None:
    """Remove an answer; the next one of its kind has no place to take."""
    if await _is_removed(parts, chat_id, message_id, asked_by):
        await parts.storage.replies.drop(chat_id, message_id)


async def _is_removed(parts: Parts, chat_id: int, message_id: int, asked_by: int) -> bool:
    """Remove a message; False if that failed."""
    try:
        await parts.presenter.remove(chat_id, message_id, asked_by=asked_by)
    except CallFailed as failure:
        log.info("answer not removed: %s", failure, extra={"chat": chat_id, "user": asked_by})
        return False
    return True
