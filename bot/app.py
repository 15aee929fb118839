"""The composition root: puts the parts together, and owns their life from start to stop.

Start: open the database, ask Telegram who we are, move the deadlines on by the time we were down, bring the
messages of all tables up to date, take updates; the clock starts when the updates that had been waiting are
handled. Stop: take no more updates, finish those being handled and the calls under way, close the database.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from types import ModuleType
from typing import Any, TypeAlias, cast

from telegram.error import TelegramError
from telegram.ext import Application, ApplicationBuilder, ContextTypes

from bot.alerts import Alerts
from bot.clock import HEARTBEAT_SECONDS, Clock, steady
from bot.computers.computer_players import ComputerPlayers
from bot.computers.worker_pool import WorkerPool
from bot.config import Settings
from bot.handlers import (
    deal_verification,
    dispatch,
    failures,
    leaderboards,
    lobby,
    membership,
    pins,
    play,
    profile,
    repost,
    scores,
    solo,
    subscriptions,
    table_talk,
    topics,
    voting,
)
from bot.handlers import settings as settings_room
from bot.handlers.endings import Endings
from bot.handlers.lookups import Lookups
from bot.handlers.pins import Pins
from bot.handlers.services import Services
from bot.handlers.update_processor import PerPersonUpdateProcessor
from bot.handlers.write_forbidden import WriteForbidden
from bot.locales import load_catalogues
from bot.messages.gateway import MessageGateway
from bot.messages.photos import Photos
from bot.messages.rate_limit import UNLIMITED, Limits, RateLimiter
from bot.messages.reconciler import Reconciler
from bot.receiving import connections, liveness_of, metrics_of, take_updates, until_answered
from bot.storage import Storage
from bot.storage.database import Database
from bot.tables.context import Timings
from bot.tables.group_settings import GroupSettingsService
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from bot.tables.settings import TableSettings
from bot.transport import Transport
from bot.updates.liveness import UpdatesLost

log = logging.getLogger(__name__)

# At every step of every call httpcore asks whether it runs under trio, by importing sniffio, which nothing
# brings any more: each time the whole path is searched for it. Of a module that is known not to be there
# Python says so at once (https://docs.python.org/3/reference/import.html#the-module-cache).
sys.modules.setdefault("sniffio", cast("ModuleType", None))

CALLS_AT_ONCE = 64
"""Further calls wait for one of these to be over, for seconds at most."""
KEPT_OPEN = 10
"""Connections that wait for the next call. httpcore looks at each of them at the beginning and at the end of
every call: after a burst, with as many as the library allows (256), that took half of the bot's time.
"""
YOUNG_OBJECTS = 10_000
"""So many new ones before they are looked through for garbage; Python's own measure is 700."""
SETTLING_SECONDS = 1.0
"""How long the updates that waited for the start may take to arrive, before the clock starts."""
LONGEST_SETTLING_SECONDS = 10.0
"""How long they may take to be handled: where updates come without end, there is never none."""

TelegramApplication: TypeAlias = Application[Any, ContextTypes.DEFAULT_TYPE, Any, Any, Any, Any]


async def run(settings: Settings, formatter: logging.Formatter) -> None:
    """Run the bot until SIGTERM or SIGINT; `formatter` is for errors that the owner is told of.

    Raises CannotStart if the configuration cannot be used, StorageError if the database cannot, UpdatesLost
    when no updates arrive any more, and whatever ended the presenter or the clock.
    """
    starting = asyncio.current_task()
    assert starting is not None
    _on_signal(starting.cancel)
    try:
        await _run(settings, formatter)
    except asyncio.CancelledError:
        log.info("stopped before it had begun")


