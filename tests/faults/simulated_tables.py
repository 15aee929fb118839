"""Many tables of simulated people in a sandbox that runs in this process: for tests and benchmarks of load.

Everybody reads their private chat and presses buttons in it, repeatably at random. There is no HTTP between
people and the sandbox, so hundreds of tables cost next to nothing; between the sandbox and the bot everything
is real. `players` in the end-to-end tests are for few people, and record everything those see.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from math import inf
from typing import TypeVar

from bot.buttons import (
    BackToHand,
    CallbackData,
    Choose,
    DealNext,
    Lay,
    OpenSettings,
    PassTurn,
    PickSuit,
    Rematch,
    Sit,
    StartMatch,
    Take,
    decode,
    encode,
)
from sandbox import groups, people, state
from sandbox.callbacks import CallbackAnswer
from sandbox.control.views import message_view
from sandbox.events import Called, Deleted, Edited, Event, Posted
from sandbox.model import BOT
from sandbox.model import Message as StoredMessage
from sandbox.server import Server
from sandbox.state import Sandbox
from tests.e2e.sights import Message, payload_of, read_message
from tests.patience import PATIENCE

T = TypeVar("T")

PLAYING = (Lay, PickSuit, BackToHand, Take, PassTurn, DealNext)
"""Buttons that move a match on."""
NAMES = ("Аня", "Борис", "Вера", "Гена", "Даша", "Егор")


@dataclass(frozen=True, slots=True)
class Option:
    """A button that somebody can press now, in its chat."""

    user: int
    chat: int
    message_id: int
    data: str
    asked: CallbackData


@dataclass(frozen=True, slots=True)
class Tap:
    """A press at a time (by the loop's clock), and the answer, if there was one, with its latency."""

    option: Option
    at: float
    answer: CallbackAnswer | None
    seconds: float

    @property
    def was_accepted(self) -> bool:
        """True if it was answered without a refusal."""
        return self.answer is not None and self.answer.text is None


@dataclass(eq=False)
class SimulatedTable:
    """A group, its players, what they have pressed, and the finished presses.

    `changed` is set whenever something changes in the group or in one of their private chats.
    """

    sandbox: Sandbox
    chat: int
    users: list[int]
    chance: random.Random
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    pressed: list[Option] = field(default_factory=list)
    taps: list[Tap] = field(default_factory=list)
    _done: set[tuple[int, int, str]] = field(default_factory=set)
    """Buttons that have been pressed: by whom, on which message."""

    # --------------------------------------------------------------------------------------- what they see

    def newest(self, chat: int) -> Iterator[StoredMessage]:
        """Return the bot's messages in a chat, the newest first."""
        for message in reversed(self.sandbox.world.chats[chat].messages.values()):
            if message.sender == BOT and message.service is None:
                yield message

    def options(self) -> list[Option]:
        """Return the buttons that move the match on and that nobody has pressed in their current form."""
        found = []
        for user in self.users:
            for message in self.newest(user):
                buttons = [it for it in _buttons(user, message) if isinstance(it.asked, PLAYING)]
                if buttons:
                    found += [] if _key(user, message) in self._done else buttons
                    break
        return found

    def offer(self, kind: type[CallbackData]) -> Option | None:
        """Return the newest button for this in the group, as the host sees it."""
        buttons = (it for message in self.newest(self.chat) for it in _buttons(self.users[0], message))
        return next((it for it in buttons if isinstance(it.asked, kind)), None)

    @property
    def is_over(self) -> bool:
        """True if the group has been told that the match has ended."""
        return self.offer(Rematch) is not None

    async def until(self, question: Callable[[], T | None], patience: float = PATIENCE) -> T:
        """Ask again after each change, until the answer is true. Raises TimeoutError."""
        async with asyncio.timeout(None if patience == inf else patience):
            while True:
                self.changed.clear()
                answer = question()
                if answer:
                    return answer
                await self.changed.wait()

    # ---------------------------------------------------------------------------------------- what they do

    def choose(self) -> Option | None:
        """Choose somebody's next press at random; the choice of a suit is rarely cancelled."""
        options = self.options()
        if not options:
            return None
        weights = [0.1 if isinstance(it.asked, BackToHand) else 1.0 for it in options]
        return self.chance.choices(options, weights)[0]

    async def press(self, option: Option, wait: float = PATIENCE) -> Tap:
        """Press a button and wait for the answer."""
        message = self.sandbox.world.chats[option.chat].messages.get(option.message_id)
        if message is not None:
            if isinstance(option.asked, BackToHand):  # the hand comes again as it was
                self._done = {key for key in self._done if key[:2] != (option.user, option.message_id)}
            self._done.add(_key(option.user, message))
        self.pressed.append(option)
        began = asyncio.get_running_loop().time()
        query = people.press(self.sandbox, option.user, option.chat, option.message_id, option.data)
        try:
            answer = await asyncio.wait_for(asyncio.shield(query.answer), wait)
        except TimeoutError:
            answer = None
        tap = Tap(option, began, answer, asyncio.get_running_loop().time() - began)
        self.taps.append(tap)
        return tap

    async def play(self, pause: Callable[[Option], float], wait: float = PATIENCE) -> None:
        """Press on until cancelled, or until the match is over.

        `pause`: how long somebody thinks before a press; `wait`: how long they wait for the answer.
        """
        while True:
            await self.until(lambda: self.is_over or self.options(), inf)
            option = self.choose()
            if self.is_over or option is None:
                return
            await asyncio.sleep(pause(option))
            if option in self.options():
                await self.press(option, wait)

    def look_again(self) -> None:
        """Forget what has been pressed: presses may have been lost."""
        self._done.clear()
        self.changed.set()

    async def gather(self, patience: float = PATIENCE, look: str | None = None) -> None:
        """Have everybody sit down at a table in the group; then the host deals.

        `patience`: seconds for each step. `look`: the look the group chooses for its table.
        """
        await self.sit_down(patience)
        if look is not None:
            people.send(self.sandbox, self.users[0], self.chat, "/settings")
            menu = await self.until(lambda: self.offer(OpenSettings), patience)
            choice = Choose("look", look)
            await self.press(replace(menu, data=encode(choice), asked=choice), patience)
        await self.press(await self.until(lambda: self.offer(StartMatch), patience), patience)
        await self.until(self.options, patience)

    async def sit_down(self, patience: float = PATIENCE) -> None:
        """Have everybody start the bot and sit down at a table in the group, which the host opens."""
        for user in self.users:
            people.start(self.sandbox, user, None)
        people.send(self.sandbox, self.users[0], self.chat, "/game")
        sit = await self.until(lambda: self.offer(Sit), patience)
        for user in self.users[1:]:
            tap = await self.press(Option(user, sit.chat, sit.message_id, sit.data, sit.asked))
            payload = payload_of(None if tap.answer is None else tap.answer.url)
            if payload is not None:
                people.start(self.sandbox, user, payload)


class SimulatedTables:
    """A sandbox in this process, and tables of people in it. `server` is there if it was `gathering`."""

    server: Server

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.sim_tables: list[SimulatedTable] = []
        self.called = asyncio.Event()
        """Set whenever the bot has made a call."""
        self._by_chat: dict[int, SimulatedTable] = {}
        self.sandbox.world.listeners.append(self._on_event)

    @classmethod
    @asynccontextmanager
    async def gathering(cls, *, flood: bool, port: int = 0) -> AsyncIterator[SimulatedTables]:
        """Run an empty sandbox on a free port."""
        server = Server(state.build(token=state.new_token(), flood=flood))
        server.start(port)
        try:
            sim = cls(server.sandbox)
            sim.server = server
            yield sim
        finally:
            await server.stop()

    def found(self, size: int, *, seed: str = "", kind: str = "supergroup") -> SimulatedTable:
        """Add a table of so many people, in a new group."""
        world = self.sandbox.world
        users = [world.add_user(NAMES[place], None, None, "ru").id for place in range(size)]
        number = len(self.sim_tables) + 1
        assert kind in ("group", "supergroup")
        chat = groups.create(
            self.sandbox,
            "group" if kind == "group" else "supergroup",
            f"Клуб {number}",
            users,
            admins=[],
            creator=users[0],
            is_forum=False,
            bot="member",
        )
        sim_table = SimulatedTable(self.sandbox, chat.id, users, random.Random(f"{seed} {number}"))
        self.sim_tables.append(sim_table)
        self._by_chat |= dict.fromkeys([chat.id, *users], sim_table)
        return sim_table

    def newest(self, chat: int) -> Iterator[Message]:
        """Return the bot's messages in a chat as people see them, the newest first."""
        sim_table = self._by_chat[chat]
        return (read_message(chat, message_view(self.sandbox.world, it)) for it in sim_table.newest(chat))

    def _on_event(self, event: Event) -> None:
        match event:
            case Posted(message) | Edited(message):
                chat = message.chat
            case Deleted(chat=chat):
                pass
            case Called():
                self.called.set()
                return
            case _:
                return
        sim_table = self._by_chat.get(chat)
        if sim_table is not None:
            sim_table.changed.set()


def _buttons(user: int, message: StoredMessage) -> Iterator[Option]:
    for row in message.buttons or ():
        for button in row:
            data = button.get("callback_data", "")
            asked = decode(data)
            if asked is not None:
                yield Option(user, message.chat, message.message_id, data, asked)


def _key(user: int, message: StoredMessage) -> tuple[int, int, str]:
    return user, message.message_id, repr(message.buttons)
