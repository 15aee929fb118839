"""What the bot may do in a group: asked when a table opens, and told by Telegram when it changes."""

from __future__ import annotations

import logging

from telegram import ChatMember, ChatMemberAdministrator, ChatMemberRestricted
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot.handlers.parts import Parts

log = logging.getLogger(__name__)


def is_present(member: ChatMember) -> bool:
    """Is he in the chat, whatever he may do there? Who is restricted need not be."""
    if isinstance(member, ChatMemberRestricted):
        return member.is_member
    return member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def may_pin(member: ChatMember) -> bool:
    """May it pin, and take away the line with which Telegram tells of a pin?"""
    if not isinstance(member, ChatMemberAdministrator):
        return False
    return bool(member.can_pin_messages) and member.can_delete_messages


async def learn(parts: Parts, chat_id: int) -> None:
    """Ask Telegram what the bot may do in this group, and remember it; no answer changes nothing."""
    try:
        member = await parts.bot.get_chat_member(chat_id, parts.bot.id)
    except TelegramError as error:
        log.info("own rights not known: %s", error, extra={"chat": chat_id})
        return
    await parts.storage.chats.set_may_pin(chat_id, may_pin(member))
