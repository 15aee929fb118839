"""The messages of some tables while everything goes wrong, in virtual time: what do they show in the end?

What decides about that is real: reconciler, scheduler, rate limiter, executor, recovery. The rest are models:
a database that fails now and then, a Telegram whose calls fail in every way, and tables whose messages are
single words. One person sits at all of them.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import sys
from collections.abc import Callable, Collection, Coroutine, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from bot.handlers.services import Services
from bot.handlers.visitor import set_reachable
from bot.messages.desired import DesiredMessage, board_key, hand_key
from bot.messages.gateway import CallFailed, Flooded, MessageGone, NotAllowed, Unanswered, Unreachable
from bot.messages.outcomes import CallOutcome, MoverDelayed, PersonUnreachable
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconciler import Reconciler
from bot.messages.scheduler import Scheduler
from bot.messages.table_messages import LONGEST_PAUSE_SECONDS, UNCERTAIN_SECONDS, TableMessages
from bot.screens.screen import Screen
from bot.storage.errors import DiskFailure
from bot.storage.shown import Shown, ShownKey
from tests.simulation.loop import PROCESS, Process, SimulatedLoop

T = TypeVar("T")

GIVEN_UP_SECONDS = 5.0
"""The bot waits for an answer no longer than this."""
SETTLING_SECONDS = 2 * LONGEST_PAUSE_SECONDS
WORDS = ("one", "two", "three")
"""So few that what was shown before an edit is often desired again after it."""
HAPPENINGS = {
    "move": 40,
    "deal": 4,
    "choose": 6,
    "leave choice": 6,
    "press": 10,
    "repost": 2,
    "renew hand": 2,
    "close": 4,
    "open all": 6,
    "delete": 2,
    "make unreadable": 2,
    "kill": 12,
}
"""What happens, and how often in comparison."""


@dataclass
class TableState:
    """What is committed of a table: the words on the board and in the hands, and whose turn it is."""

    table_id: str
    chat: int
    hands: dict[int, str]
    mover: int
    board: str = WORDS[0]
    number: int = 1
    revision: int = 1


class Telegram:
    """The messages that there are. While it `is_failing`, calls fail.

    A late one takes effect within the time that the bot allows for.
    """

    def __init__(self, loop: SimulatedLoop, chance: Random) -> None:
        self.is_failing = True
        self.chats: dict[int, dict[int, str]] = {}
        self.closed: set[int] = set()
        """People who have blocked the bot, and groups that do not let it write."""
        self.deleted: set[tuple[int, int]] = set()
        """Messages that people have deleted."""
        self._loop = loop
        self._chance = chance
        self._last_id = 0

    async def call(self, chat: int, effect: Callable[[dict[int, str]], T]) -> T:
        """Make a call. Raises CallFailed."""
        trouble = self._chance.choice(("", "", "", "429", "500", "late", "lost")) if self.is_failing else ""
        latency = self._chance.uniform(0.02, 0.3)
        if trouble in ("429", "500"):
            await asyncio.sleep(latency)
            raise Flooded(self._chance.randint(1, 3)) if trouble == "429" else Unanswered("500")
        if trouble == "late":
            latency = self._chance.uniform(0.5, UNCERTAIN_SECONDS)
        answer: asyncio.Future[T] = self._loop.create_future()
        world = contextvars.Context()  # it takes effect also when the process that has called is no more
        self._loop.call_later(latency, self._take_effect, chat, effect, answer, context=world)
        if trouble == "lost":
            await asyncio.sleep(self._chance.choice((latency, GIVEN_UP_SECONDS)))
            raise Unanswered("lost")
        done, _ = await asyncio.wait({answer}, timeout=GIVEN_UP_SECONDS)
        if not done:
            raise Unanswered("given up")
        await asyncio.sleep(self._chance.uniform(0.0, 0.1))
        return answer.result()

    def _take_effect(
        self, chat: int, effect: Callable[[dict[int, str]], T], answer: asyncio.Future[T]
    ) -> None:
        try:
            if chat in self.closed:
                raise Unreachable("blocked") if chat > 0 else NotAllowed("no rights")
            answer.set_result(effect(self.chats.setdefault(chat, {})))
        except CallFailed as failure:
            answer.set_exception(failure)
            answer.exception()  # maybe nobody waits for it any more

    def new_id(self) -> int:
        """An id for a message."""
        self._last_id += 1
        return self._last_id


class Bot:
    """One process: a reconciler, to which this is gateway, storage, queries and renderer in one."""

    def __init__(self, world: World) -> None:
        self.process = Process("bot")
        self._world = world
        self._chance = world.chance
        self._choosing: dict[tuple[str, int], str] = {}
        self._writer = asyncio.Lock()
        self._context = contextvars.Context()
        self._context.run(PROCESS.set, self.process)
        now = world.loop.wall
        scheduler = Scheduler(RateLimiter(silent_since=now() - 5.0), now)
        me: Any = self
        storage: Any = SimpleNamespace(tables=me, shown=me, people=me)
        self.reconciler = Reconciler(storage, me, me, scheduler, {}, "bot", now)
        self.reconciler._renderer = me
        self.reconciler.on_outcome(self._hear)
        self._services = cast(
            "Services", SimpleNamespace(messages=self.reconciler, storage=storage, queries=me)
        )
        self.run(scheduler.run())
        self.run(self.reconciler.catch_up())

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Have the process do something."""
        self._world.loop.create_task(work, context=self._context.copy())

    # ------------------------------------------------------------------------------------ as its gateway

    async def send(self, chat: int, _thread: int, screen: Screen, *, silent: bool) -> int:
        """A new message."""
        del silent

        def effect(there: dict[int, str]) -> int:
            message_id = self._world.telegram.new_id()
            there[message_id] = screen.text
            return message_id

        return await self._world.telegram.call(chat, effect)

    async def edit(self, chat: int, message_id: int, screen: Screen) -> None:
        """Edit a message."""

        def effect(there: dict[int, str]) -> None:
            if message_id not in there:
                raise MessageGone("message to edit not found")
            there[message_id] = screen.text

        await self._world.telegram.call(chat, effect)

    async def delete(self, chat: int, message_id: int) -> None:
        """Delete a message, if it is there."""
        await self._world.telegram.call(chat, lambda there: there.pop(message_id, None))

    async def remove_keyboard(self, chat: int, _message_id: int) -> None:
        """These messages have no buttons."""
        await self._world.telegram.call(chat, lambda _there: None)

    # ------------------------------------------------------------------------------------ as its storage

    async def ids_to_reconcile(self) -> list[str]:
        """All tables: their matches run for ever."""
        return list(self._world.tables)

    async def of_table(self, table_id: str) -> dict[str, Shown]:
        """The stored messages of a table."""
        await asyncio.sleep(0.01)
        return {key: shown for (table, key), shown in self._world.shown.items() if table == table_id}

    async def change(self, changes: Mapping[ShownKey, Shown | None]) -> None:
        """Store messages. Raises StorageError."""

        def store() -> None:
            for place, shown in changes.items():
                self._world.shown.pop(place, None)
                if shown is not None:
                    self._world.shown[place] = shown

        if self._world.telegram.is_failing and self._chance.random() < 0.02:
            raise DiskFailure("the disk is full")
        await self._commit(store)

    async def mark_reconciled(self, _table_id: str, _revision: int) -> None:
        """Of tables that run this is not stored."""

    async def set_reachable(self, user_id: int, *, reachable: bool) -> None:
        """Store whether somebody can be written to."""
        unreachable = self._world.unreachable
        await self._commit(lambda: unreachable.discard(user_id) if reachable else unreachable.add(user_id))

    async def _commit(self, change: Callable[[], None]) -> None:
        async with self._writer:
            await asyncio.sleep(self._chance.uniform(0.0, 0.05))
            change()
            await asyncio.sleep(self._chance.uniform(0.0, 0.05))

    # ------------------------------------------------------------------------- as its queries and renderer

    async def view(self, table_id: str, _user_id: int | None) -> Any:
        """As much of a view as is asked for."""
        return SimpleNamespace(game=SimpleNamespace(number=self._world.tables[table_id].number))

    async def running_of(self, user_id: int) -> list[str]:
        """The tables that somebody sits at."""
        return [it.table_id for it in self._world.tables.values() if user_id in it.hands]

    async def latest_tables_in(self, _chat_id: int) -> list[str]:
        """As `ShownStore.latest_tables_in`: those besides the running ones, which there are none of."""
        return []

    def choose_suit(self, table_id: str, user_id: int, _when: object, card: int | None) -> None:
        """As `Renderer.choose_suit`."""
        self._choosing.pop((table_id, user_id), None)
        if card is not None:
            self._choosing[table_id, user_id] = f"suits for {card}"

    async def render(self, table_messages: TableMessages) -> None:
        """As `Renderer.render`."""
        table = deepcopy(self._world.tables[table_messages.table_id])
        if table.table_id in self._world.unreadable:
            self._world.unreadable.remove(table.table_id)
            raise DiskFailure("cannot be read this time")
        await asyncio.sleep(self._chance.uniform(0.0, 0.05))
        unreachable = frozenset(self._world.unreachable)
        chosen = {
            user: self._choosing.get((table.table_id, user), word) for user, word in table.hands.items()
        }
        table.hands = chosen
        found = desired_messages(table, unreachable, table_messages.shown or {})
        table_messages.set_desired(found, table.revision, out_of_reach=unreachable)

    # --------------------------------------------------------------------------------- what it is told of

    async def change_table(self, table_id: str, transition: Callable[[TableState], None]) -> None:
        """Commit a change of a table, as a press does."""
        table = self._world.tables[table_id]

        def change() -> None:
            transition(table)
            table.revision += 1

        await self._commit(change)
        self.reconciler.invalidate(table_id)

    async def note_opened(self, chat: int) -> None:
        """It may write there again."""
        if chat > 0:
            await set_reachable(chat, self._services, reachable=True)
        else:
            self.reconciler.access_restored(chat)
        self._world.untold.pop(chat, None)

    async def _hear(self, outcome: CallOutcome) -> None:
        match outcome:
            case PersonUnreachable(user_id):
                await self.set_reachable(user_id, reachable=False)
            case MoverDelayed(table_id):
                await self.change_table(table_id, lambda _table: None)
            case _:
                pass


