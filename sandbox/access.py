"""Finds the chat that a call names, and refuses what the bot may not do there, in Telegram's words.

Refusals come in the order of Telegram's server: chat not found, upgraded, kicked, blocked, missing rights.
"""

from enum import Enum
from typing import Any, Literal

from sandbox.errors import ApiError, bad_request, forbidden
from sandbox.model import PRESENT, Chat, Message, Status
from sandbox.world import World


class Access(Enum):
    """The access to a chat that a method needs (telegram-bot-api, Client.cpp, check_chat_access)."""

    READ = 1
    READ_MEMBERS = 2
    EDIT = 3
    WRITE = 4


Content = Literal["text messages", "photos", "documents"]
CONTENT_PERMISSIONS: dict[Content, str] = {
    "text messages": "can_send_messages",
    "photos": "can_send_photos",
    "documents": "can_send_documents",
}


def find_chat(world: World, chat_id: int | str, access: Access) -> Chat:
    """Return the chat that a ``chat_id`` parameter names, if the bot has the required access.

    Raises:
        ApiError: 400 «chat not found» or upgraded; 403 if kicked, blocked, or the account is deleted.
    """
    if chat_id == "":
        raise bad_request("chat_id is empty")
    chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat is None or (chat.type != "private" and not chat.known_to_bot):
        raise bad_request("chat not found")
    match chat.type:
        case "private":
            _check_private(world, chat, access)
        case "group":
            _check_group(chat, access)
        case "supergroup":
            _check_member(chat, "supergroup chat")
    return chat


def _check_private(world: World, chat: Chat, access: Access) -> None:
    user = world.users[chat.id]
    if access in (Access.EDIT, Access.WRITE) and user.deactivated:
        raise forbidden("user is deactivated")
    if access in (Access.EDIT, Access.WRITE) and user.blocked:
        raise forbidden("bot was blocked by the user")
    if access is Access.WRITE and not user.started:
        raise forbidden("bot can't initiate conversation with a user")


def _check_group(chat: Chat, access: Access) -> None:
    """Check access to a group. One that has become a supergroup can still be read, but not written to."""
    if chat.upgraded_to is not None:
        if access in (Access.READ_MEMBERS, Access.WRITE):
            words = "Bad Request: group chat was upgraded to a supergroup chat"
            raise ApiError(400, words, migrate_to_chat_id=chat.upgraded_to)
    elif access is not Access.READ:
        _check_member(chat, "group chat")


def _check_member(chat: Chat, kind: str) -> None:
    if chat.bot.status == "kicked":
        raise forbidden(f"bot was kicked from the {kind}")
    if not is_present(chat.bot.status):
        raise forbidden(f"bot is not a member of the {kind}")


def check_may_send(chat: Chat, content: Content) -> None:
    """Raise an ApiError, 400, if the bot lacks the right to send this kind of message here."""
    if chat.type == "private" or is_admin(chat.bot.status):
        return
    for permission in ("can_send_messages", CONTENT_PERMISSIONS[content]):
        own = chat.bot.rights.get(permission, True) if chat.bot.status == "restricted" else True
        if not (own and chat.permissions[permission]):
            raise bad_request(f"not enough rights to send {content} to the chat")


def may(world: World, chat: Chat, who: int, right: str) -> bool:
    """Return whether a member has an administrator right, or the permission that all members have."""
    member = world.member(chat, who)
    match member.status:
        case "creator":
            return True
        case "administrator":
            return member.rights.get(right, False)
        case "member":
            return chat.permissions.get(right, False)
        case "restricted":
            return member.rights.get(right, False) and chat.permissions.get(right, False)
        case "left" | "kicked":
            return False


def is_admin(status: Status) -> bool:
    """Return whether the member is the creator or an administrator."""
    return status in ("creator", "administrator")


def is_present(status: Status) -> bool:
    """Return whether the member is in the chat, with any rights."""
    return status in PRESENT


def message_of(chat: Chat, message_id: Any, words: str) -> Message:
    """Return a message by its id, or raise a 400 with the given description."""
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request(words)
    return message
