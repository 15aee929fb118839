"""The world as people see it, for the page and the control routes. Not the Bot API's objects."""

from sandbox.access import is_present
from sandbox.model import BOT, PRESENT, Chat, Json, Member, Message
from sandbox.objects import entity
from sandbox.state import Sandbox
from sandbox.world import World

BUTTON_FIELDS = {"callback_data": "data", "url": "url", "style": "style"}

HAPPENINGS = {
    "joined": "{names} joined",
    "added": "{actor} added {names}",
    "left": "{names} left",
    "removed": "{actor} removed {names}",
    "pinned": "{actor} pinned a message",
    "topic": "{actor} created the topic «{names}»",
    "topic_renamed": "{actor} renamed the topic to «{names}»",
    "topic_closed": "{actor} closed the topic",
    "topic_reopened": "{actor} reopened the topic",
    "renamed": "{actor} renamed the group to «{names}»",
    "upgraded": "The group was upgraded to a supergroup",
    "created": "{actor} created the group",
}


def world_view(sandbox: Sandbox) -> Json:
    """Return all people and groups as the page shows them."""
    world, bot = sandbox.world, sandbox.world.bot
    return {
        "id": world.id,
        "bot": {
            "id": bot.id,
            "username": bot.username,
            "first_name": bot.first_name,
            "description": bot.descriptions.get("", ""),
            "short_description": bot.short_descriptions.get("", ""),
            "descriptions": bot.descriptions,
            "is": sandbox.bot_is,
        },
        "now": sandbox.clock.unix(),
        "users": [
            {
                "id": user.id,
                "first_name": user.first_name,
                "last_name": user.last_name,
                "username": user.username,
                "language_code": user.language_code,
                "blocked": user.blocked,
                "deactivated": user.deactivated,
                "started": user.started,
                "pinned": world.chats[user.id].pinned,
            }
            for user in world.users.values()
        ],
        "chats": [_group_view(chat) for chat in world.chats.values() if chat.type != "private"],
    }


def _group_view(chat: Chat) -> Json:
    members: list[Json] = [_member_view(who, member) for who, member in chat.members.items()]
    if chat.bot.status != "left":
        members.append(_member_view("bot", chat.bot))
    return {
        "id": chat.id,
        "type": chat.type,
        "title": chat.title,
        "is_forum": chat.is_forum,
        "members": members,
        "permissions": chat.permissions,
        "hidden_members": chat.hidden_members,
        "topics": [{"thread": thread, "name": name} for thread, name in chat.topics.items()],
        "closed_topics": chat.closed_topics,
        "pinned": chat.pinned,
        "upgraded_to": chat.upgraded_to,
    }


def _member_view(who: int | str, member: Member) -> Json:
    return {"user": who, "status": member.status} | ({"rights": member.rights} if member.rights else {})


def message_view(world: World, message: Message) -> Json:
    """Return one message as its chat shows it now."""
    chat = world.chats[message.chat]
    happening = _happening(world, message)
    return {
        "message_id": message.message_id,
        "from": _author(world, message),
        "date": message.date,
        "edit_date": message.edit_date,
        "text": message.text,
        "entities": [entity(world, item) for item in message.entities],
        "caption": message.caption,
        "caption_entities": [entity(world, item) for item in message.caption_entities],
        "photo": _photo(message),
        "document": _document(world, message),
        "buttons": [[_button(button) for button in row] for row in message.buttons or []],
        "thread": message.thread,
        "reply_to": message.reply_to,
        "pinned": message.message_id in chat.pinned,
        "service": HAPPENINGS[happening["kind"]].format(**happening) if happening else None,
        "happening": happening,
        "silent": message.silent,
        "reactions": [
            reaction["emoji"] for reactions in message.reactions.values() for reaction in reactions
        ],
    }


def _author(world: World, message: Message) -> Json:
    if message.sender_chat is not None:
        return {"chat": message.sender_chat, "first_name": message.sender_chat["title"], "is_bot": False}
    who = world.bot.id if message.sender == BOT else message.sender
    return {"id": who, "first_name": world.full_name(message.sender), "is_bot": message.sender == BOT}


def _photo(message: Message) -> Json | None:
    if message.photo is None:
        return None
    return {
        "url": f"/control/file/{message.photo.file}",
        "width": message.photo.width,
        "height": message.photo.height,
    }


def _document(world: World, message: Message) -> Json | None:
    if message.document is None:
        return None
    file = world.files[message.document]
    return {"url": f"/control/file/{file.file_id}", "file_name": file.name, "size": len(file.content)}


def _button(button: Json) -> Json:
    result: Json = {"text": button["text"]}
    result |= {shown: button[field] for field, shown in BUTTON_FIELDS.items() if field in button}
    if "copy_text" in button:
        result["copy"] = button["copy_text"]["text"]
    return result


def _happening(world: World, message: Message) -> Json | None:
    """The data of a service message, for clients that word it in another language."""
    service = message.service
    if service is None:
        return None
    actor, names = world.full_name(message.sender), ""
    match service["kind"]:
        case "new_chat_members":
            names = ", ".join(world.full_name(who) for who in service["users"])
            kind = "joined" if service["users"] == [message.sender] else "added"
        case "left_chat_member":
            names = world.full_name(service["user"])
            kind = "left" if service["user"] == message.sender else "removed"
        case "pinned_message":
            kind = "pinned"
        case "forum_topic_created":
            kind, names = "topic", service["name"]
        case "forum_topic_edited":
            kind, names = "topic_renamed", service["name"]
        case "forum_topic_closed":
            kind = "topic_closed"
        case "forum_topic_reopened":
            kind = "topic_reopened"
        case "new_chat_title":
            kind, names = "renamed", service["title"]
        case "migrate_to_chat_id" | "migrate_from_chat_id":
            kind = "upgraded"
        case _:
            kind = "created"
    return {"kind": kind, "actor": actor, "names": names}


def unread(world: World, person: int) -> dict[int, int]:
    """Return the number of others' messages that a person has not read, by chat; chats without any are left
    out.
    """
    result: dict[int, int] = {}
    for chat in world.chats.values():
        seen = chat.read_up_to.get(person, 0)
        if person != chat.id and not is_present(chat.members.get(person, Member("left")).status):
            continue
        count = 0
        for message in reversed(chat.messages.values()):
            if message.message_id <= seen:
                break
            count += message.sender != person and message.service is None
        if count:
            result[chat.id] = count
    return result


def visible_chat(world: World, chat_id: int, person: int | None) -> Chat | None:
    """Return a chat if it exists and that person can see it; without a person, if it exists."""
    chat = world.chats.get(chat_id)
    if chat is None or person is None or world.member(chat, person).status in PRESENT:
        return chat
    return None
