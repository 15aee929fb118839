"""The composition root: builds and connects the parts of the bot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from telegram.ext import Application, ContextTypes

from bot.clock import DeadlineClock, UpdateMonitor, steady
from bot.computers.computer_players import ComputerPlayers
from bot.config import Settings
from bot.handlers.delivery_listener import DeliveryListener
from bot.handlers.endings import Endings
from bot.handlers.features import add_handlers
from bot.handlers.lookups import Lookups
from bot.handlers.repost_trigger import RepostTrigger
from bot.handlers.services import Services
from bot.locales import load_catalogues
from bot.machine import THIS_MACHINE, Machine
from bot.messages.gateway import MessageGateway
from bot.messages.outbox import Outbox
from bot.messages.photos import Photos
from bot.messages.rate_limit import RateLimiter
from bot.messages.reconciler import Reconciler
from bot.messages.scheduler import Scheduler
from bot.settings import TableSettings
from bot.storage import Storage
from bot.tables.context import Timings
from bot.tables.group_settings import GroupSettingsService
from bot.tables.queries import TableQueries
from bot.tables.service import Tables

TelegramApplication: TypeAlias = Application[Any, ContextTypes.DEFAULT_TYPE, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that `bot.app` starts, runs and stops."""

    services: Services
    gateway: MessageGateway
    scheduler: Scheduler
    clock: DeadlineClock
    computer_players: ComputerPlayers
    endings: Endings


def compose(
    configured: Settings,
    storage: Storage,
    application: TelegramApplication,
    rate_limiter: RateLimiter,
    liveness: UpdateMonitor | None = None,
    machine: Machine = THIS_MACHINE,
) -> Parts:
    """Build all parts and add the handlers to the application."""
    bot, catalogues, now = application.bot, load_catalogues(), steady(machine.wall, machine.monotonic)

    # Tables
    timings = timings_of(configured)
    queries = TableQueries(storage, machine.wall)
    tables = Tables(storage, queries, timings, machine.entropy)
    defaults = TableSettings(configured.rules, configured.turn_limit, configured.cut)
    group_settings = GroupSettingsService(storage, tables, defaults, machine.wall)

    # Messages
    gateway = MessageGateway(bot, Photos(storage.photos, now))
    scheduler = Scheduler(rate_limiter, now)
    outbox = Outbox(gateway, scheduler, now)
    messages = Reconciler(storage, queries, gateway, scheduler, catalogues, bot.username, now)

    services = Services(
        bot=bot,
        storage=storage,
        tables=tables,
        queries=queries,
        group_settings=group_settings,
        messages=messages,
        outbox=outbox,
        catalogues=catalogues,
        bot_username=bot.username,
        now=now,
        lookups=Lookups(bot, now),
        repost_trigger=RepostTrigger(configured.bring_down_seconds),
    )

    # Listeners to the tables' changes and to the outcomes of calls
    tables.on_change(messages.invalidate)
    endings = Endings(services)
    clock = DeadlineClock(storage, tables, machine.wall, liveness=liveness)
    computer_players = ComputerPlayers(tables, machine.thinker(), timings, machine.entropy)
    messages.on_outcome(DeliveryListener(services).handle)

    add_handlers(application, services)
    return Parts(services, gateway, scheduler, clock, computer_players, endings)


def timings_of(configured: Settings) -> Timings:
    """The timings of tables, from the settings."""
    return Timings(
        forced=configured.forced_seconds,
        computer=configured.computer_seconds,
        autopilot=configured.autopilot_seconds,
        reminded_from=configured.reminder_from_seconds,
        nudge=configured.hurry_seconds,
        vote=configured.vote_seconds,
        next_deal=configured.next_deal_seconds,
        cut=configured.cut_seconds,
        host=configured.host_seconds,
        lobby=configured.lobby_seconds,
    )
