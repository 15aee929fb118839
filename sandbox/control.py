"""The control routes: JSON in and out, for tests, drivers and the page. What people do, and what they see.

A refusal is ``{"error": …}`` with a 4xx. The routes are described in docs/SANDBOX.md.
"""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any

from tornado.web import RequestHandler

from sandbox import groups, people
from sandbox.commands import menu
from sandbox.errors import ControlError
from sandbox.events import PeopleChanged, WasReset
from sandbox.model import BOT, Chat, Json
from sandbox.state import Sandbox
from sandbox.views import message_view, unread, visible_chat, world_view

PRESS_WAIT = 5.0
"""Seconds that a press waits for the bot's answer unless told otherwise."""


class Body:
    """A request's fields, each taken with the type it must have; what is left over at the end is refused."""

    def __init__(self, fields: Json) -> None:
        self._fields = dict(fields)

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def take(self, name: str, *kinds: type, default: Any = ...) -> Any:
        """A field of one of these types; required unless there is a default.

        Raises:
            ControlError: if it is missing or of another type.
        """
        value = self._fields.pop(name, None)
        if value is None:
            if default is ...:
                raise ControlError(f"{name} is missing")
            return default
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ControlError(f"{name} must be {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    def rest(self) -> Json:
        """All that has not been taken yet."""
        rest, self._fields = self._fields, {}
        return rest

    def check_empty(self) -> None:
        """Refuse what nobody took."""
        if self._fields:
            raise ControlError(f"unknown: {', '.join(sorted(self._fields))}")


Route = Callable[[Sandbox, Body], Any] | Callable[[Sandbox, Body], Awaitable[Any]]
ACTIONS: dict[str, Route] = {}
QUESTIONS: dict[str, Route] = {}


def action(name: str) -> Callable[[Route], Route]:
    """Register what answers ``POST /control/<name>``."""

    def register(route: Route) -> Route:
        ACTIONS[name] = route
        return route

    return register


def question(name: str) -> Callable[[Route], Route]:
    """Register what answers ``GET /control/<name>``."""

    def register(route: Route) -> Route:
        QUESTIONS[name] = route
        return route

    return register


async def perform(routes: dict[str, Route], sandbox: Sandbox, name: str, fields: Json) -> Any:
    """Do what a route does.

    Raises:
        ControlError: if there is no such route, or it refuses.
    """
    route = routes.get(name)
    if route is None:
        raise ControlError(f"no route {name}; there are: {', '.join(sorted(routes))}", 404)
    body = Body(fields)
    result = route(sandbox, body)
    return await result if inspect.isawaitable(result) else result


# ---------------------------------------------------------------------------------------- who and what exists


@action("users")
def add_user(sandbox: Sandbox, body: Body) -> Json:
    """A new person."""
    first_name = body.take("first_name", str)
    last_name, username = body.take("last_name", str, default=None), body.take("username", str, default=None)
    language = body.take("language_code", str, default=None)
    body.check_empty()
    if not first_name.strip():
        raise ControlError("first_name is empty")
    return {"id": sandbox.world.add_user(first_name.strip(), last_name, username, language).id}


@action("chats")
def add_chat(sandbox: Sandbox, body: Body) -> Json:
    """A new group."""
    kind = body.take("type", str, default="supergroup")
    if kind not in ("group", "supergroup"):
        raise ControlError("type must be group or supergroup")
    bot = body.take("bot", bool, str, default=True)
    chat = groups.create(
        sandbox,
        kind,
        body.take("title", str),
        body.take("members", list, default=[]),
        admins=body.take("admins", list, default=[]),
        creator=body.take("creator", int, default=None),
        is_forum=body.take("is_forum", bool, default=False),
        bot="member" if bot is True else bot or None,
    )
    body.check_empty()
    return {"id": chat.id}


@action("topics")
def add_topic(sandbox: Sandbox, body: Body) -> Json:
    """A new topic of a forum."""
    chat = sandbox.world.chat(body.take("chat", int))
    return {"thread": groups.add_topic(sandbox, chat, body.take("name", str))}


@action("members")
def set_member(sandbox: Sandbox, body: Body) -> Json:
    """Somebody joins, leaves, is promoted, and so on."""
    chat = sandbox.world.chat(body.take("chat", int))
    who = body.take("user", int, str, default=None)
    if who is None and body.take("bot", bool, default=False):
        who = "bot"
    if who is None or (isinstance(who, str) and who != "bot"):
        raise ControlError('user must be a person\'s id or "bot"')
    if isinstance(who, int):
        sandbox.world.user(who)
    status, rights = body.take("status", str), body.take("rights", dict, default=None)
    body.check_empty()
    groups.set_status(sandbox, chat, BOT if who == "bot" else who, status, rights)
    return {}


@action("permissions")
def set_permissions(sandbox: Sandbox, body: Body) -> Json:
    """What all members of a group may do."""
    chat = sandbox.world.chat(body.take("chat", int))
    groups.set_permissions(sandbox, chat, body.take("permissions", dict))
    body.check_empty()
    return {}


@action("upgrade")
def upgrade(sandbox: Sandbox, body: Body) -> Json:
    """A group becomes a supergroup."""
    return {"id": groups.upgrade(sandbox, sandbox.world.chat(body.take("chat", int))).id}


# -------------------------------------------------------------------------------------------- what people do


@action("send")
def send(sandbox: Sandbox, body: Body) -> Json:
    """A person writes."""
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


@action("edit")
def edit(sandbox: Sandbox, body: Body) -> Json:
    """A person edits his own message."""
    person, chat, message_id = body.take("from", int), body.take("chat", int), body.take("message_id", int)
    people.edit(sandbox, person, chat, message_id, body.take("text", str))
    return {}


@action("delete")
def delete(sandbox: Sandbox, body: Body) -> Json:
    """A person deletes a message, or all of a chat."""
    chat, message_id = body.take("chat", int), body.take("message_id", int, default=None)
    return {"deleted": people.delete(sandbox, chat, message_id)}


@action("start")
def start(sandbox: Sandbox, body: Body) -> Json:
    """A person opens the private chat and presses Start."""
    message = people.start(sandbox, body.take("from", int), body.take("payload", str, default=None))
    return {"message_id": message.message_id}


@action("block")
def block(sandbox: Sandbox, body: Body) -> Json:
    """A person blocks the bot or unblocks it."""
    people.block(sandbox, body.take("user", int), blocked=body.take("blocked", bool))
    return {}


@action("press")
async def press(sandbox: Sandbox, body: Body) -> Json:
    """A person presses a button, or his client pretends he has."""
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
            # The client does this by itself; the bot hears nothing of it.
            copied = button.get("copy_text", {}).get("text")
            return silence | {"answered": True, "url": button.get("url"), "copy": copied}
        data = button["callback_data"]
    body.check_empty()
    query = people.press(sandbox, person, chat_id, message_id, data)
    try:
        answer = await asyncio.wait_for(asyncio.shield(query.answer), wait)
    except TimeoutError:
        return silence
    return {"answered": True, "text": answer.text, "show_alert": answer.show_alert, "url": answer.url}


@action("read")
def read(sandbox: Sandbox, body: Body) -> Json:
    """A person has seen a chat to its end."""
    person = sandbox.world.user(body.take("user", int))
    chat = sandbox.world.chat(body.take("chat", int))
    chat.read_up_to[person.id] = chat.last_message_id
    return {}


# ------------------------------------------------------------------------------------------- what people see


@question("world")
def world(sandbox: Sandbox, _: Body) -> Json:
    """Everybody and every group."""
    return world_view(sandbox.world, sandbox.clock.unix())


@question("messages")
def messages(sandbox: Sandbox, body: Body) -> list[Json]:
    """A chat as a person sees it now."""
    chat = _chat_to_look_at(sandbox, body)
    return [message_view(sandbox.world, message) for message in chat.messages.values()]


@question("notifications")
def notifications(sandbox: Sandbox, body: Body) -> list[Json]:
    """What made a person's phone ring."""
    person = sandbox.world.user(_number(body, "user"))
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


@question("unread")
def unread_counts(sandbox: Sandbox, body: Body) -> Json:
    """How many unread messages a person has, by chat."""
    person = sandbox.world.user(_number(body, "user"))
    return {str(chat): count for chat, count in unread(sandbox.world, person.id).items()}


@question("commands")
def commands(sandbox: Sandbox, body: Body) -> list[Json]:
    """The menu that a person is shown in a chat."""
    person = sandbox.world.user(_number(body, "as"))
    return menu(sandbox.world, sandbox.world.chat(_number(body, "chat")), person.id)


@question("calls")
def calls(sandbox: Sandbox, body: Body) -> list[Json]:
    """The bot's calls after number ``since``."""
    since = _number(body, "since", default=0)
    return [call for call in sandbox.calls if call["n"] > since]


def _chat_to_look_at(sandbox: Sandbox, body: Body) -> Chat:
    chat_id, person = _number(body, "chat"), _number(body, "as", default=None)
    if person is not None:
        sandbox.world.user(person)
    chat = visible_chat(sandbox.world, chat_id, person)
    if chat is None:
        sandbox.world.chat(chat_id)
        raise ControlError(f"user {person} is not in chat {chat_id}", 403)
    return chat


def _number(body: Body, name: str, default: Any = ...) -> Any:
    """A number out of a query string."""
    text = body.take(name, str, default=default)
    if not isinstance(text, str):
        return text
    try:
        return int(text)
    except ValueError:
        raise ControlError(f"{name} must be a number") from None


# ----------------------------------------------------------------------------------------- the sandbox itself


@action("faults")
def faults(sandbox: Sandbox, body: Body) -> Json:
    """Something goes wrong from now on; an empty body mends everything."""
    sandbox.faults.add(body.rest())
    return {}


@action("clock")
def clock(sandbox: Sandbox, body: Body) -> Json:
    """Time passes, for the sandbox's own limits and expiries."""
    try:
        sandbox.clock.advance(body.take("advance", int, float))
    except ValueError as error:
        raise ControlError(str(error)) from None
    return {"now": sandbox.clock.unix()}


@action("reset")
def reset(sandbox: Sandbox, _: Body) -> Json:
    """An empty world. What the bot has told about itself stays: it tells it once, when it starts."""
    sandbox.reset()
    sandbox.world.emit(WasReset())
    sandbox.world.emit(PeopleChanged())
    return {}


# ------------------------------------------------------------------------------------------------------- HTTP


class ControlHandler(RequestHandler):
    """``/control/<name>``: GET asks, POST acts."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox

    async def get(self, name: str) -> None:
        """Ask."""
        fields = {key: self.get_query_argument(key) for key in self.request.query_arguments}
        await self._answer(QUESTIONS, name, fields)

    async def post(self, name: str) -> None:
        """Act."""
        try:
            fields = json.loads(self.request.body or b"{}")
        except ValueError:
            fields = None
        if not isinstance(fields, dict):
            self._write({"error": "the body must be a JSON object"}, 400)
            return
        await self._answer(ACTIONS, name, fields)

    async def _answer(self, routes: dict[str, Route], name: str, fields: Json) -> None:
        try:
            self._write(await perform(routes, self.sandbox, name, fields), 200)
        except ControlError as error:
            self._write({"error": error.message}, error.status)

    def _write(self, body: Any, status: int) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(body, ensure_ascii=False))


class ControlFileHandler(RequestHandler):
    """``/control/file/<file_id>``: a picture or a document, for the page."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Called by tornado for each request."""
        self.sandbox = sandbox

    def get(self, file_id: str) -> None:
        """The bytes."""
        file = self.sandbox.world.files.get(file_id)
        if file is None:
            self.set_status(404)
            return
        self.set_header("Content-Type", file.mime_type)
        self.finish(file.content)
