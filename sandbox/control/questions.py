"""What can be asked, ``GET /control/<name>``: what people see, and what the bot did."""

import itertools

from sandbox.commands import menu
from sandbox.control.registry import Body, question
from sandbox.control.views import message_view, unread, visible_chat, world_view
from sandbox.errors import ControlError
from sandbox.model import Chat, Json
from sandbox.state import Sandbox


@question("world")
def world(sandbox: Sandbox, _: Body) -> Json:
    """Everybody and every group."""
    return world_view(sandbox)


@question("messages", "chat as limit")
def messages(sandbox: Sandbox, body: Body) -> list[Json]:
    """A chat as a person sees it now; with ``limit`` only the newest messages, so many at most."""
    chat = _chat_to_look_at(sandbox, body)
    limit = body.take_number("limit", default=len(chat.messages))
    newest = itertools.islice(reversed(chat.messages.values()), max(limit, 0))
    return [message_view(sandbox.world, message) for message in reversed([*newest])]


@question("notifications", "user")
def notifications(sandbox: Sandbox, body: Body) -> list[Json]:
    """What made a person's phone ring."""
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
    """How many unread messages a person has, by chat."""
    person = sandbox.world.user(body.take_number("user"))
    return {str(chat): count for chat, count in unread(sandbox.world, person.id).items()}


@question("commands", "chat as")
def commands(sandbox: Sandbox, body: Body) -> list[Json]:
    """The menu that a person is shown in a chat."""
    person = sandbox.world.user(body.take_number("as"))
    return menu(sandbox.world, sandbox.world.chat(body.take_number("chat")), person.id)


@question("calls", "since")
def calls(sandbox: Sandbox, body: Body) -> list[Json]:
    """The bot's calls after number ``since``."""
    since = body.take_number("since", default=0)
    return [call for call in sandbox.calls if call["n"] > since]


@question("hanging")
def hanging(sandbox: Sandbox, _: Body) -> list[Json]:
    """The calls that a fault holds up at this moment."""
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
