"""Converts the world to the Bot API's objects: User, Chat, Message, ChatMember and so on, as JSON values.

Contains the required fields, and optional ones only where they apply.
"""

import hashlib

from sandbox.model import ADMIN_RIGHTS, BOT, PERMISSIONS, Chat, File, Json, Member, Message
from sandbox.world import World

ANONYMOUS_ADMIN = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_WRITER = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
SERVICE = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
"""The sender of messages by anonymous admins and channels (Bot API: Message.sender_chat, Message.from)."""


def user(world: World, who: int) -> Json:
    """Return the User of a person, or of the bot for :data:`BOT`."""
    if who == BOT:
        bot = world.bot
        return {"id": bot.id, "is_bot": True, "first_name": bot.first_name, "username": bot.username}
    person = world.users[who]
    if person.deactivated:  # as the Bot API server shows a deleted account (telegram-bot-api, Client.cpp)
        return {"id": person.id, "is_bot": False, "first_name": ""}
    result: Json = {"id": person.id, "is_bot": False, "first_name": person.first_name}
    for key in ("last_name", "username", "language_code"):
        if value := getattr(person, key):
            result[key] = value
    return result


def me(world: World) -> Json:
    """Return getMe's answer."""
    return {
        **user(world, BOT),
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def chat(world: World, it: Chat) -> Json:
    """Return a Chat."""
    if it.type == "private":
        person = user(world, it.id)
        names: Json = {key: person[key] for key in ("first_name", "last_name", "username") if key in person}
        return {"id": it.id, "type": "private", **names}
    forum = {"is_forum": True} if it.is_forum else {}
    return {"id": it.id, "type": it.type, "title": it.title, **forum}


def chat_full_info(world: World, it: Chat) -> Json:
    """Return getChat's answer."""
    result = chat(world, it) | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(
            (
                "unlimited_gifts",
                "limited_gifts",
                "unique_gifts",
                "premium_subscription",
                "gifts_from_channels",
            ),
            False,
        ),
    }
    if it.type != "private":
        result["permissions"] = {name: it.permissions[name] for name in PERMISSIONS}
    if it.hidden_members:
        result["has_hidden_members"] = True
    if it.pinned:
        result["pinned_message"] = message(world, it.messages[it.pinned[-1]], with_reply=False)
    return result


def chat_member(world: World, it: Chat, who: int) -> Json:
    """Return somebody's ChatMember in a chat."""
    member = world.member(it, who)
    return chat_member_as(world, who, member, it)


def chat_member_as(world: World, who: int, member: Member, it: Chat) -> Json:
    """Return the ChatMember for a current or former membership."""
    result: Json = {"status": member.status, "user": user(world, who)}
    match member.status:
        case "creator":
            result["is_anonymous"] = member.rights.get("is_anonymous", False)
        case "administrator":
            result |= {"can_be_edited": False, "is_anonymous": member.rights.get("is_anonymous", False)}
            result |= {name: member.rights.get(name, False) for name in ADMIN_RIGHTS}
            if it.type != "supergroup":
                del result["can_manage_topics"]
        case "restricted":
            result |= {"is_member": True, "until_date": 0}
            result |= {name: member.rights.get(name, it.permissions[name]) for name in PERMISSIONS}
        case "kicked":
            result["until_date"] = 0
        case "member" | "left":
            pass
    return result


def message(world: World, it: Message, *, with_reply: bool = True) -> Json:
    """Return a Message. ``with_reply=False`` omits the message it replies to, as Telegram does one level
    down.
    """
    place = world.chats[it.chat]
    result: Json = {"message_id": it.message_id, "date": it.date, "chat": chat(world, place)}
    result |= _sender(world, it, place)
    result |= _threading(world, it, place, with_reply=with_reply)
    if it.edit_date is not None:
        result["edit_date"] = it.edit_date
    if it.protected:
        result["has_protected_content"] = True
    if it.service is not None:
        return result | _service(world, it.service)
    result |= _content(world, it)
    if it.buttons:
        result["reply_markup"] = {"inline_keyboard": it.buttons}
    return result


def _sender(world: World, it: Message, place: Chat) -> Json:
    if it.automatic_forward:
        return {"from": SERVICE, "sender_chat": it.sender_chat, "is_automatic_forward": True}
    if it.sender_chat is None:
        return {"from": user(world, it.sender)}
    if it.sender_chat["id"] == place.id:
        return {"from": ANONYMOUS_ADMIN, "sender_chat": chat(world, place)}
    return {"from": CHANNEL_WRITER, "sender_chat": it.sender_chat}


