"""The actions, ``POST /control/<name>``: people act, and faults are injected."""

import asyncio

from sandbox import groups, people, topics
from sandbox.control.registry import Body, action
from sandbox.errors import ControlError
from sandbox.events import PeopleChanged, WasReset
from sandbox.faults import Fault
from sandbox.model import BOT, Json
from sandbox.seed_data import populate
from sandbox.state import Sandbox

FAULT_FIELDS = (
    "method chat times every status retry_after hang hang_answer lose_answer duplicate_updates delay_updates"
)
PRESS_WAIT = 5.0
"""Default number of seconds that a press waits for the bot's answer."""


# ---------------------------------------------------------------------------------------- who and what exists


@action("users", "first_name last_name username language_code")
def add_user(sandbox: Sandbox, body: Body) -> Json:
    """Add a person."""
    first_name = people.checked_name(body.take("first_name", str))
    last_name, username = body.take("last_name", str, default=None), body.take("username", str, default=None)
    language = body.take("language_code", str, default=None)
    return {"id": sandbox.world.add_user(first_name, last_name, username, language).id}


@action("chats", "type title members admins creator is_forum bot")
def add_chat(sandbox: Sandbox, body: Body) -> Json:
    """Add a group."""
    kind = body.take("type", str, default="supergroup")
    if kind not in ("group", "supergroup"):
        raise ControlError("type must be group or supergroup")
    bot = body.take("bot", bool, str, default=True)
    chat = groups.create(
        sandbox,
        kind,
        body.take("title", str),
        body.take_ids("members"),
        admins=body.take_ids("admins"),
        creator=body.take("creator", int, default=None),
        is_forum=body.take("is_forum", bool, default=False),
        bot="member" if bot is True else bot or None,
    )
    return {"id": chat.id}


@action("topics", "chat name")
def add_topic(sandbox: Sandbox, body: Body) -> Json:
    """Add a topic to a forum."""
    chat = sandbox.world.chat(body.take("chat", int))
    return {"thread": topics.add(sandbox, chat, body.take("name", str))}


@action("rename_topic", "chat thread name")
def rename_topic(sandbox: Sandbox, body: Body) -> Json:
    """Rename a topic."""
    chat = sandbox.world.chat(body.take("chat", int))
    topics.rename(sandbox, chat, body.take("thread", int), body.take("name", str))
    return {}


@action("close_topic", "chat thread closed")
def close_topic(sandbox: Sandbox, body: Body) -> Json:
    """Close or reopen a topic."""
    chat = sandbox.world.chat(body.take("chat", int))
    topics.close(sandbox, chat, body.take("thread", int), closed=body.take("closed", bool))
    return {}


@action("delete_topic", "chat thread")
def delete_topic(sandbox: Sandbox, body: Body) -> Json:
    """Delete a topic with all its messages."""
    chat = sandbox.world.chat(body.take("chat", int))
    return {"deleted": topics.delete(sandbox, chat, body.take("thread", int))}


@action("rename_user", "user first_name last_name")
def rename_user(sandbox: Sandbox, body: Body) -> Json:
    """Rename a person."""
    user, first_name = body.take("user", int), body.take("first_name", str)
    people.rename(sandbox, user, first_name, body.take("last_name", str, default=None))
    return {}


@action("rename_chat", "chat title")
def rename_chat(sandbox: Sandbox, body: Body) -> Json:
    """Rename a group."""
    groups.rename(sandbox, sandbox.world.chat(body.take("chat", int)), body.take("title", str))
    return {}


@action("hide_members", "chat hidden")
def hide_members(sandbox: Sandbox, body: Body) -> Json:
    """Hide a supergroup's members, or show them again."""
    chat = sandbox.world.chat(body.take("chat", int))
    groups.hide_members(sandbox, chat, hidden=body.take("hidden", bool))
    return {}


@action("members", "chat user status rights")
def set_member(sandbox: Sandbox, body: Body) -> Json:
    """Change somebody's membership: join, leave, promote and so on."""
    chat = sandbox.world.chat(body.take("chat", int))
    who = body.take("user", int, str)
    if isinstance(who, str) and who != "bot":
        raise ControlError('user must be a person\'s id or "bot"')
    if isinstance(who, int):
        sandbox.world.user(who)
    status, rights = body.take("status", str), body.take("rights", dict, default=None)
    groups.set_status(sandbox, chat, BOT if who == "bot" else who, status, rights)
    return {}


@action("permissions", "chat permissions")
def set_permissions(sandbox: Sandbox, body: Body) -> Json:
    """Set the permissions of all members of a group."""
    chat = sandbox.world.chat(body.take("chat", int))
    groups.set_permissions(sandbox, chat, body.take("permissions", dict))
    return {}


@action("upgrade", "chat")
def upgrade(sandbox: Sandbox, body: Body) -> Json:
    """Turn a group into a supergroup."""
    return {"id": groups.upgrade(sandbox, sandbox.world.chat(body.take("chat", int))).id}


@action("friends")
def add_friends(sandbox: Sandbox, _: Body) -> Json:
    """Add the people and the group of a default world."""
    return {"chat": populate(sandbox)}


# -------------------------------------------------------------------------------------------- what people do


@action("send", "from chat text thread reply_to as_chat as_channel")
def send(sandbox: Sandbox, body: Body) -> Json:
    """Send a message as a person."""
    message = people.send(
        sandbox,
        body.take("from", int),
        body.take("chat", int),
        body.take("text", str),
        thread=body.take("thread", int, default=None),
        reply_to=body.take("reply_to", int, default=None),
        as_chat=body.take("as_chat", bool, default=False),
        as_channel=body.take("as_channel", str, default=None),
    )
    return {"message_id": message.message_id}


