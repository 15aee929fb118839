"""What the bot may do in a group: asked when a table opens, and told by Telegram when it changes."""

from __future__ import annotations

from telegram import ChatMember, ChatMemberAdministrator, ChatMemberRestricted
from telegram.constants import ChatMemberStatus

from bot.handlers.services import Services


def is_present(member: ChatMember) -> bool:
    """Is he in the chat, whatever he may do there? Who is restricted need not be."""
    if isinstance(member, ChatMemberRestricted):
        return member.is_member
    return member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def is_admin(member: ChatMember) -> bool:
    """Is this one of the chat's admins, or its creator?"""
    return member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


def may_pin(member: ChatMember) -> bool:
    """May it pin, and take away the line with which Telegram tells of a pin?"""
    if not isinstance(member, ChatMemberAdministrator):
        return False
    return bool(member.can_pin_messages) and member.can_delete_messages


async def learn(services: Services, chat_id: int) -> None:
    """Ask Telegram what the bot may do in this group, and remember it; no answer changes nothing."""
    member = await services.lookups.own(chat_id)
    if member is not None:
        await services.storage.chats.set_may_pin(chat_id, may_pin(member))
