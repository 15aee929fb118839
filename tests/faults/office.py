"""One table's presenter, step by step: a real database, real calls to a sandbox, a clock that stands still.

For tests of what follows from a call that failed; when a step's turn comes is left to other tests.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from telegram import Bot

from bot.locales import load_catalogues
from bot.presenter.budget import Budget, Priority
from bot.presenter.courier import Courier
from bot.presenter.delivery import Delivery
from bot.presenter.desk import Desk
from bot.presenter.ledger import Ledger
from bot.presenter.photos import Photos
from bot.presenter.presenter import Presenter
from bot.presenter.steps import Step
from bot.presenter.wanted import Wanted
from bot.screens.screen import Screen
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.player import Player
from bot.tables.service import Tables
from bot.tables.settings import TableSettings
from sandbox import groups, people, state
from sandbox.server import Server
from tests.bot.tables.tables import NOW, PACE


@dataclass
class Office:
    """One table of one person in one group; `desk` knows nothing but what the test wants of it."""

    server: Server
    storage: Storage
    tables: Tables
    bot: Bot
    courier: Courier
    person: int
    group: int
    table_id: str
    now: float = NOW
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        self.delivery = Delivery(
            self.courier,
            Ledger(self.storage.shown),
            self.storage.people,
            self.storage.chats,
            self.tables,
            self.budget,
            mark=lambda _table_id: None,
            told=lambda _shown, _is_new: None,
            barred=lambda _table_id: None,
            now=lambda: self.now,
        )
        self.desk = Desk(self.table_id, shown={})

    def want(self, text: str, *, rings: bool = False) -> None:
        """The person's hand shall say this from now on."""
        wanted = Wanted(self.person, 0, Screen(text, rings=rings), Priority.MOVER, silent=not rings)
        self.desk.want({HAND: wanted}, revision=1)

    def steps(self) -> list[Step]:
        """What the desk finds to do."""
        return self.desk.steps(self.now, {})

    async def carry_out(self, desk: Desk | None = None) -> None:
        """Take every step that there is now, whenever its turn might come."""
        desk = desk or self.desk
        for step in list(desk.steps(self.now, {})):
            action = desk.begin(step, self.now, {})
            await self.delivery.carry_out(step, action, desk)
            desk.end(step.key)

    def texts(self, chat: int | None = None) -> list[str]:
        """What the bot's messages say that are there, the oldest first."""
        messages = self.server.sandbox.world.chats[chat or self.person].messages.values()
        return [it.text or "" for it in messages if it.sender not in self.server.sandbox.world.users]

    def presenter(self) -> Presenter:
        """A new process's presenter for all tables in the database."""
        catalogues = load_catalogues()
        return Presenter(
            self.storage, self.tables, self.courier, self.budget, catalogues, "bot", lambda: self.now
        )


HAND = "hand"


@asynccontextmanager
async def office(folder: Path) -> AsyncIterator[Office]:
    """An office with a lobby. Who has opened it has started the bot, which has shown nothing yet."""
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
        tables = Tables(storage, PACE, lambda: NOW)
        opened = await tables.open(group.id, 0, Player(person, "Аня"), TableSettings())
        yield Office(server, storage, tables, bot, Courier(bot, photos), person, group.id, opened.table_id)
