"""May the bot do this here? Which chat is meant, and what Telegram says when it must not.

Refusals in the order in which Telegram's server finds them: no such chat, upgraded, thrown out, blocked,
rights.
"""

from typing import Any, Literal

from sandbox.errors import ApiError, bad_request, forbidden
from sandbox.model import BOT, PRESENT, Chat, Message, Status
from sandbox.world import World

Content = Literal["text messages", "photos", "documents"]
CONTENT_PERMISSIONS: dict[Content, str] = {
    "text messages": "can_send_messages",
    "photos": "can_send_photos",
    "documents": "can_send_documents",
}


def chat_of(world: World, chat_id: int | str) -> Chat:
    """The chat that a ``chat_id`` parameter names, whether or not the bot may write there.

    Raises:
        ApiError: 400 «chat not found», 400 for an upgraded group, 403 if the bot is not in it (any more).
    """
    chat = world.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat_id == "":
        raise bad_request("chat_id is empty")
    if chat is None or (chat.type != "private" and chat.bot.status == "left" and not _was_there(chat)):
        raise bad_request("chat not found")
    if chat.upgraded_to is not None:
        raise ApiError(
            400,
            "Bad Request: group chat was upgraded to a supergroup chat",
            migrate_to_chat_id=chat.upgraded_to,
        )
    kind = "supergroup chat" if chat.type == "supergroup" else "group chat"
    if chat.bot.status == "kicked":
        raise forbidden(f"bot was kicked from the {kind}")
    if chat.bot.status == "left":
        raise forbidden(f"bot is not a member of the {kind}")
    return chat


def _was_there(chat: Chat) -> bool:
    return bool(chat.bot.rights) or any(message.sender == BOT for message in chat.messages.values())


def writable_chat(world: World, chat_id: int | str) -> Chat:
    """The chat that a ``chat_id`` parameter names, where the bot may act.

    Raises:
        ApiError: as :func:`chat_of`, and 403 in a private chat before /start or after a block.
    """
    chat = chat_of(world, chat_id)
    if chat.type == "private":
        user = world.users[chat.id]
        if user.blocked:
            raise forbidden("bot was blocked by the user")
        if not user.started:
            raise forbidden("bot can't initiate conversation with a user")
    return chat


def check_may_send(chat: Chat, content: Content) -> None:
    """Raises an ApiError, 400, if the bot lacks the right to send this kind of message here."""
    if chat.type == "private" or chat.bot.status in ("administrator", "creator"):
        return
    for permission in ("can_send_messages", CONTENT_PERMISSIONS[content]):
        own = chat.bot.rights.get(permission, True) if chat.bot.status == "restricted" else True
        if not (own and chat.permissions[permission]):
            raise bad_request(f"not enough rights to send {content} to the chat")


def may(world: World, chat: Chat, who: int, right: str) -> bool:
    """Whether somebody has an administrator's right, or the permission that all members have."""
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
    """Creator or administrator."""
    return status in ("creator", "administrator")


def is_present(status: Status) -> bool:
    """In the chat, whatever he may do there."""
    return status in PRESENT


def message_of(chat: Chat, message_id: Any, words: str) -> Message:
    """A message by its id, or 400 in these words."""
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request(words)
    return message
