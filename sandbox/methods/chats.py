"""Methods about chats and their members."""

from sandbox.access import Access, find_chat, is_admin, is_present, may
from sandbox.errors import bad_request
from sandbox.groups import set_permissions, set_status
from sandbox.methods.registry import Call, method
from sandbox.model import BOT, PERMISSIONS, Chat, Json
from sandbox.objects import chat_full_info, chat_member

MEDIA = (
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
)


@method("getChat")
def get_chat(call: Call) -> Json:
    """Return a chat's full information."""
    return chat_full_info(call.world, find_chat(call.world, call["chat_id"], Access.READ))


@method("getChatMember")
def get_chat_member(call: Call) -> Json:
    """Return somebody's ChatMember; «left» for a person who is not in the chat."""
    chat = find_chat(call.world, call["chat_id"], Access.READ_MEMBERS)
    user_id = call["user_id"]
    if user_id == call.world.bot.id:
        return chat_member(call.world, chat, BOT)
    if user_id not in call.world.users:
        raise bad_request("user not found")
    if chat.type == "supergroup" and not is_admin(chat.bot.status):
        _check_tells(call, chat, user_id)
    return chat_member(call.world, chat, user_id)


def _check_tells(call: Call, chat: Chat, user_id: int) -> None:
    """Raise an ApiError, 400, if a bot that is not an administrator can't look up this member.

    The Bot API guarantees this method only to administrators. A bot can't look up people it has not met
    (github.com/tdlib/td/issues/589), nor anybody where members are hidden; both errors are quoted in
    github.com/teloxide/teloxide/issues/1349.
    """
    if chat.hidden_members:
        raise bad_request("CHAT_ADMIN_REQUIRED")
    if not call.world.users[user_id].met:
        raise bad_request("PARTICIPANT_ID_INVALID")


@method("getChatAdministrators")
def get_chat_administrators(call: Call) -> list[Json]:
    """Return the creator and the admins of a group, including the bot if it is one."""
    chat = find_chat(call.world, call["chat_id"], Access.READ_MEMBERS)
    if chat.type == "private":
        raise bad_request("there are no administrators in the private chat")
    people = [who for who, member in chat.members.items() if is_admin(member.status)]
    if is_admin(chat.bot.status):
        people.append(BOT)
    admins = [chat_member(call.world, chat, who) for who in people]
    call.sandbox.meet(admins)
    return admins


@method("getChatMemberCount")
def get_chat_member_count(call: Call) -> int:
    """Return the number of members of a chat, including the bot."""
    chat = find_chat(call.world, call["chat_id"], Access.READ_MEMBERS)
    if chat.type == "private":
        return 2
    return len(call.world.audience(chat)) + is_present(chat.bot.status)


@method("setChatPermissions")
def set_chat_permissions(call: Call) -> bool:
    """Set the permissions of all members; those left out are taken away."""
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    if chat.type == "private":
        raise bad_request("can't change private chat permissions")
    if not is_admin(chat.bot.status) or not may(call.world, chat, BOT, "can_restrict_members"):
        raise bad_request("not enough rights to change chat permissions")
    given = call["permissions"]
    permissions = {name: given.get(name, False) for name in PERMISSIONS}
    if not call.get("use_independent_chat_permissions"):
        _imply(permissions)
    if permissions == chat.permissions:
        raise bad_request("CHAT_NOT_MODIFIED")
    set_permissions(call.sandbox, chat, permissions)
    return True


def _imply(permissions: dict[str, bool]) -> None:
    """Grant what others imply (Bot API: setChatPermissions, use_independent_chat_permissions)."""
    if permissions["can_send_other_messages"] or permissions["can_add_web_page_previews"]:
        permissions |= dict.fromkeys(MEDIA, True)
    if permissions["can_send_polls"] or any(permissions[name] for name in MEDIA):
        permissions["can_send_messages"] = True


@method("leaveChat")
def leave_chat(call: Call) -> bool:
    """Leave a group."""
    chat = find_chat(call.world, call["chat_id"], Access.READ)
    if chat.type == "private":
        raise bad_request("chat member status can't be changed in private chats")
    set_status(call.sandbox, chat, BOT, "left")
    return True