class World:
    """Tables, the people at them, Telegram, and the bot's processes, one after another."""

    def __init__(self, loop: SimulatedLoop, seed: int) -> None:
        self.loop = loop
        self.chance = Random(seed)
        self.telegram = Telegram(loop, self.chance)
        self.shown: dict[ShownKey, Shown] = {}
        self.unreachable: set[int] = set()
        self.untold: dict[int, None] = {}
        """The chats that are open again, of which the bot has not learnt yet."""
        self.unreadable: set[str] = set()
        """Tables that cannot be read the next time."""
        self.tables: dict[str, TableState] = {}
        for number in range(3):
            people = [1, *self.chance.sample(range(2, 6), 2)]
            hands = dict.fromkeys(people, WORDS[0])
            self.tables[f"t{number}"] = TableState(f"t{number}", int(f"-1001{number}"), hands, people[0])
        self.bot = Bot(self)

    async def run(self, happenings: int) -> None:
        """Let so many things happen while calls fail; then nothing more, and no call fails."""
        pause = self.chance.choice((0.3, 1.0, 3.0))
        for _ in range(happenings):
            (what,) = self.chance.choices(list(HAPPENINGS), list(HAPPENINGS.values()))
            self._let_happen(what)
            await asyncio.sleep(self.chance.expovariate(1 / pause))
        self.telegram.is_failing = False
        self._open_all()
        for table in self.tables.values():
            for user in table.hands:
                self.bot.reconciler.choose_suit(table.table_id, user, 0, None)
        await asyncio.sleep(SETTLING_SECONDS)

    def _let_happen(self, what: str) -> None:
        chance, bot, reconciler = self.chance, self.bot, self.bot.reconciler
        table = chance.choice(list(self.tables.values()))
        user = chance.choice(list(table.hands))
        chat = chance.choice((user, table.chat))
        match what:
            case "move":
                bot.run(bot.change_table(table.table_id, self._move))
            case "deal":
                bot.run(bot.change_table(table.table_id, self._deal))
            case "choose":
                reconciler.note_activity(user)
                reconciler.choose_suit(table.table_id, user, 0, chance.randrange(2))
            case "leave choice":
                reconciler.choose_suit(table.table_id, user, 0, None)
            case "press":
                reconciler.note_activity(user)
            case "repost":
                bot.run(reconciler.repost(table.table_id))
            case "renew hand":
                bot.run(reconciler.renew_hand(table.table_id, user))
            case "close":
                self.telegram.closed.add(chat)
            case "open all":
                self._open_all()
            case "delete":
                self._delete_one(chat)
            case "make unreadable":
                self.unreadable.add(table.table_id)
            case "kill":
                self.kill()
                self.bot = Bot(self)
                for opened in self.untold:
                    self.bot.run(self.bot.note_opened(opened))

    def kill(self) -> None:
        """Kill the bot."""
        self.bot.process.kill()
        self.loop.call_soon(self.loop.bury, self.bot.process)

    def _open_all(self) -> None:
        for chat in sorted(self.telegram.closed):
            self.untold[chat] = None
            self.bot.run(self.bot.note_opened(chat))
        self.telegram.closed.clear()

    def _delete_one(self, chat: int) -> None:
        there = self.telegram.chats.get(chat)
        if there:
            message_id = self.chance.choice(list(there))
            del there[message_id]
            self.telegram.deleted.add((chat, message_id))

    def _move(self, table: TableState) -> None:
        table.board = self.chance.choice(WORDS)
        table.hands = {user: self.chance.choice(WORDS) for user in table.hands}
        table.mover = self.chance.choice(list(table.hands))

    def _deal(self, table: TableState) -> None:
        table.number += 1
        self._move(table)

    def wrong(self) -> list[str]:
        """The messages that show something else than they should, or are missing."""
        found = []
        for table in self.tables.values():
            shown = {key: it for (table_id, key), it in self.shown.items() if table_id == table.table_id}
            for key, desired in desired_messages(table, (), shown).items():
                place = (shown[key].chat_id, shown[key].message_id) if key in shown else None
                if place is None:
                    found += [f"{table.table_id} {key}: not there"] if desired.is_needed else []
                elif place not in self.telegram.deleted:  # of that nobody has told the bot
                    text = self.telegram.chats[place[0]].get(place[1])
                    if text != desired.screen.text:
                        found.append(f"{table.table_id} {key}: {text!r}, not {desired.screen.text!r}")
        return found