@action("forward_post", "chat channel text")
def forward_post(sandbox: Sandbox, body: Body) -> Json:
    """Forward a channel's post to its discussion group."""
    chat, channel = body.take("chat", int), body.take("channel", str)
    return {"message_id": people.forward_post(sandbox, chat, channel, body.take("text", str)).message_id}


@action("edit", "from chat message_id text")
def edit(sandbox: Sandbox, body: Body) -> Json:
    """Edit a person's own message."""
    person, chat, message_id = body.take("from", int), body.take("chat", int), body.take("message_id", int)
    people.edit(sandbox, person, chat, message_id, body.take("text", str))
    return {}


@action("delete", "chat message_id")
def delete(sandbox: Sandbox, body: Body) -> Json:
    """Delete a message, or all of a chat, as a person."""
    chat, message_id = body.take("chat", int), body.take("message_id", int, default=None)
    return {"deleted": people.delete(sandbox, chat, message_id)}


@action("start", "from payload")
def start(sandbox: Sandbox, body: Body) -> Json:
    """Open the private chat and press START as a person."""
    message = people.start(sandbox, body.take("from", int), body.take("payload", str, default=None))
    return {"message_id": message.message_id}


@action("block", "user blocked")
def block(sandbox: Sandbox, body: Body) -> Json:
    """Block or unblock the bot."""
    people.block(sandbox, body.take("user", int), blocked=body.take("blocked", bool))
    return {}


@action("deactivate", "user")
def deactivate(sandbox: Sandbox, body: Body) -> Json:
    """Delete a person's account."""
    people.deactivate(sandbox, body.take("user", int))
    return {}


@action("press", "from chat message_id button data wait page")
async def press(sandbox: Sandbox, body: Body) -> Json:
    """Press a button, or send data as a forger would."""
    person, chat_id = body.take("from", int), body.take("chat", int)
    message_id = body.take("message_id", int)
    wait = body.take("wait", int, float, default=PRESS_WAIT)
    data = body.take("data", str, default=None)
    silence: Json = {"answered": False, "text": None, "show_alert": False, "url": None}
    if data is None:
        chat = people.chat_of_person(sandbox, person, chat_id)
        message = chat.messages.get(message_id)
        if message is None:
            raise ControlError(f"no message {message_id} in chat {chat_id}", 404)
        button = people.find_button(message, body.take("button", int, str))
        if "callback_data" not in button:
            # The client handles this button itself; the bot gets no update.
            copied = button.get("copy_text", {}).get("text")
            return silence | {"answered": True, "url": button.get("url"), "copy": copied}
        data = button["callback_data"]
    page = body.take("page", str, default=None)
    query = people.press(sandbox, person, chat_id, message_id, data, page=page)
    try:
        answer = await asyncio.wait_for(asyncio.shield(query.answer), wait)
    except TimeoutError:
        answer = None
    if answer is None:
        return silence
    return {"answered": True, "text": answer.text, "show_alert": answer.show_alert, "url": answer.url}


@action("read", "user chat")
def read(sandbox: Sandbox, body: Body) -> Json:
    """Mark a chat as read."""
    person = sandbox.world.user(body.take("user", int))
    chat = sandbox.world.chat(body.take("chat", int))
    chat.read_up_to[person.id] = chat.last_message_id
    return {}


# ----------------------------------------------------------------------------------------- the sandbox itself


@action("faults", FAULT_FIELDS)
def faults(sandbox: Sandbox, body: Body) -> Json:
    """Inject a fault; an empty body removes all faults."""
    if not body.fields:
        sandbox.faults.clear()
        return {}
    duplicated = body.take("duplicate_updates", int, float, default=None)
    delay = body.take("delay_updates", int, float, default=None)
    fault = Fault(
        method=body.take("method", str, default=None),
        chat=body.take("chat", int, default=None),
        times=body.take("times", int, default=None),
        every=body.take("every", int, default=1),
        status=body.take("status", int, default=None),
        retry_after=body.take("retry_after", int, default=1),
        hang=body.take("hang", int, float, default=0),
        hang_answer=body.take("hang_answer", int, float, default=0),
        lose_answer=body.take("lose_answer", bool, default=False),
    )
    befalls_calls = bool(fault.status or fault.hang or fault.hang_answer or fault.lose_answer)
    befalls_updates = duplicated is not None or delay is not None
    if not (befalls_calls or befalls_updates):
        choices = "status, hang, hang_answer, lose_answer, duplicate_updates or delay_updates"
        raise ControlError(f"what shall go wrong: {choices}?")
    if befalls_calls:
        sandbox.faults.add(fault)
    if befalls_updates:
        sandbox.faults.disturb_updates(duplicated=duplicated or 0, delay=delay or 0)
    return {}


@action("clock", "advance")
def clock(sandbox: Sandbox, body: Body) -> Json:
    """Advance the sandbox's clock."""
    try:
        sandbox.clock.advance(body.take("advance", int, float))
    except ValueError as error:
        raise ControlError(str(error)) from None
    sandbox.updates.wake()
    return {"now": sandbox.clock.unix()}


@action("reset")
def reset(sandbox: Sandbox, _: Body) -> Json:
    """Start an empty world. The bot's profile stays, since a bot sets it only when it starts."""
    sandbox.reset()
    sandbox.world.emit(WasReset())
    sandbox.world.emit(PeopleChanged())
    return {}
