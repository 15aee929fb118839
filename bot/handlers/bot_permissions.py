"""The bot's permissions in a group: looked up when a table opens, updated when Telegram reports a change."""

from __future__ import annotations

from telegram import ChatMember, ChatMemberAdministrator, ChatMemberRestricted
from telegram.constants import ChatMemberStatus

from bot.handlers.services import Services


def is_present(member: ChatMember) -> bool:
    """Whether this member is in the chat, which a restricted one need not be."""
    if isinstance(member, ChatMemberRestricted):
        return member.is_member
    return member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def is_admin(member: ChatMember) -> bool:
    """Whether this member is an admin of the chat or its creator."""
    return member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


def may_pin(member: ChatMember) -> bool:
    """Whether the bot may pin messages and delete Telegram's service messages about that."""
    if not isinstance(member, ChatMemberAdministrator):
        return False
    return bool(member.can_pin_messages) and member.can_delete_messages


async def learn(services: Services, chat_id: int) -> None:
    """Look up the bot's permissions in this group and store them; without an answer nothing changes."""
    member = await services.lookups.own(chat_id)
    if member is not None:
        await services.storage.chats.set_may_pin(chat_id, may_pin(member))