async def _run(settings: Settings, formatter: logging.Formatter) -> None:
    async with AsyncExitStack() as stack:
        database = await Database.open(settings.database_path)
        stack.push_async_callback(database.close)
        storage = Storage(database)
        calls = connections(settings, CALLS_AT_ONCE, KEPT_OPEN)
        application = build_application(settings, calls)
        await until_answered(application.bot.initialize)  # asks Telegram who we are
        await stack.enter_async_context(application)
        rate_limiter = await _find_budget(settings, storage)
        liveness = liveness_of(settings)
        services, clock, thinkers, endings = put_together(
            settings, storage, application, rate_limiter, lambda: liveness.silence
        )
        _spare_the_collector()
        down = await clock.make_up_for_downtime()
        log.info("started as @%s, after %.0f s", services.bot_username, down)
        vital = [_start(stack, services.messages.run(), "presenter")]
        if settings.owner_id is not None:
            _tell_owner(stack, settings.owner_id, services.messages, formatter)
        stack.push_async_callback(services.background.close)
        await application.start()
        stack.push_async_callback(application.stop)
        updates = await take_updates(
            stack,
            settings,
            application,
            liveness,
            metrics_of(liveness, calls),
            lambda: not any(task.done() for task in vital),
        )
        vital.append(_start(stack, updates, "updates"))
        vital.append(_start(stack, _keep_time(application, clock), "clock"))
        vital.append(_start(stack, thinkers.run(), "thinkers"))
        _start(stack, services.messages.catch_up(), "catching up")
        _start(stack, endings.catch_up(), "ending messages")
        _start(stack, _present(services), "profile")
        stop = asyncio.Event()
        _on_signal(stop.set)
        stopping = _start(stack, stop.wait(), "stop signal")
        # Without updates, presenter, clock or thinkers the bot is of no use: it ends with their error.
        await asyncio.wait({stopping, *vital}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")


def _spare_the_collector() -> None:
    """Have it leave alone what is there for good: modules, catalogues, the library's classes.

    It would look through these hundred thousand objects again and again, and everybody would wait meanwhile.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def _on_signal(callback: Callable[[], object]) -> None:
    """What SIGTERM and SIGINT do from now on."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, callback)


def build_application(settings: Settings, calls: Transport) -> TelegramApplication:
    """The library's application: how it speaks to Telegram, and how updates are let in."""
    return (
        ApplicationBuilder()
        .token(settings.bot_token.get_secret_value())
        .base_url(settings.bot_api_url)
        .request(calls)
        .get_updates_request(calls)  # not used: `bot.updates` takes the place of the library's updater
        .updater(None)
        .concurrent_updates(PerPersonUpdateProcessor())
        .build()
    )


async def _find_budget(settings: Settings, storage: Storage) -> RateLimiter:
    """What may go out to Telegram, which counts what an earlier process sent up to its end as well."""
    last_beat = await storage.heartbeat.last()
    silent_since = 0.0 if last_beat is None else min(time.time(), last_beat + HEARTBEAT_SECONDS)
    return RateLimiter(Limits() if settings.telegram_limits else UNLIMITED, silent_since)


def put_together(
    settings: Settings,
    storage: Storage,
    application: TelegramApplication,
    rate_limiter: RateLimiter,
    silence: Callable[[], float] = lambda: 0.0,
) -> tuple[Services, Clock, ComputerPlayers, Endings]:
    """Make the parts and let the handlers hear updates. `silence`: `Liveness.silence`."""
    pace = Timings(
        forced=settings.forced_seconds,
        computer=settings.computer_seconds,
        autopilot=settings.autopilot_seconds,
        reminded_from=settings.reminder_from_seconds,
        nudge=settings.hurry_seconds,
        vote=settings.vote_seconds,
        next_deal=settings.next_deal_seconds,
        cut=settings.cut_seconds,
        host=settings.host_seconds,
        lobby=settings.lobby_seconds,
    )
    bot = application.bot
    queries = TableQueries(storage)
    tables = Tables(storage, queries, pace)
    catalogues = load_catalogues()
    now = steady()
    gateway = MessageGateway(bot, Photos(storage.photos, now))
    messages = Reconciler(storage, tables, gateway, rate_limiter, catalogues, bot.username, now)
    services = Services(
        bot=bot,
        storage=storage,
        tables=tables,
        queries=queries,
        house=GroupSettingsService(
            storage, tables, TableSettings(settings.rules, settings.turn_limit, settings.cut)
        ),
        messages=messages,
        catalogues=catalogues,
        bot_username=bot.username,
        now=now,
        lookups=Lookups(bot, now),
    )
    application.add_handler(dispatch.handler(services))
    rooms = (
        lobby,
        solo,
        play,
        scores,
        leaderboards,
        deal_verification,
        settings_room,
        membership,
        voting,
        pins,
        subscriptions,
        table_talk,
    )
    for room in rooms:
        application.add_handlers(room.handlers(services))
    application.add_handlers(
        repost.handlers(services, repost.RepostTrigger(settings.bring_down_seconds)), group=1
    )
    application.add_handlers(topics.handlers(services), group=2)
    Pins(services)
    WriteForbidden(services)
    endings = Endings(services)
    application.add_error_handler(failures.log_failure)
    return (
        services,
        Clock(storage, tables, silence=silence),
        ComputerPlayers(tables, WorkerPool(), pace),
        endings,
    )


def _tell_owner(
    stack: AsyncExitStack, owner_id: int, messages: Reconciler, formatter: logging.Formatter
) -> None:
    alerts = Alerts(owner_id, messages)
    alerts.setFormatter(formatter)
    logging.getLogger().addHandler(alerts)
    stack.callback(logging.getLogger().removeHandler, alerts)
    _start(stack, alerts.run(), "alerts")


async def _keep_time(application: TelegramApplication, clock: Clock) -> None:
    """Run the clock once the updates that had been waiting are handled, or have had the time to be."""
    await asyncio.sleep(SETTLING_SECONDS)
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST_SETTLING_SECONDS):
            await application.update_queue.join()
    await clock.run()


async def _present(services: Services) -> None:
    """Set menus and descriptions. The game goes on without them, and the next start tries again."""
    try:
        await profile.present(services.bot, services.catalogues, services.storage.presented)
    except TelegramError as error:
        log.warning("menus and descriptions were not set: %s", error)


def _start(stack: AsyncExitStack, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
    """Run something beside everything else, and end it when its turn in the stack comes.

    If it fails that is logged at once: the stack hears of it in the end alone.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_report_failed)
    stack.push_async_callback(_end, task)
    return task


def _report_failed(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, UpdatesLost):
        log.error("%s: failed", task.get_name(), exc_info=error)


async def _end(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
