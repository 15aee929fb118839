"""A small world of groups, people and tables in every phase, over the real parts: for tests of who may what.

Telegram is asked nothing here but who is an admin, and this answers for it (`WhoIsAdmin`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from telegram.ext import ApplicationBuilder
from telegram.request import BaseRequest, RequestData

from bot.composition import compose
from bot.config import Settings
from bot.handlers.services import Services
from bot.messages.rate_limit import RateLimiter
from bot.messages.scheduler import Scheduler
from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables import transitions
from bot.tables.codec import dump_table
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from engine import parse_card
from engine.players import Level
from tests.bot.tables.tables import ANYA, BORIS, GENA, NOW, VERA, ctx, dealt, lobby, mover, playing, stamp

STRANGERS = (5, 6)
ADMIN = 7
"""Of every group; sits nowhere."""
PEOPLE = (1, 2, 3, 4, *STRANGERS, ADMIN)
ELSEWHERE = -90
"""A group of the strangers, with a lobby of their own."""
_CHATS = tuple(range(-9, 0))
GROUPS: dict[int, tuple[int, ...]] = {
    **dict.fromkeys((1, 2, 3, 4, ADMIN), _CHATS),
    **dict.fromkeys(STRANGERS, (ELSEWHERE,)),
}
"""In which groups each person can press anything."""


@dataclass(frozen=True, slots=True)
class World:
    """The parts, the file behind them, the tables as they are at the beginning, a token of saved rules."""

    services: Services
    scheduler: Scheduler
    connection: Database
    database: Path
    tables: tuple[Table, ...]
    token: str
    subscriptions: frozenset[tuple[int, int]]
    telegram: WhoIsAdmin
    application: Any

    def changes(self) -> int:
        """Return the number of rows written since the database was opened."""
        return self.connection._writer._connection.total_changes


class WhoIsAdmin(BaseRequest):
    """Answers for Telegram who is an admin; while `is_silent`, only who the bot is."""

    read_timeout = 5.0

    def __init__(self) -> None:
        self.is_silent = False

    async def initialize(self) -> None:
        """Do nothing: there is no connection."""

    async def shutdown(self) -> None:
        """Do nothing: there is no connection."""

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_args: Any, **_kwargs: Any
    ) -> tuple[int, bytes]:
        """The one question that is asked here, and who the bot is."""
        del method, request_data
        asked = url.rsplit("/", 1)[1]
        if asked == "getMe":
            result: Any = {"id": 99, "is_bot": True, "first_name": "x", "username": "x_bot"}
        else:
            assert asked == "getChatAdministrators", url
            if self.is_silent:
                return 502, json.dumps(
                    {"ok": False, "error_code": 502, "description": "Bad Gateway"}
                ).encode()
            user = {"id": ADMIN, "is_bot": False, "first_name": "x"}
            result = [{"user": user, "status": "creator", "is_anonymous": False}]
        return 200, json.dumps({"ok": True, "result": result}).encode()


@asynccontextmanager
async def building(path: Path, telegram: WhoIsAdmin | None = None) -> AsyncIterator[World]:
    """The world, in a new database at `path`; `telegram` answers in Telegram's place."""
    async with AsyncExitStack() as stack:
        database = await Database.open(path)
        stack.push_async_callback(database.close)
        telegram = telegram or WhoIsAdmin()
        builder = ApplicationBuilder().token("1:x").request(telegram).get_updates_request(WhoIsAdmin())
        application = cast(Any, builder.updater(None).build())
        await stack.enter_async_context(application)
        storage = Storage(database)
        parts = compose(Settings(bot_token="1:x"), storage, application, RateLimiter())
        services = replace(parts.services, now=lambda: NOW)
        stack.push_async_callback(services.background.close)
        yield await _populated(services, parts.scheduler, database, path, telegram, application)


async def _populated(
    services: Services,
    scheduler: Scheduler,
    database: Database,
    path: Path,
    telegram: WhoIsAdmin,
    application: Any,
) -> World:
    storage = services.storage
    for user_id in PEOPLE:
        await storage.people.see(user_id, f"Имя {user_id}", "ru")
        await storage.people.set_reachable(user_id, reachable=True)
    for chat_id in (*_CHATS, ELSEWHERE):
        await storage.chats.see(chat_id, "Группа", None, "supergroup")
    tables = _tables()
    for table in tables:
        await storage.tables.create(dump_table(table, NOW))
    saved = await services.group_settings.save_rules(-1, "Дача")
    subscriptions = frozenset({(GENA.user_id, -1), (ANYA.user_id, -9)})
    for subscription in subscriptions:
        await storage.subscriptions.add(*subscription)
    return World(
        services, scheduler, database, path, tables, saved.token, subscriptions, telegram, application
    )


def _tables() -> tuple[Table, ...]:
    """Build one table in each phase, and some with more going on."""
    waiting = transitions.sit(dealt(BORIS, VERA), ctx(), GENA.user_id, GENA.name).table
    ending = playing({"p1": ["JH"], "p2": ["9D", "10C"]}, stock=["7H", "8H", "9C", "KC", "6S"])
    between = transitions.lay(
        ending, ctx(), mover(ending).user_id, stamp(ending), parse_card("JH"), None
    ).table
    over = transitions.stop(dealt(BORIS), ctx(), ANYA.user_id, is_admin=False).table
    asleep = transitions.bot_removed(dealt(BORIS), ctx()).table
    cutting = transitions.start(lobby(BORIS, VERA, cut=True), ctx(), ANYA.user_id, is_admin=False).table
    voting = transitions.call_vote(dealt(BORIS, VERA, GENA), ctx(), BORIS.user_id, VERA.user_id).table
    unhurried = dealt(BORIS, turn_seconds=None)
    own = replace(lobby(), host=STRANGERS[0], players=(replace(ANYA, user_id=STRANGERS[0]),))
    made = (lobby(BORIS), waiting, between, over, asleep, cutting, voting, unhurried)
    placed = [replace(table, id=f"{n:010x}", chat_id=-n) for n, table in enumerate(made, start=1)]
    assert {table.phase for table in placed} == set(TablePhase)
    with_computer = transitions.invite(lobby(BORIS), ctx(), 1, Level.EASY, ("Ада",), is_admin=False).table
    alone = transitions.open_solo("", GENA, [Level.EASY], ("Ада",), TableSettings(), bytes(32), ctx()).table
    return (
        *placed,
        replace(with_computer, id=f"{9:010x}", chat_id=-9),
        replace(alone, id=f"{10:010x}", chat_id=GENA.user_id),
        replace(own, id=f"{90:010x}", chat_id=ELSEWHERE),
    )
