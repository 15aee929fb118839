"""Simulated people: they read the bot's messages and press buttons at random, repeatably.

A `Club` is a group with some of them in it and the bot's table. Nobody here waits a fixed time: everybody
acts on what the sandbox tells of.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.buttons import (
    BackToHand,
    CallbackData,
    DealNext,
    Here,
    Lay,
    PassTurn,
    Peek,
    PickSuit,
    Rematch,
    Sit,
    StartMatch,
    Take,
    decode,
    encode,
)
from bot.tables.lifecycle import DeadlineKind
from bot.tables.player import AWAY_AFTER
from engine import Draw, Move, Pass, Play, Stamp, turn_stamp
from tests.e2e.committed import Committed, committed, steps
from tests.e2e.looks import Comparison, Place, compare, place_of
from tests.e2e.running import Running
from tests.e2e.telegram import Button, Message, PressAnswer
from tests.patience import PATIENCE

T = TypeVar("T")

RUSSIANS = ("Аня", "Борис", "Вера", "Гена", "Даша", "Егор")
BRITONS = ("Alice", "Bertie", "Carol", "Doris", "Edgar", "Fiona")


@dataclass(frozen=True, slots=True)
class Tap:
    """A press of a button on a message, and its answer."""

    person: Person = field(repr=False)
    message: Message
    asked: CallbackData
    answer: PressAnswer

    @property
    def was_accepted(self) -> bool:
        """True if it was answered without a refusal."""
        return self.answer.answered and self.answer.text is None


@dataclass(eq=False)
class Person:
    """A person with a private chat. `taps` are their presses, oldest first."""

    running: Running = field(repr=False)
    user_id: int
    name: str
    language: str
    chance: random.Random = field(repr=False)
    taps: list[Tap] = field(default_factory=list, repr=False)
    _picks: dict[str, tuple[int, PickSuit]] = field(default_factory=dict, repr=False)
    """The wild whose suit they were last asked for, by table, with the process of the bot that asked."""
    unanswered: CallbackData | None = field(default=None, repr=False)
    """An unanswered press: a killed bot may receive it at its next start."""
    _done: set[tuple[int, int, int]] = field(default_factory=set, repr=False)
    """The versions of messages on which they have pressed something."""
    _moved: set[tuple[str, Stamp]] = field(default_factory=set, repr=False)
    """The moments at which they have moved: buttons for them may still be shown for a while."""

    @property
    def choosing(self) -> list[PickSuit]:
        """The wilds whose suits they were last asked for."""
        return [pick for _, pick in self._picks.values()]

    @property
    def still_choosing(self) -> list[PickSuit]:
        """Those of them that this process of the bot asked for: a restart may forget the others."""
        return [pick for pid, pick in self._picks.values() if pid == self.running.bot.pid]

    def buttons(self) -> tuple[Message, list[Button]] | None:
        """Return their newest message with game buttons they have not pressed yet, and those buttons."""
        for version in reversed(self.running.telegram.now(self.user_id)):
            found = [it for it in version.message.buttons if self._is_of_use(it)]
            if found and version.key not in self._done:
                return version.message, found
        return None

    async def tap(self) -> Tap:
        """Press one of the available buttons; the choice of a suit is rarely cancelled."""
        options = self.buttons()
        assert options is not None, f"{self.name} has nothing to press"
        message, buttons = options
        weights = [0.2 if isinstance(data_of(it), BackToHand) else 1.0 for it in buttons]
        (button,) = self.chance.choices(buttons, weights)
        return await self.press(message, button)

    def call(self) -> Message | None:
        """Return their newest message that asks whether they are still there."""
        return next((it for it in self.running.telegram.newest(self.user_id) if has_button(it, Here)), None)

    def can_go_on(self) -> bool:
        """Whether they can make a move, or come back to a table at which they were too slow."""
        return self.buttons() is not None or self.call() is not None

    async def go_on(self) -> None:
        """Press something to move with, else that they are there."""
        if self.buttons() is not None:
            await self.tap()
        elif (call := self.call()) is not None:
            await self.press(call, button_for(call, Here))

    async def press(self, message: Message, words: str | Button) -> Tap:
        """Press a button, by a part of its text or the button itself."""
        button = message.button(words) if isinstance(words, str) else words
        self._done |= {it.key for it in self.running.telegram.now(message.chat) if it.message == message}
        asked = data_of(button)
        assert asked is not None
        self.unanswered = asked
        answer = await self.running.telegram.press(self.user_id, message, button)
        self.unanswered = None
        tap = Tap(self, message, asked, answer)
        self.taps.append(tap)
        if tap.was_accepted:
            self._remember(asked)
        return tap

    def _remember(self, asked: CallbackData) -> None:
        match asked:
            case Lay() | Take() | PassTurn():
                self._moved.add((asked.table, asked.stamp))
            case PickSuit():
                self._picks[asked.table] = self.running.bot.pid, asked
            case BackToHand():
                self._picks.pop(asked.table, None)

    async def forge(self, message: Message, data: CallbackData | str) -> PressAnswer:
        """Press on this message with data that no button need have, as a custom client could."""
        text = data if isinstance(data, str) else encode(data)
        return await self.running.telegram.press_data(self.user_id, message.chat, message.message_id, text)

    async def send(self, chat: int, text: str, **how: Any) -> int:
        """Send a message (see `Telegram.send` for the options); return its id."""
        return await self.running.telegram.send(self.user_id, chat, text, **how)

    async def start(self, payload: str | None = None) -> None:
        """Open the private chat and press START."""
        await self.running.telegram.start(self.user_id, payload)

    def _is_of_use(self, button: Button) -> bool:
        """Return whether a button moves a match on, and this person has not made that move already."""
        match data_of(button):
            case DealNext():
                return True
            case Lay() | PickSuit() | BackToHand() | Take() | PassTurn() as move:
                return (move.table, move.stamp) not in self._moved
            case _:
                return False

    @property
    def newest(self) -> Message:
        """The newest message in their private chat."""
        return next(self.running.telegram.newest(self.user_id))

    def look_again(self) -> None:
        """Read everything again: a press may have been lost with the bot's process, a suit's choice is."""
        self._done.clear()
        self._picks.clear()


@dataclass(eq=False)
class Club:
    """A group and the bot's table there: `people` sit down in this order; `strangers` only watch.

    In a forum, `thread` is the topic of the table, None in General.
    """

    running: Running = field(repr=False)
    chat: int
    people: list[Person]
    strangers: list[Person]
    thread: int | None = None

    @classmethod
    async def founded(
        cls,
        running: Running,
        size: int,
        *,
        strangers: int = 0,
        language: str = "ru",
        foreigners: Sequence[int] = (),
        kind: str = "supergroup",
        admins: Sequence[int] = (),
        seed: str = "",
    ) -> Club:
        """Create a group of so many new players and strangers; the last stranger, if any, is its creator.

        They speak `language`, except for the `foreigners` (by position), who speak the other one; `admins`
        are positions too.
        """
        people = []
        for place in range(size + strangers):
            names = RUSSIANS if (language == "ru") is (place not in foreigners) else BRITONS
            spoken = "ru" if names is RUSSIANS else "en"
            user_id = await running.telegram.new_user(names[place], language=spoken)
            chance = random.Random(f"{seed}{place}")
            people.append(Person(running, user_id, names[place], spoken, chance))
        ids = [person.user_id for person in people]
        title = "Книжный клуб" if language == "ru" else "Book club"
        chat = await running.telegram.new_group(
            title,
            ids,
            kind=kind,
            creator=ids[-1] if strangers else ids[0],
            admins=[ids[place] for place in admins],
        )
        return cls(running, chat, people[:size], people[size:])

    @classmethod
    async def gathered(cls, running: Running, size: int, **options: Any) -> Club:
        """Create a group whose people sit in the lobby and have all started the bot."""
        club = await cls.founded(running, size, **options)
        await club.gather()
        return club

    @classmethod
    async def dealt(cls, running: Running, size: int, **options: Any) -> Club:
        """Create a group whose people hold the cards of their first round."""
        club = await cls.gathered(running, size, **options)
        await club.deal()
        return club

    @property
    def host(self) -> Person:
        """The person who opened the table."""
        return self.people[0]

    def person(self, user_id: int) -> Person:
        """Return the person with this id."""
        return next(person for person in self.people if person.user_id == user_id)

    # --------------------------------------------------------------------------------------- what they do

    async def gather(self) -> None:
        """Open a lobby and seat everybody; people who have not started the bot do so by their link."""
        await self.host.send(self.chat, "/game", thread=self.thread)
        lobby = await self.message_with(Sit)
        await self.host.start()
        for person in self.people[1:]:
            tap = await person.press(lobby, button_for(lobby, Sit))
            if tap.answer.payload is not None:
                await person.start(tap.answer.payload)
        await self.until(lambda: self.lobby_lists(self.people), "everybody sits")

    def lobby_lists(self, people: Sequence[Person]) -> Message | None:
        """Return the lobby's message, if it lists exactly these people and all are reachable."""
        lobby = self.find(StartMatch)
        if lobby is None or "📵" in lobby.text:
            return None
        seated = [line for line in lobby.text.splitlines() if line[:1].isdigit()]
        names = [line.split(". ", 1)[1].removesuffix(" 👑") for line in seated]
        return lobby if sorted(names) == sorted(person.name for person in people) else None

    async def deal(self) -> None:
        """Start the match as the host; wait until everybody has their cards."""
        lobby = await self.message_with(StartMatch)
        tap = await self.host.press(lobby, button_for(lobby, StartMatch))
        assert tap.was_accepted, tap.answer
        await self.settled()

    async def miss_turns(self, person: Person) -> None:
        """Make somebody away whose turn it is not: stop the bot, and let it find so many missed turns."""
        state = await self.settled()
        seat = state.table.seat_of(person.user_id)
        await self.running.bot.stop()
        with closing(sqlite3.connect(self.running.database)) as connection, connection:
            connection.execute(
                "UPDATE tables SET document = json_set(document, ?, ?) WHERE id = ?",
                (f"$.players[{seat}][2]", AWAY_AFTER, state.table.id),
            )
        await self.running.bot.start()
        await self.until(lambda: "💤" in self.board.text, f"{person.name} is away")

    async def next_tap(self, until: Callable[[], bool] = lambda: False) -> Tap | None:
        """Press for anyone who has something to press; None when the match is over, or `until` holds."""

        def able() -> list[Person]:
            return [person for person in self.people if person.buttons() is not None]

        def is_enough() -> bool:
            return until() or self.find(Rematch) is not None

        await self.until(lambda: is_enough() or able(), "somebody can press something")
        return None if is_enough() else await able()[0].tap()

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Press on until the match is over, or `until` holds."""
        while await self.next_tap(until) is not None:
            pass

    async def play_round(self) -> None:
        """Press on until everybody has seen that the round is over, and nobody has dealt the next one."""
        await self.until(lambda: not self.is_between_rounds(), "the round has begun for everybody")
        await self.play(until=self.is_between_rounds)
        await self.settled()

    def is_between_rounds(self) -> bool:
        """Return whether anybody can deal the next round."""
        chats = [self.chat, *(person.user_id for person in self.people)]
        messages = [message for chat in chats for message in self.running.telegram.newest(chat)]
        return any(has_button(message, DealNext) for message in messages)

    async def ask(self, person: Person, chat: int, command: str, sign: str) -> Message:
        """Send a command and return the bot's answer, a later message that begins with this sign."""
        sent = await person.send(chat, command, thread=self.thread if chat == self.chat else None)

        def answer() -> Message | None:
            there = self._here() if chat == self.chat else self.running.telegram.newest(chat)
            later = [it for it in there if it.message_id > sent]
            return next((it for it in later if it.text.startswith(sign)), None)

        return await self.until(answer, f"{command} is answered with {sign}")

    # -------------------------------------------------------------------------------------- what they see

    def find(self, kind: type[CallbackData]) -> Message | None:
        """Return the group's newest message with a button for this."""
        return next((it for it in self._here() if has_button(it, kind)), None)

    def _here(self) -> Iterator[Message]:
        """The bot's messages in the group, or in the table's topic of it, the newest first."""
        return (it for it in self.running.telegram.newest(self.chat) if it.thread == self.thread)

    async def message_with(self, kind: type[CallbackData]) -> Message:
        """Wait for a message with a button for this."""
        return await self.until(lambda: self.find(kind), f"a button for {kind.__name__}")

    @property
    def board(self) -> Message:
        """The table's message in the group, while a round is played."""
        board = self.find(Peek)
        assert board is not None, "there is no table in the group"
        return board

    async def until(self, question: Callable[[], T | None], what: str) -> T:
        """Wait until the answer is true.

        Raises:
            AssertionError: if the time is up; says what did not happen, and what the chats show.
        """

        async def ask() -> T | None:
            return question()

        try:
            return await self.running.telegram.until(ask)
        except TimeoutError:
            raise AssertionError(f"waited in vain until {what}\n{self.all_chats()}") from None

    def all_chats(self) -> str:
        """Return the contents of all chats, for an error message."""
        lines = []
        for chat in (self.chat, *(person.user_id for person in self.people)):
            lines.append(f"---- chat {chat}")
            lines += [
                f"{it.message_id}: {it.text}\n{it.button_texts}" for it in self.running.telegram.newest(chat)
            ]
        return "\n".join(lines)

    # ------------------------------------------------------------------------------------------ what is so

    async def committed(self) -> Committed:
        """Return the committed state of the table."""
        choosing = {it.user_id: it.choosing for it in self.people}
        return await committed(self.running.database, self.chat, choosing, thread=self.thread or 0)

    async def committed_if_heard(self) -> Committed:
        """Return the committed state, if the bot has received the presses that it has not answered."""
        asked = {it.user_id: [it.unanswered] for it in self.people if isinstance(it.unanswered, PickSuit)}
        return await committed(self.running.database, self.chat, asked, thread=self.thread or 0)

    async def committed_if_forgotten(self) -> Committed:
        """Return the committed state, if a restart has made the bot forget which suits it has asked for."""
        choosing = {it.user_id: it.still_choosing for it in self.people}
        return await committed(self.running.database, self.chat, choosing, thread=self.thread or 0)

    def places(self) -> set[Place]:
        """Return the places of the bot's messages, in the group and in all private chats."""
        chats = [self.chat, *(person.user_id for person in self.people)]
        return {place_of(message) for chat in chats for message in self.running.telegram.newest(chat)}

    @asynccontextmanager
    async def unchanged(self) -> AsyncIterator[Committed]:
        """Assert that nothing happens to the table, its log, or any message in its chats."""
        before = await self.until_it_is_quiet()
        shown = self.all_chats()
        yield before
        await self.host.forge(self.host.newest, "")  # so that the effects of earlier presses are under way
        after = await self.settled()
        assert after.table == before.table
        assert after.log == before.log
        assert self.all_chats() == shown

    async def compare(self, known: Collection[Place] = ()) -> tuple[Committed, Comparison]:
        """Return the committed state, and what is wrong with the messages that show it."""
        state = await self.committed()
        comparison = compare(self.running.telegram, state, known)
        if comparison.missing and any(isinstance(it.unanswered, PickSuit) for it in self.people):
            state = await self.committed_if_heard()
            comparison = compare(self.running.telegram, state, known)
        if comparison.missing and any(it.choosing != it.still_choosing for it in self.people):
            state = await self.committed_if_forgotten()
            comparison = compare(self.running.telegram, state, known)
        return state, comparison

    async def settled(self) -> Committed:
        """Wait until all messages show the committed state and none waits to be deleted; return that state.

        Polls the database: no event says when the bot has recorded what it has shown.
        """
        wrong: list[str] = []
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    state, comparison = await self.compare()
                    wrong = comparison.missing + [key for key in state.shown if key not in state.wanted]
                    if not wrong:
                        return state
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(
                "\n".join(["the messages do not become what they should:", *wrong])
            ) from None

    async def until_it_is_quiet(self) -> Committed:
        """Wait until everything shows the committed state and no automatic move is due; return that state."""
        while True:
            state = await self.settled()
            if not is_forced(state):
                return state