def _threading(world: World, it: Message, place: Chat, *, with_reply: bool) -> Json:
    """Return the topic and the replied-to message.

    A message in a topic that is no reply counts as a reply to the topic's first message. Outside topics, and
    in «General», the thread of a reply is the first message of its chain and is not a topic
    (github.com/tdlib/telegram-bot-api/issues/447).
    """
    result: Json = {}
    answered = place.messages.get(it.reply_to) if it.reply_to else None
    if it.thread is not None:
        result |= {"message_thread_id": it.thread, "is_topic_message": True}
        if it.message_id != it.thread:
            answered = answered or place.messages.get(it.thread)
    elif it.reply_to and place.type == "supergroup":
        result["message_thread_id"] = _thread_root(place, it)
    if answered is not None and with_reply:
        result["reply_to_message"] = message(world, answered, with_reply=False)
        if it.quote:
            result["quote"] = it.quote
    return result


def _thread_root(place: Chat, it: Message) -> int:
    root = it
    while root.reply_to and root.reply_to in place.messages:
        root = place.messages[root.reply_to]
    return root.message_id if root.reply_to is None else root.reply_to


def _content(world: World, it: Message) -> Json:
    result: Json = {}
    if it.text is not None:
        result["text"] = it.text
        if it.entities:
            result["entities"] = [entity(world, item) for item in it.entities]
        if it.link_preview:
            result["link_preview_options"] = it.link_preview
        return result
    if it.photo:
        result["photo"] = photo_sizes(world, it)
    elif it.document:
        result["document"] = document(world.files[it.document])
    if it.caption:
        result["caption"] = it.caption
        if it.caption_entities:
            result["caption_entities"] = [entity(world, item) for item in it.caption_entities]
    if it.caption_above:
        result["show_caption_above_media"] = True
    if it.spoiler:
        result["has_media_spoiler"] = True
    return result


def entity(world: World, it: Json) -> Json:
    """Return a MessageEntity; a mention by id includes the person's name."""
    if it["type"] == "text_mention":
        return {**it, "user": user(world, it["user"]["id"])}
    return it


def photo_sizes(world: World, it: Message) -> list[Json]:
    """Return the PhotoSizes of a message; the sandbox keeps only the original size."""
    assert it.photo is not None
    file = world.files[it.photo.file]
    size = {"width": it.photo.width, "height": it.photo.height, "file_size": len(file.content)}
    return [{"file_id": file.file_id, "file_unique_id": file.unique_id, **size}]


def document(file: File) -> Json:
    """Return a Document."""
    return {
        "file_id": file.file_id,
        "file_unique_id": file.unique_id,
        "file_name": file.name,
        "mime_type": file.mime_type,
        "file_size": len(file.content),
    }


def _service(world: World, service: Json) -> Json:
    match service["kind"]:
        case "new_chat_members":
            return {"new_chat_members": [user(world, who) for who in service["users"]]}
        case "left_chat_member":
            return {"left_chat_member": user(world, service["user"])}
        case "pinned_message":
            pinned = world.chats[service["chat"]].messages.get(service["message_id"])
            if pinned is None:
                gone = {"message_id": service["message_id"], "date": 0}
                return {"pinned_message": {**gone, "chat": chat(world, world.chats[service["chat"]])}}
            return {"pinned_message": message(world, pinned, with_reply=False)}
        case "forum_topic_created":
            return {"forum_topic_created": {"name": service["name"], "icon_color": 7322096}}
        case "forum_topic_edited":
            return {"forum_topic_edited": {"name": service["name"]}}
        case "forum_topic_closed" | "forum_topic_reopened":
            return {service["kind"]: {}}
        case "new_chat_title":
            return {"new_chat_title": service["title"]}
        case "migrate_to_chat_id" | "migrate_from_chat_id":
            return {service["kind"]: service["chat"]}
        case kind:
            return {kind: True}


def chat_instance(it: Chat) -> str:
    """Return an opaque string, the same for the same chat (Bot API: CallbackQuery.chat_instance)."""
    return str(int.from_bytes(hashlib.sha256(str(it.id).encode()).digest()[:8], "big", signed=True))
