"""A sandbox and all actions of people in it, as methods, for end-to-end tests and benchmarks.

    async with Telegram.in_process(flood=False) as telegram:
        anya = await telegram.new_user("Аня", language="ru")
        group = await telegram.new_group("Книжный клуб", [anya])
        async with telegram.bot("python", "-m", "some_bot"):
            await telegram.send(anya, group, "/game")
            table = await telegram.wait_for_message(group, anya, lambda it: "Сесть" in it.text)
            answer = await telegram.press(anya, table, "Сесть")

Speaks to the control routes alone, over HTTP, whether the sandbox runs in this process or in one of its own.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
from tornado.websocket import WebSocketClientConnection, websocket_connect

from bot.buttons import decode
from sandbox import state
from sandbox.clock import Clock
from sandbox.server import Server
from tests.e2e.process import BotProcess
from tests.e2e.sights import Button, Json, Message, PressAnswer, payload_of, read_message
from tests.inputs import record
from tests.patience import PATIENCE

__all__ = [
    "BotProcess",
    "Button",
    "Json",
    "Message",
    "PressAnswer",
    "Refused",
    "Telegram",
    "payload_of",
    "read_message",
]

T = TypeVar("T")

NEWEST = 100
"""How many messages to look through for an awaited one."""


class Refused(AssertionError):
    """A control route refused an action."""


class Telegram:
    """The people's side of a sandbox."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        self.server: Server | None = None
        """The sandbox itself, if it runs in this process."""
        self._http = httpx.AsyncClient(base_url=url, timeout=PATIENCE * 2)
        self._socket: WebSocketClientConnection | None = None
        self._happened = 0
        self._something = asyncio.Condition()
        self._pending: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------ where it comes from

    @classmethod
    @asynccontextmanager
    async def in_process(cls, *, flood: bool = False, clock: Clock | None = None) -> AsyncIterator[Self]:
        """Run an empty sandbox in this process, on a free port; ``clock`` replaces the machine's."""
        token = state.new_token()
        server = Server(state.build(token=token, flood=flood, clock=clock))
        server.start(0)
        try:
            async with cls.connected(server.url, token) as telegram:
                telegram.server = server
                yield telegram
        finally:
            await server.stop()

    @classmethod
    @asynccontextmanager
    async def connected(cls, url: str, token: str) -> AsyncIterator[Self]:
        """Connect to a running sandbox."""
        telegram = cls(url, token)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(telegram._http.aclose)
            socket_url = url.replace("http", "ws", 1) + "/ws"
            telegram._socket = await websocket_connect(socket_url, on_message_callback=telegram._on_frame)
            stack.callback(telegram._socket.close)
            yield telegram

    # ------------------------------------------------------------------------------------------------ the bot

    @property
    def bot_environment(self) -> dict[str, str]:
        """This process's environment, with a token and the Bot API's address for a bot."""
        return {**os.environ, "BOT_TOKEN": self.token, "BOT_API_URL": f"{self.url}/bot"}

    @asynccontextmanager
    async def bot(
        self, *command: str, errors: Path | None = None, **settings: str
    ) -> AsyncIterator[BotProcess]:
        """Run a bot against this sandbox, with settings for its environment.

        It is stopped at the end, and killed after a failure. Its standard error goes to the file
        ``errors`` if one is given.
        """
        process = BotProcess(command, {**self.bot_environment, **settings}, errors)
        await process.start()
        try:
            yield process
            if process.is_running:
                await process.stop()
        finally:
            if process.is_running:
                await process.kill()

    async def api(self, method: str, **parameters: Any) -> Json:
        """Call the Bot API as the bot would; return the whole answer, ``ok`` or not."""
        response = await self._http.post(f"/bot{self.token}/{method}", json=parameters)
        answer: Json = response.json()
        return answer

    # ------------------------------------------------------------------------------------------------- people

    async def new_user(
        self,
        first_name: str,
        *,
        language: str | None = "ru",
        username: str | None = None,
        last_name: str | None = None,
    ) -> int:
        """Add a person; return their id, which is also their private chat's."""
        user: int = (
            await self.act(
                "users",
                first_name=first_name,
                last_name=last_name,
                username=username,
                language_code=language,
            )
        )["id"]
        return user

    async def new_group(
        self,
        title: str,
        members: Sequence[int],
        *,
        kind: str = "supergroup",
        admins: Sequence[int] = (),
        creator: int | None = None,
        is_forum: bool = False,
        bot: bool | str = True,
    ) -> int:
        """Add a group with the bot in it; ``bot`` may be «administrator», or False for none."""
        answer = await self.act(
            "chats",
            type=kind,
            title=title,
            members=list(members),
            admins=list(admins),
            creator=creator,
            is_forum=is_forum,
            bot=bot,
        )
        chat: int = answer["id"]
        return chat

    async def new_topic(self, chat: int, name: str) -> int:
        """Add a topic to a forum; return its thread."""
        thread: int = (await self.act("topics", chat=chat, name=name))["thread"]
        return thread

    async def send(
        self,
        person: int,
        chat: int,
        text: str,
        *,
        thread: int | None = None,
        reply_to: int | None = None,
        as_chat: bool = False,
        as_channel: str | None = None,
    ) -> int:
        """Send a message as a person, as the group, or as the channel of that title; return its id."""
        if text.startswith("/"):
            record(text.split(maxsplit=1)[0].partition("@")[0])
        fields: Json = {"from": person, "chat": chat, "text": text, "thread": thread, "reply_to": reply_to}
        sent = await self.act("send", **fields, as_chat=as_chat, as_channel=as_channel)
        message_id: int = sent["message_id"]
        return message_id

    async def edit(self, person: int, chat: int, message_id: int, text: str) -> None:
        """Edit a person's own message."""
        await self.act("edit", **{"from": person, "chat": chat, "message_id": message_id, "text": text})

    async def start(self, person: int, payload: str | None = None) -> int:
        """Open the bot's private chat and press START as a person; return the message's id."""
        record("/start")
        message_id: int = (await self.act("start", **{"from": person, "payload": payload}))["message_id"]
        return message_id

    async def press(
        self, person: int, message: Message, button: str | int | Button, *, wait: float = PATIENCE
    ) -> PressAnswer:
        """Press a button as a person: by a part of its text, by its number, or the button itself.

        Raises:
            AssertionError: if the message has no such button.
        """
        if isinstance(button, int):
            wanted = message.buttons[button]
        else:
            wanted = message.button(button) if isinstance(button, str) else button
        if wanted.data is None:
            return PressAnswer(answered=True, text=None, show_alert=False, url=wanted.url)
        record(type(decode(wanted.data)).__name__)
        return await self.press_data(person, message.chat, message.message_id, wanted.data, wait=wait)

    async def press_data(
        self, person: int, chat: int, message_id: int, data: str, *, wait: float = PATIENCE
    ) -> PressAnswer:
        """Send a press with this data as a person, whether or not any button has it."""
        place: Json = {"from": person, "chat": chat, "message_id": message_id}
        answer = await self.act("press", **place, data=data, wait=wait)
        return PressAnswer(answer["answered"], answer["text"], answer["show_alert"], answer["url"])

    async def block(self, user: int, *, blocked: bool = True) -> None:
        """Block the bot as a person, or unblock it."""
        await self.act("block", user=user, blocked=blocked)

    async def deactivate(self, user: int) -> None:
        """Delete a person's account."""
        await self.act("deactivate", user=user)

    async def set_member(
        self, chat: int, user: int | str, status: str, rights: dict[str, bool] | None = None
    ) -> None:
        """Change the membership of somebody (or «bot»): join, leave, promote, restrict, kick."""
        await self.act("members", chat=chat, user=user, status=status, rights=rights)

    async def upgrade(self, chat: int) -> int:
        """Turn a group into a supergroup; return its new id."""
        new: int = (await self.act("upgrade", chat=chat))["id"]
        return new

    async def delete(self, chat: int, message_id: int | None = None) -> None:
        """Delete a message, or clear the whole chat."""
        await self.act("delete", chat=chat, message_id=message_id)

    # --------------------------------------------------------------------------------------- what can be seen

    async def messages(
        self, chat: int, person: int | None = None, *, limit: int | None = None
    ) -> list[Message]:
        """Return a chat as a person sees it now, oldest first, or only its newest ``limit`` messages."""
        options = {"as": person, "limit": limit}
        fields = {name: value for name, value in options.items() if value is not None}
        raw = await self.ask("messages", chat=chat, **fields)
        return [read_message(chat, item) for item in raw]

    async def message(self, chat: int, message_id: int) -> Message | None:
        """Return one message of a chat, None if it is not there (any more)."""
        found = [item for item in await self.messages(chat) if item.message_id == message_id]
        return found[0] if found else None

    async def notifications(self, user: int) -> list[Json]:
        """Return a person's notifications, oldest first."""
        rings: list[Json] = await self.ask("notifications", user=user)
        return rings

    async def calls(self, since: int = 0, *methods: str) -> list[Json]:
        """Return the bot's calls after number ``since``, of these methods or of all."""
        calls: list[Json] = await self.ask("calls", since=since)
        return [call for call in calls if not methods or call["method"] in methods]

    async def wait_for_message(
        self,
        chat: int,
        person: int | None,
        is_wanted: Callable[[Message], bool],
        *,
        patience: float = PATIENCE,
    ) -> Message:
        """Wait for a message of the bot that fits; return the newest one.

        Raises:
            AssertionError: if none comes in time; it shows the chat.
        """

        async def newest() -> Message | None:
            messages = await self.messages(chat, person, limit=NEWEST)
            fitting = (message for message in reversed(messages) if message.from_bot and is_wanted(message))
            return next(fitting, None)

        try:
            return await self.until(newest, patience=patience)
        except TimeoutError:
            seen = await self.messages(chat, person, limit=NEWEST)
            shown = "\n\n".join(f"{item.text}\n{item.button_texts}" for item in seen)
            raise AssertionError(f"the awaited message did not come; chat {chat} shows:\n{shown}") from None

    async def until(self, question: Callable[[], Awaitable[T | None]], *, patience: float = PATIENCE) -> T:
        """Ask again after everything that happens in the sandbox, until the answer is true.

        Raises:
            TimeoutError: if that does not happen in time.
        """
        async with asyncio.timeout(patience):
            while True:
                before = self._happened
                answer = await question()
                if answer:
                    return answer
                await self._something_after(before)

    async def _something_after(self, count: int) -> None:
        async with self._something:
            await self._something.wait_for(lambda: self._happened != count)

    # ----------------------------------------------------------------------------------------------- the rest

    async def fault(self, **order: Any) -> None:
        """Inject a fault (see the route ``faults``); without arguments remove all."""
        await self.act("faults", **order)

    async def advance(self, seconds: float) -> None:
        """Advance the sandbox's clock."""
        await self.act("clock", advance=seconds)

    async def reset(self) -> None:
        """Start an empty world."""
        await self.act("reset")

    async def act(self, route: str, **fields: Any) -> Json:
        """``POST /control/<route>``; fields that are None are left out.

        Raises:
            Refused: with the route's words.
        """
        body = {name: value for name, value in fields.items() if value is not None}
        answer: Json = self._result(await self._http.post(f"/control/{route}", json=body), route, body)
        return answer

    async def ask(self, route: str, **fields: Any) -> Any:
        """``GET /control/<route>``.

        Raises:
            Refused: with the route's words.
        """
        return self._result(await self._http.get(f"/control/{route}", params=fields), route, fields)

    @staticmethod
    def _result(response: httpx.Response, route: str, fields: Json) -> Any:
        result = response.json()
        if response.status_code != 200:
            raise Refused(f"{route} {fields}: {result.get('error')}")
        return result

    def _on_frame(self, frame: str | bytes | None) -> None:
        """Called by tornado for each frame, with None at the connection's end."""
        if frame is not None:
            task = asyncio.get_running_loop().create_task(self._tell_waiters())
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)

    async def _tell_waiters(self) -> None:
        async with self._something:
            self._happened += 1
            self._something.notify_all()
