"""People of one group, by chance: each sits down, thinks, plays, goes away and comes back.

They see what their clients show, and press what stands there. What befalls them beside that is in `mishaps`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from bot.buttons import (
    BackToHand,
    CallbackData,
    CutDeck,
    DealNext,
    Lay,
    PassTurn,
    PickSuit,
    Rematch,
    Sit,
    StartMatch,
    Take,
    decode,
)
from sandbox import people
from sandbox.callbacks import Query
from sandbox.errors import ControlError
from sandbox.events import Deleted, Edited, Event, Posted
from sandbox.model import BOT, Message
from sandbox.state import Sandbox
from tests.e2e.sights import payload_of

IN_PRIVATE = (Lay, PickSuit, BackToHand, Take, PassTurn)
IN_GROUP = (Sit, StartMatch, CutDeck, DealNext, Rematch)
LOOKS_AT = 8
"""So many of the newest messages in a chat somebody looks at."""
THINKING_SECONDS = 1.0, 15.0
AWAY_SECONDS = 60.0, 600.0
GOES_AWAY = 0.01
"""How likely it is that somebody goes away before a press."""
PATIENCE_SECONDS = 15.0
"""After so long without an answer somebody presses again."""
FORGOTTEN_SECONDS = 90.0
"""After so long without anything to do somebody asks where the game has got to."""


@dataclass(slots=True, eq=False)
class Press:
    """A button that somebody has pressed, and when; `answered_at`: when it was answered (virtual seconds)."""

    user: int
    message: Message
    data: str
    asked: CallbackData
    at: float
    query: Query
    answered_at: float | None = None


@dataclass(eq=False)
class Group:
    """A group and its people; the first of them is its creator. `presses` are those since the last check.

    While `is_paused` nobody does anything.
    """

    sandbox: Sandbox
    chat: int
    users: list[int]
    seed: str
    presses: list[Press] = field(default_factory=list)
    is_paused: bool = False
    has_gone_on: bool = False
    """Whether somebody has pressed something since the last storm (`invariants`)."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _pressed: dict[tuple[int, int, str], float] = field(default_factory=dict)
    """When somebody pressed a button on a message as it was then."""

    def __post_init__(self) -> None:
        self.sandbox.world.listeners.append(self._on_event)

    async def live(self, user: int) -> None:
        """What somebody does, until cancelled."""
        chance = Random(f"{self.seed} {user}")
        self.try_to(people.start, user, None)
        while True:
            option = await self._something_to_do(user)
            if option is None:
                self._ask(user, chance)
                continue
            is_away = chance.random() < GOES_AWAY
            await asyncio.sleep(chance.uniform(*(AWAY_SECONDS if is_away else THINKING_SECONDS)))
            options = [] if self.is_paused else list(self.options(user))
            if options:
                message, data, asked = chance.choice(options)
                await self.press(user, message, data, asked)

    def options(self, user: int) -> Iterator[tuple[Message, str, CallbackData]]:
        """What somebody can press to get on, and has not pressed yet."""
        for chat, kinds in ((user, IN_PRIVATE), (self.chat, IN_GROUP)):
            found = [
                (message, data, asked)
                for message in self.newest(chat)
                for data, asked in buttons_of(message)
                if isinstance(asked, kinds)
            ]
            if found:
                newest = found[0][0]
                fresh = [it for it in found if it[0] is newest and self._may_press(user, *it)]
                yield from fresh
                if fresh and chat == user:
                    return

    def newest(self, chat: int) -> Iterator[Message]:
        """The bot's newest messages in a chat, the newest first."""
        messages = islice(reversed(self.sandbox.world.chats[chat].messages.values()), LOOKS_AT)
        return (message for message in messages if message.sender == BOT and message.service is None)

    async def press(self, user: int, message: Message, data: str, asked: CallbackData) -> None:
        """Press a button and wait for the answer; if there is none, it can be pressed again."""
        key = _key(user, message, asked)
        self._pressed[key] = asyncio.get_running_loop().time()
        query = self.tap(user, message, data, asked)
        if query is None:
            return
        try:
            answer = await asyncio.wait_for(asyncio.shield(query.answer), PATIENCE_SECONDS)
        except TimeoutError:
            self._pressed.pop(key, None)
            return
        payload = payload_of(None if answer is None else answer.url)
        if payload is not None:
            self.try_to(people.start, user, payload)

    def tap(self, user: int, message: Message, data: str, asked: CallbackData) -> Query | None:
        """Press a button, and do not wait; None if Telegram does not let them."""
        query = self.try_to(people.press, user, message.chat, message.message_id, data)
        if isinstance(query, Query):
            loop = asyncio.get_running_loop()
            press = Press(user, message, data, asked, loop.time(), query)
            query.answer.add_done_callback(lambda _: setattr(press, "answered_at", loop.time()))
            self.presses.append(press)
            return query
        return None

    def try_to(self, action: object, *args: object) -> object:
        """Do something in Telegram, unless it does not let them."""
        assert callable(action)
        try:
            return action(self.sandbox, *args)
        except ControlError:
            return None

    def look_again(self) -> None:
        """What was pressed may have been lost."""
        self._pressed.clear()
        self._changed.set()

    async def _something_to_do(self, user: int) -> object:
        try:
            async with asyncio.timeout(FORGOTTEN_SECONDS):
                while self.is_paused or not any(True for _ in self.options(user)):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return None
        return user

    def _ask(self, user: int, chance: Random) -> None:
        if self.is_paused:
            return
        if user == self.users[0]:
            self.try_to(people.send, user, self.chat, chance.choice(("/game", "/table")))
        else:
            self.try_to(people.start, user, None)
            self.try_to(people.send, user, user, "/hand")
        self.look_again()

    def _may_press(self, user: int, message: Message, _data: str, asked: CallbackData) -> bool:
        is_hosts = isinstance(asked, StartMatch | Rematch)
        return _key(user, message, asked) not in self._pressed and (not is_hosts or user == self.users[0])

    def _on_event(self, event: Event) -> None:
        match event:
            case Posted(message) | Edited(message):
                chat = message.chat
            case Deleted(chat=chat):
                pass
            case _:
                return
        if chat == self.chat or chat in self.users:
            self._changed.set()


def buttons_of(message: Message) -> Iterator[tuple[str, CallbackData]]:
    """What the buttons of a message ask for."""
    for row in message.buttons or ():
        for button in row:
            data = button.get("callback_data", "")
            asked = decode(data) if data else None
            if asked is not None:
                yield data, asked


def _key(user: int, message: Message, asked: CallbackData) -> tuple[int, int, str]:
    """Seats are taken once; all else can be pressed again when the message looks different."""
    return user, message.message_id, "sit" if isinstance(asked, Sit) else repr(message.buttons)