def is_forced(state: Committed) -> bool:
    """Return whether the bot is about to make a forced move or a computer player's."""
    deadline = state.table.deadline
    return deadline is not None and deadline.kind in (DeadlineKind.FORCED, DeadlineKind.COMPUTER)


def data_of(button: Button) -> CallbackData | None:
    """Return what a button asks for."""
    return None if button.data is None else decode(button.data)


def has_button(message: Message, kind: type[CallbackData]) -> bool:
    """Return whether this message has a button for this."""
    return any(isinstance(data_of(button), kind) for button in message.buttons)


def button_for(message: Message, kind: type[CallbackData]) -> Button:
    """Return the message's button for this."""
    return next(button for button in message.buttons if isinstance(data_of(button), kind))


def unlogged_taps(people: Sequence[Person], state: Committed) -> list[Tap]:
    """Return accepted presses of these people that are not their move in the log at that moment."""
    made = {
        turn_stamp(step.before): step for step in steps(state) if isinstance(step.move, Play | Draw | Pass)
    }
    found = []
    for tap in [tap for person in people for tap in person.taps if tap.was_accepted]:
        seat = state.table.seat_of(tap.person.user_id)
        assert seat is not None
        match tap.asked:
            case Lay(stamp=stamp, card=card, suit=suit):
                move: Move = Play(seat, card, suit)
            case Take(stamp=stamp):
                move = Draw(seat)
            case PassTurn(stamp=stamp):
                move = Pass(seat)
            case _:
                continue
        step = made.get(stamp)
        if step is None or (step.actor, step.move) != (tap.person.user_id, move):
            found.append(tap)
    return found
