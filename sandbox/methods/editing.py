"""Methods that change or remove messages: edits, deletions, pins."""

from dataclasses import replace

from sandbox.access import Access, find_chat, is_admin, may, message_of
from sandbox.errors import bad_request
from sandbox.events import PeopleChanged
from sandbox.groups import write_service
from sandbox.methods.content import caption_of, markup_of, text_of
from sandbox.methods.media import document_of, photo_of
from sandbox.methods.registry import Call, method
from sandbox.model import BOT, Chat, Json, Message
from sandbox.objects import message as message_object
from sandbox.parameters import missing
from sandbox.schema.sizes import DELETABLE_SECONDS, MAX_CAPTION, MAX_DELETED_AT_ONCE, MAX_TEXT

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)


@method("editMessageText")
def edit_message_text(call: Call) -> Json:
    """Replace a text, and replace or remove its keyboard."""
    text, entities = text_of(call, MAX_TEXT, "MESSAGE_TOO_LONG")
    message = _editable(call)
    if message.text is None:
        raise bad_request("there is no text in the message to edit")
    return _edit(call, message, text=text, entities=entities, link_preview=call.get("link_preview_options"))


@method("editMessageCaption")
def edit_message_caption(call: Call) -> Json:
    """Replace a caption, and replace or remove its keyboard."""
    caption, entities = caption_of(call.world, call.parameters, MAX_CAPTION, "MEDIA_CAPTION_TOO_LONG")
    message = _editable(call)
    if message.text is not None:
        raise bad_request("there is no caption in the message to edit")
    above = call.get("show_caption_above_media", False)
    return _edit(call, message, caption=caption, caption_entities=entities, caption_above=above)


@method("editMessageMedia")
def edit_message_media(call: Call) -> Json:
    """Replace a picture, a document or a text by a picture or a document; never the reverse."""
    media: Json = call["media"]
    caption, entities = caption_of(call.world, media, MAX_CAPTION, "MEDIA_CAPTION_TOO_LONG")
    message = _editable(call)
    changes: Json = {"text": None, "entities": [], "link_preview": None, "photo": None, "document": None}
    match media["type"]:
        case "photo":
            changes["photo"] = photo_of(call, media["media"])
        case "document":
            changes["document"] = document_of(call, media["media"])
        case other:
            raise bad_request(f"the sandbox keeps no media of type {other}")
    changes |= {"caption": caption, "caption_entities": entities, "spoiler": media.get("has_spoiler", False)}
    changes["caption_above"] = media.get("show_caption_above_media", False)
    return _edit(call, message, **changes)


@method("editMessageReplyMarkup")
def edit_message_reply_markup(call: Call) -> Json:
    """Replace or remove a keyboard and keep the content."""
    return _edit(call, _editable(call))


@method("deleteMessage")
def delete_message(call: Call) -> bool:
    """Delete a message for everyone."""
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    call.sandbox.limits.spend(chat)
    message = message_of(chat, call["message_id"], "message to delete not found")
    _check_deletable(call, chat, message)
    call.world.delete(chat, [message.message_id])
    return True


@method("deleteMessages")
def delete_messages(call: Call) -> bool:
    """Delete several messages; missing ones are ignored."""
    identifiers: list[int] = call["message_ids"]
    if not identifiers:
        raise bad_request("message identifiers are not specified")
    if len(identifiers) > MAX_DELETED_AT_ONCE:
        raise bad_request("too many message identifiers specified")
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    call.sandbox.limits.spend(chat)
    messages = [chat.messages[identifier] for identifier in identifiers if identifier in chat.messages]
    for message in messages:
        _check_deletable(call, chat, message)
    call.world.delete(chat, [message.message_id for message in messages])
    return True


@method("pinChatMessage")
def pin_chat_message(call: Call) -> bool:
    """Pin a message. Groups are notified unless it is silent; private chats never."""
    chat = _where_pins_are_ours(call)
    message = message_of(chat, call["message_id"], "message to pin not found")
    call.sandbox.limits.spend(chat)
    chat.pinned = [*(pin for pin in chat.pinned if pin != message.message_id), message.message_id]
    silent = call.get("disable_notification", False) or chat.type == "private"
    service = {"kind": "pinned_message", "chat": chat.id, "message_id": message.message_id}
    write_service(call.sandbox, chat, BOT, service, thread=message.thread, silent=silent)
    call.world.emit(PeopleChanged())
    return True


@method("unpinChatMessage")
def unpin_chat_message(call: Call) -> bool:
    """Unpin a message; without ``message_id`` the newest pinned one."""
    chat = _where_pins_are_ours(call)
    wanted = call.get("message_id", chat.pinned[-1] if chat.pinned else None)
    if wanted not in chat.pinned:
        raise bad_request("message to unpin not found")
    call.sandbox.limits.spend(chat)
    chat.pinned.remove(wanted)
    call.world.emit(PeopleChanged())
    return True


@method("unpinAllChatMessages")
def unpin_all_chat_messages(call: Call) -> bool:
    """Unpin all messages."""
    chat = _where_pins_are_ours(call)
    call.sandbox.limits.spend(chat)
    chat.pinned.clear()
    call.world.emit(PeopleChanged())
    return True


def _editable(call: Call) -> Message:
    if call.get("inline_message_id") is not None:
        raise bad_request("MESSAGE_ID_INVALID")
    for name in ("chat_id", "message_id"):
        if call.get(name) is None:
            raise missing(name)
    chat = find_chat(call.world, call["chat_id"], Access.EDIT)
    call.sandbox.limits.spend(chat)
    message = message_of(chat, call["message_id"], "message to edit not found")
    is_ours = message.sender == BOT and message.service is None
    if not is_ours or message.keyboard is not None or chat.upgraded_to is not None:
        raise bad_request("message can't be edited")
    return message


def _edit(call: Call, message: Message, **changes: object) -> Json:
    edited = replace(message, **changes, buttons=markup_of(call).buttons)  # type: ignore[arg-type]
    if edited == message:
        raise bad_request(NOT_MODIFIED)
    edited.edit_date = call.sandbox.clock.unix()
    call.world.chats[message.chat].messages[message.message_id] = edited
    call.world.edited(edited)
    return message_object(call.world, edited)


def _check_deletable(call: Call, chat: Chat, message: Message) -> None:
    if chat.type != "private" and may_delete_any(call, chat):
        return
    if chat.type != "private" and message.sender != BOT:
        raise bad_request("message can't be deleted")
    if call.sandbox.clock.now() - message.date > DELETABLE_SECONDS:
        raise bad_request("message can't be deleted for everyone")


def may_delete_any(call: Call, chat: Chat) -> bool:
    """Return whether the bot may delete others' messages of any age (Bot API: deleteMessage)."""
    return is_admin(chat.bot.status) and may(call.world, chat, BOT, "can_delete_messages")


def _where_pins_are_ours(call: Call) -> Chat:
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    if chat.type != "private" and not may(call.world, chat, BOT, "can_pin_messages"):
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return chat
