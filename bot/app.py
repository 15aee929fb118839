"""Starts, runs and stops the bot. Its parts are built in `bot.composition`.

Start: open the database, call getMe, move the deadlines on by the downtime, bring the messages of all tables
up to date, take updates; the clock starts when the updates that had been waiting are handled. Stop: take no
more updates, finish those being handled and the calls under way, close the database.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from types import ModuleType
from typing import Any, cast

from telegram.error import TelegramError
from telegram.ext import ApplicationBuilder

from bot.alerts import Alerts
from bot.clock import HEARTBEAT_SECONDS, DeadlineClock
from bot.composition import TelegramApplication, compose
from bot.config import Settings
from bot.handlers import profile
from bot.handlers.services import Services
from bot.handlers.update_processor import PerPersonUpdateProcessor
from bot.machine import THIS_MACHINE, Machine
from bot.messages.rate_limit import UNLIMITED, Limits, RateLimiter
from bot.receiving import connections, liveness_of, metrics_of, take_updates, until_answered
from bot.starting import CannotStart
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.errors import CannotOpenDatabase, CorruptDatabase, ForeignDatabase, NewerSchema
from bot.transport import Transport
from bot.updates.liveness import UpdatesLost

log = logging.getLogger(__name__)

# At every step of every call httpcore asks whether it runs under trio, by importing sniffio, which nothing
# brings any more: each time the whole path is searched for it. Of a module that is known not to be there
# Python says so at once (https://docs.python.org/3/reference/import.html#the-module-cache).
sys.modules.setdefault("sniffio", cast("ModuleType", None))

CALLS_AT_ONCE = 64
"""The most connections for calls; further calls wait for one of them, for seconds at most."""
KEPT_OPEN = 10
"""The most idle connections. httpcore looks at each of them at the beginning and at the end of every call:
after a burst, with as many as the library allows (256), that took half of the bot's time.
"""
YOUNG_OBJECTS = 10_000
"""New objects before a garbage collection; Python's default is 700."""
SETTLING_SECONDS = 1.0
"""How long the updates that waited for the start may take to arrive, before the clock starts."""
LONGEST_SETTLING_SECONDS = 10.0
"""How long they may take to be handled: where updates come without end, there is never none."""


async def run(settings: Settings, formatter: logging.Formatter, machine: Machine = THIS_MACHINE) -> None:
    """Run the bot until SIGTERM or SIGINT; `formatter` is for errors that the owner is told of.

    Raises CannotStart if the configuration cannot be used, StorageError if the database cannot, UpdatesLost
    when no updates arrive any more, and whatever ended the scheduler, the clock or the computer players.
    """
    starting = asyncio.current_task()
    assert starting is not None
    _on_signal(starting.cancel)
    try:
        await _run(settings, formatter, machine)
    except asyncio.CancelledError:
        log.info("stopped before it had begun")


async def _run(settings: Settings, formatter: logging.Formatter, machine: Machine) -> None:
    async with AsyncExitStack() as stack:
        database = await _open_database(settings)
        stack.push_async_callback(database.close)
        storage = Storage(database, machine.entropy)
        calls = connections(settings, CALLS_AT_ONCE, KEPT_OPEN, machine)
        application = build_application(settings, calls)
        await until_answered(application.bot.initialize)  # asks Telegram who we are
        await stack.enter_async_context(application)
        rate_limiter = await _rate_limiter(settings, storage, machine.wall())
        liveness = liveness_of(settings, machine)
        parts = compose(settings, storage, application, rate_limiter, lambda: liveness.silence, machine)
        services = parts.services
        _tune_garbage_collection()
        down = await parts.clock.make_up_for_downtime()
        stack.push_async_callback(parts.gateway.close)
        vital = [_start(stack, parts.scheduler.run(), "scheduler")]
        if settings.owner_id is not None:
            _alert_owner(stack, settings.owner_id, services, formatter)
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
            machine,
        )
        log.info("started as @%s, after %.0f s", services.bot_username, down)
        vital.append(_start(stack, updates, "updates"))
        vital.append(_start(stack, _keep_time(application, parts.clock), "clock"))
        vital.append(_start(stack, parts.computer_players.run(), "computer players"))
        _start(stack, services.messages.catch_up(), "catching up")
        _start(stack, parts.endings.catch_up(), "ending messages")
        _start(stack, _present(services), "profile")
        stop = asyncio.Event()
        _on_signal(stop.set)
        stopping = _start(stack, stop.wait(), "stop signal")
        # The bot is of no use without any of these: it ends with their error.
        await asyncio.wait({stopping, *vital}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")


async def _open_database(settings: Settings) -> Database:
    """The database. Raises CannotStart if it cannot be used as it is, StorageError if another time it may
    be."""
    try:
        return await Database.open(settings.database_path)
    except (CannotOpenDatabase, CorruptDatabase, ForeignDatabase, NewerSchema) as error:
        raise CannotStart(f"DATABASE_PATH: {error}") from error


def _tune_garbage_collection() -> None:
    """Exempt what stays for good from garbage collection: modules, catalogues, the library's classes.

    Each collection would look through these hundred thousand objects, and everybody would wait meanwhile.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def _on_signal(callback: Callable[[], object]) -> None:
    """Have SIGTERM and SIGINT call this from now on."""
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


async def _rate_limiter(settings: Settings, storage: Storage, now: float) -> RateLimiter:
    """The rate limiter: Telegram counts what an earlier process sent up to its end as well."""
    last_beat = await storage.heartbeat.last()
    silent_since = 0.0 if last_beat is None else min(now, last_beat + HEARTBEAT_SECONDS)
    return RateLimiter(Limits() if settings.telegram_limits else UNLIMITED, silent_since)


def _alert_owner(
    stack: AsyncExitStack, owner_id: int, services: Services, formatter: logging.Formatter
) -> None:
    alerts = Alerts(owner_id, services.outbox, services.now)
    alerts.setFormatter(formatter)
    logging.getLogger().addHandler(alerts)
    stack.callback(logging.getLogger().removeHandler, alerts)
    _start(stack, alerts.run(), "alerts")


async def _keep_time(application: TelegramApplication, clock: DeadlineClock) -> None:
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
    """Run something beside everything else, and cancel it when the stack unwinds.

    A failure is logged at once: the stack raises it only in the end.
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
