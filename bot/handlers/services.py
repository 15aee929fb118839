"""The services that handlers use, composed in `bot.composition`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from telegram import Bot

from bot.handlers.apologies import Apologies
from bot.handlers.background import Background
from bot.handlers.lookups import Lookups
from bot.handlers.member_cache import MemberCache
from bot.handlers.pending_texts import PendingTexts
from bot.handlers.repost_trigger import RepostTrigger
from bot.locales import Translator
from bot.messages.outbox import Outbox
from bot.messages.reconciler import Reconciler
from bot.storage import Storage
from bot.tables.group_settings import GroupSettingsService
from bot.tables.queries import TableQueries
from bot.tables.service import Tables


@dataclass(frozen=True, slots=True)
class Services:
    """The services. `messages` keeps tables' messages up to date; `outbox` sends all others.

    `now` returns unix seconds. `members` caches people's status in groups. `reply_locks`, by chat and
    message, are held while a reply ends or is turned into another kind (`replies`).
    """

    bot: Bot
    storage: Storage
    tables: Tables
    queries: TableQueries
    group_settings: GroupSettingsService
    messages: Reconciler
    outbox: Outbox
    catalogues: Mapping[str, Translator]
    bot_username: str
    now: Callable[[], float]
    lookups: Lookups
    repost_trigger: RepostTrigger
    background: Background = field(default_factory=Background)
    pending_texts: PendingTexts = field(default_factory=PendingTexts)
    members: MemberCache = field(default_factory=MemberCache)
    apologies: Apologies = field(default_factory=Apologies)
    reply_locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )
