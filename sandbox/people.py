"""Actions of people: write, edit, delete, press buttons, start and block the bot, delete their accounts.

Each function is one action in a client, with the checks of the client and the server.
"""

from typing import Any

from sandbox import topics
from sandbox.access import is_admin, may
from sandbox.callbacks import Query
from sandbox.delivery import post, tell_of_edit
from sandbox.errors import ControlError
from sandbox.events import PeopleChanged
from sandbox.model import BOT, PRESENT, Chat, Json, Member, Message, User
from sandbox.objects import chat as chat_object
from sandbox.objects import chat_instance, chat_member_as
from sandbox.objects import message as message_object
from sandbox.objects import user as user_object
from sandbox.schema.sizes import MAX_TEXT, START_PAYLOAD
from sandbox.state import Sandbox
from sandbox.text.auto_entities import with_found_entities
from sandbox.text.units import clean, trimmed

TELEGRAM = 777000
"""The account that forwards a channel's posts to its discussion group."""


def send(
    sandbox: Sandbox,
    sender: int,
    chat_id: int,
    text: str,
    *,
    thread: int | None = None,
    reply_to: int | None = None,
    as_chat: bool = False,
    as_channel: str | None = None,
) -> Message:
    """Send a message as a person, as the group (an anonymous admin), or as a channel.

    Raises:
        ControlError: if that is impossible: not a member, blocked, empty text, no such topic or message.
    """
    world = sandbox.world
    chat = chat_of_person(sandbox, sender, chat_id)
    _check_may_write(sandbox, chat, sender)
    sender_chat = _sender_chat(sandbox, chat, sender, as_chat=as_chat, as_channel=as_channel)
    if thread is not None and thread not in chat.topics:
        raise ControlError(f"no topic {thread} in chat {chat.id}", 404)
    if reply_to is not None and reply_to not in chat.messages:
        raise ControlError(f"no message {reply_to} in chat {chat.id}", 404)
    thread = thread if thread is not None else _thread_of(chat, reply_to)
    if not topics.may_write(world, chat, sender, thread):
        raise ControlError("the topic is closed", 403)
    content, entities = written(text)
    message = Message(
        chat=chat.id,
        message_id=world.next_message_id(chat),
        date=sandbox.clock.unix(),
        sender=sender,
        sender_chat=sender_chat,
        text=content,
        entities=entities,
        thread=thread,
        reply_to=reply_to,
    )
    if chat.type == "private" and not world.users[sender].started:
        world.users[sender].started = True
        world.emit(PeopleChanged())
    return post(sandbox, message)


def forward_post(sandbox: Sandbox, chat_id: int, channel: str, text: str) -> Message:
    """Forward a post of the channel to this discussion group; comments are replies to it."""
    chat = sandbox.world.chats.get(chat_id)
    if chat is None or chat.type != "supergroup":
        raise ControlError("only a supergroup can be a channel's discussion group")
    content, entities = written(text)
    message = Message(
        chat=chat.id,
        message_id=sandbox.world.next_message_id(chat),
        date=sandbox.clock.unix(),
        sender=TELEGRAM,
        sender_chat={"id": -1_001_999_000_000, "type": "channel", "title": channel},
        text=content,
        entities=entities,
        automatic_forward=True,
    )
    return post(sandbox, message)


def written(text: str) -> tuple[str, list[Json]]:
    """Return a person's text as Telegram stores it, or raise a ControlError if Telegram would refuse it."""
    content, _ = trimmed(clean(text), [])
    if not content:
        raise ControlError("the text is empty")
    if len(content) > MAX_TEXT:
        raise ControlError(f"the text is longer than {MAX_TEXT} characters")
    return content, with_found_entities(content, [])


def _thread_of(chat: Chat, reply_to: int | None) -> int | None:
    return chat.messages[reply_to].thread if reply_to is not None else None


def chat_of_person(sandbox: Sandbox, person: int, chat_id: int) -> Chat:
    """Return a chat in which the person is a member with the required permission."""
    _living(sandbox, person)
    chat = sandbox.world.chat(chat_id)
    if sandbox.world.member(chat, person).status not in PRESENT:
        raise ControlError(f"user {person} is not in chat {chat_id}", 403)
    return chat


def _check_may_write(sandbox: Sandbox, chat: Chat, sender: int) -> None:
    if chat.upgraded_to is not None:
        raise ControlError(f"the group has become supergroup {chat.upgraded_to}")
    if chat.type == "private":
        if sandbox.world.users[sender].blocked:
            raise ControlError("the bot is blocked: unblock it or press Start first", 403)
    elif not (is_admin(chat.members[sender].status) or may(sandbox.world, chat, sender, "can_send_messages")):
        raise ControlError(f"user {sender} may not write here", 403)


def _sender_chat(
    sandbox: Sandbox, chat: Chat, sender: int, *, as_chat: bool, as_channel: str | None
) -> Json | None:
    if as_channel:
        if chat.type != "supergroup":
            raise ControlError("only in a supergroup does anybody write as a channel")
        return {"id": -1_001_000_000_000 - sender, "type": "channel", "title": as_channel}
    if not as_chat:
        return None
    if chat.type != "supergroup" or not is_admin(chat.members[sender].status):
        raise ControlError("only an admin of a supergroup writes anonymously")
    return chat_object(sandbox.world, chat)


def edit(sandbox: Sandbox, person: int, chat_id: int, message_id: int, text: str) -> None:
    """Edit a person's own message."""
    chat = chat_of_person(sandbox, person, chat_id)
    message = chat.messages.get(message_id)
    if message is None or message.sender != person or message.service is not None or message.text is None:
        raise ControlError(f"user {person} has no text {message_id} in chat {chat_id}", 404)
    message.text, message.entities = written(text)
    message.edit_date = sandbox.clock.unix()
    tell_of_edit(sandbox, message)


def delete(sandbox: Sandbox, chat_id: int, message_id: int | None) -> list[int]:
    """Delete a message, or with None clear the chat. The bot gets no update."""
    chat = sandbox.world.chat(chat_id)
    if message_id is not None and message_id not in chat.messages:
        raise ControlError(f"no message {message_id} in chat {chat_id}", 404)
    return sandbox.world.delete(chat, list(chat.messages) if message_id is None else [message_id])


def start(sandbox: Sandbox, person: int, payload: str | None) -> Message:
    """Open the private chat, with or without a deep link, and press START (which also unblocks the bot)."""
    user = _living(sandbox, person)
    if payload is not None and not START_PAYLOAD.fullmatch(payload):
        raise ControlError("START_PARAM_INVALID: 1-64 characters of A-Za-z0-9_-")
    if user.blocked:
        block(sandbox, person, blocked=False)
    return send(sandbox, person, person, f"/start {payload}" if payload else "/start")


def block(sandbox: Sandbox, person: int, *, blocked: bool) -> None:
    """Block or unblock the bot. A change sends one update."""
    user = _living(sandbox, person)
    if user.blocked == blocked:
        return
    user.blocked = blocked
    chat = sandbox.world.chats[person]
    before, after = Member("member"), Member("kicked")
    if not blocked:
        before, after = after, before
    sandbox.tell(
        "my_chat_member",
        {
            "chat": chat_object(sandbox.world, chat),
            "from": user_object(sandbox.world, person),
            "date": sandbox.clock.unix(),
            "old_chat_member": chat_member_as(sandbox.world, BOT, before, chat),
            "new_chat_member": chat_member_as(sandbox.world, BOT, after, chat),
        },
    )
    sandbox.world.emit(PeopleChanged())


def rename(sandbox: Sandbox, person: int, first_name: str, last_name: str | None) -> None:
    """Rename a person. The bot gets no update; later updates carry the new name."""
    user = _living(sandbox, person)
    user.first_name, user.last_name = checked_name(first_name), (last_name or "").strip() or None
    sandbox.world.emit(PeopleChanged())


def checked_name(first_name: str) -> str:
    """Return a first name as Telegram stores it, or raise a ControlError if it is invalid."""
    if not first_name.strip():
        raise ControlError("first_name is empty")
    return first_name.strip()


def deactivate(sandbox: Sandbox, person: int) -> None:
    """Delete a person's account. The bot gets no update and finds out when it writes to the person."""
    _living(sandbox, person).deactivated = True
    sandbox.world.emit(PeopleChanged())


def _living(sandbox: Sandbox, person: int) -> User:
    """Return a person whose account is not deleted."""
    user = sandbox.world.user(person)
    if user.deactivated:
        raise ControlError(f"user {person} has deleted the account", 403)
    return user


def find_button(message: Message, which: str | int) -> Json:
    """Return a button by its text, or by its number, counted from 0 row by row.

    Raises:
        ControlError: if there is none.
    """
    buttons = [button for row in message.buttons or [] for button in row]
    if isinstance(which, int):
        if 0 <= which < len(buttons):
            return buttons[which]
    else:
        for button in buttons:
            if button["text"] == which:
                return button
    shown = ", ".join(repr(button["text"]) for button in buttons) or "none"
    raise ControlError(f"no button {which!r} on message {message.message_id}; there are: {shown}", 404)


def press(
    sandbox: Sandbox, person: int, chat_id: int, message_id: int, data: str, *, page: str | None = None
) -> Query:
    """Send a callback query with a button's data, or with any other data, as a forger would.

    ``page`` names the client, which alone shows the answer; without one all clients do.

    Raises:
        ControlError: if the person is not in the chat.
    """
    chat = chat_of_person(sandbox, person, chat_id)
    world = sandbox.world
    message = chat.messages.get(message_id)
    pressed: Any
    if message is None:
        # Bot API: InaccessibleMessage, for a message that is deleted or otherwise unavailable.
        pressed = {"chat": chat_object(world, chat), "message_id": message_id, "date": 0}
    else:
        pressed = message_object(world, message)
    query = sandbox.callbacks.open(person, chat.id, message_id, page)
    sandbox.tell(
        "callback_query",
        {
            "id": query.id,
            "from": user_object(world, person),
            "message": pressed,
            "chat_instance": chat_instance(chat),
            "data": data,
        },
    )
    return query
