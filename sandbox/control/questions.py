"""The questions, ``GET /control/<name>``: what people see, and what the bot did."""

import itertools

from sandbox.commands import menu
from sandbox.control.registry import Body, question
from sandbox.control.views import message_view, unread, visible_chat, world_view
from sandbox.errors import ControlError
from sandbox.model import Chat, Json
from sandbox.state import Sandbox


@question("world")
def world(sandbox: Sandbox, _: Body) -> Json:
    """Return all people and groups."""
    return world_view(sandbox)


@question("messages", "chat as limit")
def messages(sandbox: Sandbox, body: Body) -> list[Json]:
    """Return a chat as a person sees it now, or only its newest ``limit`` messages."""
    chat = _chat_to_look_at(sandbox, body)
    limit = body.take_number("limit", default=len(chat.messages))
    newest = itertools.islice(reversed(chat.messages.values()), max(limit, 0))
    return [message_view(sandbox.world, message) for message in reversed([*newest])]


@question("notifications", "user")
def notifications(sandbox: Sandbox, body: Body) -> list[Json]:
    """Return a person's notifications."""
    person = sandbox.world.user(body.take_number("user"))
    return [
        {
            "chat": note.chat,
            "message_id": note.message_id,
            "title": note.title,
            "text": note.text,
            "at": note.at,
        }
        for note in sandbox.notifications.get(person.id, [])
    ]


@question("unread", "user")
def unread_counts(sandbox: Sandbox, body: Body) -> Json:
    """Return the number of a person's unread messages, by chat."""
    person = sandbox.world.user(body.take_number("user"))
    return {str(chat): count for chat, count in unread(sandbox.world, person.id).items()}


@question("commands", "chat as")
def commands(sandbox: Sandbox, body: Body) -> list[Json]:
    """Return the command menu that a person sees in a chat."""
    person = sandbox.world.user(body.take_number("as"))
    return menu(sandbox.world, sandbox.world.chat(body.take_number("chat")), person.id)


@question("calls", "since")
def calls(sandbox: Sandbox, body: Body) -> list[Json]:
    """Return the bot's calls after number ``since``."""
    since = body.take_number("since", default=0)
    return [call for call in sandbox.calls if call["n"] > since]


@question("hanging")
def hanging(sandbox: Sandbox, _: Body) -> list[Json]:
    """Return the calls that a fault is holding up."""
    return [{"method": method, "chat_id": chat} for method, chat in sandbox.faults.hanging]


def _chat_to_look_at(sandbox: Sandbox, body: Body) -> Chat:
    chat_id, person = body.take_number("chat"), body.take_number("as", default=None)
    if person is not None:
        sandbox.world.user(person)
    chat = visible_chat(sandbox.world, chat_id, person)
    if chat is None:
        sandbox.world.chat(chat_id)
        raise ControlError(f"user {person} is not in chat {chat_id}", 403)
    return chat
