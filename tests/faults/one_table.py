"""One table's messages, step by step: a real database, real calls to a sandbox, a clock that stands still.

For tests of what follows from a call that failed; when a step's turn comes is left to other tests.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from telegram import Bot

from bot.handlers.delivery_listener import apply_outcome
from bot.locales import load_catalogues
from bot.messages.desired import DesiredMessage
from bot.messages.executor import StepExecutor
from bot.messages.gateway import MessageGateway
from bot.messages.outcomes import CallOutcome, StateOutcome
from bot.messages.photos import Photos
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import Step
from bot.messages.reconciler import Reconciler
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages
from bot.screens.screen import Screen
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from sandbox import groups, people, state
from sandbox.server import Server
from tests.bot.messages.manual_scheduler import ManualScheduler
from tests.bot.tables.tables import NOW, PACE


@dataclass
class OneTable:
    """One table of one person in one group; `table_messages` has only the test's desired messages."""

    server: Server
    storage: Storage
    tables: Tables
    bot: Bot
    gateway: MessageGateway
    person: int
    group: int
    table_id: str
    now: float = NOW
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)

    def __post_init__(self) -> None:
        self.executor = StepExecutor(
            self.gateway,
            ShownCache(self.storage.shown),
            self.rate_limiter,
            invalidate=lambda _table_id: None,
            report=self._hear,
            now=lambda: self.now,
        )
        self.table_messages = TableMessages(self.table_id, shown={})

    def set_desired(self, text: str, *, notifies: bool = False) -> None:
        """Set the desired text of the person's hand."""
        desired = DesiredMessage(
            self.person, 0, Screen(text, notifies=notifies), Priority.MOVER, silent=not notifies
        )
        self.table_messages.set_desired({HAND: desired}, revision=1)

    def steps(self) -> list[Step]:
        """Return the missing steps."""
        return self.table_messages.steps(self.now, {})

    async def carry_out(self, table_messages: TableMessages | None = None) -> None:
        """Execute all current steps, whenever they would be due."""
        table_messages = table_messages or self.table_messages
        for step in list(table_messages.steps(self.now, {})):
            action = table_messages.begin(step, self.now, {})
            await self.executor.carry_out(step, action, table_messages)
            table_messages.end(step.key)

    def texts(self, chat: int | None = None) -> list[str]:
        """Return the texts of the bot's existing messages, the oldest first."""
        messages = self.server.sandbox.world.chats[chat or self.person].messages.values()
        return [it.text or "" for it in messages if it.sender not in self.server.sandbox.world.users]

    def new_process(self) -> tuple[Reconciler, ManualScheduler]:
        """Return a reconciler that knows only what is stored, and its scheduler."""
        scheduler = ManualScheduler(self.rate_limiter, self.now)
        reconciler = Reconciler(
            self.storage,
            self.tables.queries,
            self.gateway,
            scheduler,
            load_catalogues(),
            "bot",
            lambda: scheduler.moment,
        )
        return reconciler, scheduler

    async def _hear(self, outcome: CallOutcome) -> None:
        if isinstance(outcome, StateOutcome):
            await apply_outcome(outcome, self.storage, self.tables)


HAND = "hand"


@asynccontextmanager
async def one_table(folder: Path) -> AsyncIterator[OneTable]:
    """Open a lobby. Its host has started the bot, which has shown nothing yet."""
    async with AsyncExitStack() as stack:
        database = await Database.open(folder / "101.sqlite3")
        stack.push_async_callback(database.close)
        server = Server(state.build(token=state.new_token(), flood=False))
        server.start(0)
        stack.push_async_callback(server.stop)
        sandbox = server.sandbox
        bot = await stack.enter_async_context(Bot(sandbox.world.bot.token, base_url=server.bot_api_url))
        person = sandbox.world.add_user("Аня", None, None, "ru").id
        group = groups.create(
            sandbox, "supergroup", "Клуб", [person], admins=[], creator=person, is_forum=False, bot="member"
        )
        people.start(sandbox, person, None)
        storage = Storage(database)
        photos = Photos(storage.photos, lambda: NOW)
        stack.push_async_callback(photos.close)
        await storage.people.see(person, "Аня", "ru")
        await storage.people.set_reachable(person, reachable=True)
        tables = Tables(storage, TableQueries(storage, lambda: NOW), PACE)
        opened = await tables.open(group.id, 0, Player(person, "Аня"), TableSettings())
        yield OneTable(
            server, storage, tables, bot, MessageGateway(bot, photos), person, group.id, opened.table_id
        )
