"""Starts, runs and stops the bot. `bot.composition` builds its parts.

Start: open the database, call getMe, postpone deadlines by the downtime, receive updates, and bring the
messages of all tables up to date; the clock starts once the pending updates are handled. Stop: receive no
more updates, finish the handlers and calls under way, close the database.
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

# At every step of every call, httpcore imports sniffio to see whether it runs under trio. Nothing installs
# sniffio any more, so each time the whole path is searched. An entry of None makes the import fail at once
# (https://docs.python.org/3/reference/import.html#the-module-cache).
sys.modules.setdefault("sniffio", cast("ModuleType", None))

CALLS_AT_ONCE = 64
"""The most connections for calls; further calls wait for one of them for a few seconds at most."""
KEPT_OPEN = 10
"""The most idle connections. httpcore checks each of them at the beginning and the end of every call: after a
burst, with the library's default of 256, that took half of the bot's CPU time.
"""
YOUNG_OBJECTS = 10_000
"""The number of new objects that triggers a garbage collection; Python's default is 700."""
SETTLING_SECONDS = 1.0
"""The time for pending updates to arrive before the clock starts."""
LONGEST_SETTLING_SECONDS = 10.0
"""The time limit for handling them; on a busy bot the queue may never be empty."""


async def run(settings: Settings, formatter: logging.Formatter, machine: Machine = THIS_MACHINE) -> None:
    """Run the bot until SIGTERM or SIGINT; `formatter` formats the errors that are sent to the owner.

    Raises CannotStart if the configuration cannot be used, StorageError if the database cannot, UpdatesLost
    if no updates arrive any more, and any exception of the scheduler, the clock or the computer players.
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
        await until_answered(application.bot.initialize)  # calls getMe
        await stack.enter_async_context(application)
        rate_limiter = await _rate_limiter(settings, storage, machine.wall())
        liveness = liveness_of(settings, machine)
        parts = compose(settings, storage, application, rate_limiter, liveness, machine)
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
        vital.append(_start(stack, _run_clock(application, parts.clock), "clock"))
        vital.append(_start(stack, parts.computer_players.run(), "computer players"))
        _start(stack, services.messages.catch_up(), "catching up")
        _start(stack, parts.endings.catch_up(), "ending messages")
        _start(stack, _present(services), "profile")
        stop = asyncio.Event()
        _on_signal(stop.set)
        stopping = _start(stack, stop.wait(), "stop signal")
        # The bot is useless without any of these tasks, so it ends with their exception.
        await asyncio.wait({stopping, *vital}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")


async def _open_database(settings: Settings) -> Database:
    """Open the database. Raises CannotStart for a lasting problem, StorageError for a passing one."""
    try:
        return await Database.open(settings.database_path)
    except (CannotOpenDatabase, CorruptDatabase, ForeignDatabase, NewerSchema) as error:
        raise CannotStart(f"DATABASE_PATH: {error}") from error


def _tune_garbage_collection() -> None:
    """Exempt long-lived objects from garbage collection: modules, catalogues, the library's classes.

    There are about a hundred thousand of them, and each full collection would pause the bot.
    """
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def _on_signal(callback: Callable[[], object]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, callback)


def build_application(settings: Settings, calls: Transport) -> TelegramApplication:
    """Build the library's application with the bot's transport and update processor."""
    return (
        ApplicationBuilder()
        .token(settings.bot_token.get_secret_value())
        .base_url(settings.bot_api_url)
        .request(calls)
        .get_updates_request(calls)  # not used: `bot.updates` replaces the library's updater
        .updater(None)
        .concurrent_updates(PerPersonUpdateProcessor())
        .build()
    )


async def _rate_limiter(settings: Settings, storage: Storage, now: float) -> RateLimiter:
    """The rate limiter, which accounts for calls of an earlier process: Telegram still counts them."""
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


async def _run_clock(application: TelegramApplication, clock: DeadlineClock) -> None:
    """Run the clock once the pending updates are handled, or after `LONGEST_SETTLING_SECONDS`."""
    await asyncio.sleep(SETTLING_SECONDS)
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST_SETTLING_SECONDS):
            await application.update_queue.join()
    await clock.run()


async def _present(services: Services) -> None:
    """Set the bot's profile. After a failure, the bot runs without it, and the next start tries again."""
    try:
        await profile.present(services.bot, services.catalogues, services.storage.presented)
    except TelegramError as error:
        log.warning("menus and descriptions were not set: %s", error)


def _start(stack: AsyncExitStack, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
    """Start a task that is cancelled when the stack unwinds.

    An exception is logged at once, since the stack raises it only at the end.
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
