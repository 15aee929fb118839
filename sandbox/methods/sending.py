"""Methods that send something new to a chat."""

from typing import Any

from sandbox import topics
from sandbox.access import Access, Content, check_may_send, find_chat, message_of
from sandbox.delivery import post
from sandbox.errors import bad_request
from sandbox.methods.content import caption_of, formatted, markup_of, text_of
from sandbox.methods.media import document_of, photo_of
from sandbox.methods.registry import Call, method
from sandbox.model import BOT, Chat, Json, Message
from sandbox.objects import message as message_object
from sandbox.schema.sizes import CHAT_ACTIONS, MAX_CAPTION, MAX_TEXT
from sandbox.text.units import utf16_length


@method("sendMessage")
def send_message(call: Call) -> Json:
    """Send a text."""
    text, entities = text_of(call, MAX_TEXT, "message is too long")
    message = _compose(call, "text messages")
    message.text, message.entities = text, entities
    message.link_preview = call.get("link_preview_options")
    return _send(call, message)


@method("sendPhoto")
def send_photo(call: Call) -> Json:
    """Send a picture."""
    caption, entities = caption_of(call.world, call.parameters, MAX_CAPTION, "message caption is too long")
    message = _compose(call, "photos")
    message.photo = photo_of(call, call["photo"])
    message.caption, message.caption_entities = caption, entities
    message.caption_above = call.get("show_caption_above_media", False)
    message.spoiler = call.get("has_spoiler", False)
    return _send(call, message)


@method("sendDocument")
def send_document(call: Call) -> Json:
    """Send a document."""
    caption, entities = caption_of(call.world, call.parameters, MAX_CAPTION, "message caption is too long")
    message = _compose(call, "documents")
    message.document = document_of(call, call["document"])
    message.caption, message.caption_entities = caption, entities
    return _send(call, message)


@method("sendChatAction")
def send_chat_action(call: Call) -> bool:
    """Accept a «… is typing» status; nothing is stored."""
    if call["action"] not in CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    check_may_send(find_chat(call.world, call["chat_id"], Access.WRITE), "text messages")
    return True


@method("setMessageReaction")
def set_message_reaction(call: Call) -> bool:
    """Set the bot's own reaction to a message; without ``reaction`` remove it."""
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    message = message_of(chat, call["message_id"], "message to react not found")
    reactions = call.get("reaction") or []
    if len(reactions) > 1 or any(reaction["type"] != "emoji" for reaction in reactions):
        raise bad_request("REACTIONS_TOO_MANY" if len(reactions) > 1 else "REACTION_INVALID")
    message.reactions = {"bot": reactions} if reactions else {}
    call.world.edited(message)
    return True


def _compose(call: Call, content: Content) -> Message:
    """Build a new message except for its content, after all checks that could refuse it."""
    markup = markup_of(call)
    chat = find_chat(call.world, call["chat_id"], Access.WRITE)
    check_may_send(chat, content)
    call.sandbox.limits.spend(chat)
    thread = _thread(call, chat)
    reply_to, quote = _reply(call, chat)
    if thread is None and reply_to is not None:
        thread = chat.messages[reply_to].thread
    if not topics.may_write(call.world, chat, BOT, thread):
        raise bad_request("TOPIC_CLOSED")
    return Message(
        chat=chat.id,
        message_id=0,  # assigned on sending, so that a refusal uses up no number
        date=call.sandbox.clock.unix(),
        sender=BOT,
        buttons=markup.buttons,
        keyboard=markup.keyboard,
        thread=thread,
        reply_to=reply_to,
        quote=quote,
        protected=call.get("protect_content", False),
        silent=call.get("disable_notification", False),
    )


def _send(call: Call, message: Message) -> Json:
    message.message_id = call.world.next_message_id(call.world.chats[message.chat])
    return message_object(call.world, post(call.sandbox, message))


def _thread(call: Call, chat: Chat) -> int | None:
    thread: int | None = call.get("message_thread_id")
    if thread is not None and thread not in chat.topics:
        # This includes «General», which is addressed without a thread (Bot API: sendMessage,
        # message_thread_id).
        raise bad_request("message thread not found")
    return thread


def _reply(call: Call, chat: Chat) -> tuple[int | None, Json | None]:
    wish: Json = call.get("reply_parameters") or {}
    if wish and "message_id" not in wish:
        raise bad_request('can\'t find field "message_id"')
    target: Any = wish.get("message_id", call.get("reply_to_message_id"))
    if target is None:
        return None, None
    forgiving = wish.get("allow_sending_without_reply") or call.get("allow_sending_without_reply")
    if wish.get("chat_id", chat.id) != chat.id or target not in chat.messages:
        if forgiving:
            return None, None
        raise bad_request("message to be replied not found")
    if "quote" not in wish:
        return target, None
    quoted, entities = formatted(
        call.world, wish["quote"], wish.get("quote_parse_mode"), wish.get("quote_entities")
    )
    original = chat.messages[target].text or chat.messages[target].caption or ""
    position = original.find(quoted)
    if position < 0 or not quoted:
        raise bad_request("QUOTE_TEXT_INVALID")
    offset = utf16_length(original[:position])
    quote: Json = {"text": quoted, "position": offset, "is_manual": True}
    return target, quote | ({"entities": entities} if entities else {})
