"""Stores the bot's data in SQLite: tables, shown messages, photos, pins, replies, people, chats, topics,
saved rules, invites, finished matches and ratings, the heartbeat, the bot's profile as last set.

It knows SQL and rows, but no cards and no Telegram: a table's state is a document that it stores unread.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from bot.storage import invites, rule_sets
from bot.storage.chats import ChatStore
from bot.storage.database import Database
from bot.storage.heartbeat import HeartbeatStore
from bot.storage.invites import InviteStore
from bot.storage.match_records import RecordStore
from bot.storage.people import PeopleStore
from bot.storage.photos import PhotoStore
from bot.storage.pins import PinStore
from bot.storage.presented import PresentedStore
from bot.storage.replies import ReplyStore
from bot.storage.rule_sets import RuleSetStore
from bot.storage.shown import ShownStore
from bot.storage.statistics import StatisticsStore
from bot.storage.subscriptions import SubscriptionStore
from bot.storage.tables import TableStore
from bot.storage.topics import TopicStore


class Storage:
    """The repositories over one open database; `entropy` returns random bytes."""

    def __init__(self, database: Database, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.tables = TableStore(database)
        self.shown = ShownStore(database)
        self.photos = PhotoStore(database)
        self.pins = PinStore(database)
        self.replies = ReplyStore(database)
        self.people = PeopleStore(database)
        self.chats = ChatStore(database)
        self.topics = TopicStore(database)
        self.rule_sets = RuleSetStore(database, lambda: rule_sets.new_token(entropy))
        self.subscriptions = SubscriptionStore(database)
        self.invites = InviteStore(database, lambda: invites.new_token(entropy))
        self.records = RecordStore(database)
        self.statistics = StatisticsStore(database)
        self.heartbeat = HeartbeatStore(database)
        self.presented = PresentedStore(database)