def desired_messages(
    table: TableState, unreachable: Collection[int], shown: Mapping[str, Shown]
) -> dict[str, DesiredMessage]:
    """The messages of a table: the board, a hand for each reachable person with a link to it, a result."""
    board, result = board_key(table.number), board_key(table.number - 1)
    text = f"round {table.number}: {table.board}"
    desired = {board: DesiredMessage(table.chat, 0, Screen(text), Priority.GROUP, silent=True)}
    if table.number > 1:
        final = Screen(f"result {table.number - 1}")
        desired[result] = DesiredMessage(
            table.chat, 0, final, Priority.HISTORY, silent=True, is_needed=False, is_result=True
        )
    link = shown[board].message_id if board in shown else None
    for user, word in table.hands.items():
        if user not in unreachable:
            is_mover = user == table.mover
            screen = Screen(f"{table.table_id}: {word}, board {link}, to move: {is_mover}", notifies=is_mover)
            priority = Priority.MOVER if is_mover else Priority.WATCHER
            desired[hand_key(user)] = DesiredMessage(user, 0, screen, priority, silent=not is_mover)
    return desired


def simulate(
    seed: int, happenings: int = 30, prepare: Callable[[World], None] = lambda _world: None
) -> list[str]:
    """Let so many things happen in a world that was prepared like this; what is wrong in the end."""
    loop = SimulatedLoop()

    async def run() -> list[str]:
        world = World(loop, seed)
        prepare(world)
        await world.run(happenings)
        found = world.wrong()
        world.kill()
        await asyncio.sleep(0)
        return found

    try:
        return loop.run_until_complete(run())
    finally:
        loop.close()


def main() -> int:
    """Simulate with so many seeds, and print those in which something is wrong in the end."""
    logging.disable(logging.CRITICAL)
    faults = {seed: found for seed in range(int(sys.argv[1])) if (found := simulate(seed))}
    for seed, found in faults.items():
        print(seed, *found, sep="\n  ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
