"""Stores groups' settings, and applies them to their tables.

A group's changes are made one after another. Permissions and display are not handled here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from weakref import WeakValueDictionary

from bot.locales.names import tidy_name
from bot.settings import GroupSettings, TableSettings
from bot.storage import Storage
from bot.storage.rule_sets import StoredRuleSet
from bot.tables import transitions
from bot.tables.choices import GroupSettingsView, RuleSet
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refusal, Refused
from bot.tables.service import Tables
from engine import BadRules, Rules

MOST_RULE_SETS = 12
"""How many sets of rules a group can save: as many as a menu can show at once."""
NAME_GRAPHEMES = 24

SettingsChange = Callable[[GroupSettings], GroupSettings]


class GroupSettingsService:
    """The settings of all groups. `default`: for tables of groups that have chosen nothing."""

    def __init__(
        self, storage: Storage, tables: Tables, default: TableSettings, now: Callable[[], float] = time.time
    ) -> None:
        self._chats = storage.chats
        self._rule_sets = storage.rule_sets
        self._tables = tables
        self._queries = tables.queries
        self._default = GroupSettings(default)
        self._now = now
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def chosen(self, chat_id: int) -> GroupSettings:
        """Return a group's settings."""
        chat = await self._chats.get(chat_id)
        if chat is None or chat.settings is None:
            return self._default
        return GroupSettings.from_document(json.loads(chat.settings))

    async def look(self, chat_id: int) -> GroupSettingsView:
        """Return a group's settings and their context."""
        table_ids = await self._queries.running_in(chat_id)
        views = [await self._queries.view(table_id, None) for table_id in table_ids]
        lobbies = [view for view in views if view.phase is TablePhase.LOBBY]
        return GroupSettingsView(
            chosen=await self.chosen(chat_id),
            rule_sets=tuple(map(_loaded, await self._rule_sets.of_chat(chat_id))),
            seated=max((len(view.players) for view in lobbies), default=0),
            is_playing=len(lobbies) < len(views),
        )

    async def choose(self, chat_id: int, change: SettingsChange) -> GroupSettingsView:
        """Change a group's settings and apply them to its tables; a running match keeps what it began with.

        Returns the new settings.

        Raises Refusal: too_many_seated, bad_rules, and UnknownChat; then nothing has changed.
        """
        async with self._lock(chat_id):
            before = await self.look(chat_id)
            try:
                chosen = change(before.chosen)
            except BadRules as bad:
                raise Refusal(bad.reason) from bad
            if chosen.table.rules != before.rules and not before.seats_all(chosen.table.rules):
                raise Refusal(Refused.TOO_MANY_SEATED)
            await self._chats.set_settings(chat_id, json.dumps(chosen.to_document(), ensure_ascii=False))
            for table_id in await self._queries.running_in(chat_id):
                await self._apply(table_id, chosen.table)
            return replace(before, chosen=chosen)

    async def save_rules(self, chat_id: int, name: str) -> RuleSet:
        """Save the group's rules under a name, replacing any saved under the same one.

        Raises Refusal: no_name, too_many_rule_sets.
        """
        tidy = tidy_name(name, NAME_GRAPHEMES)
        if not tidy:
            raise Refusal(Refused.NO_NAME)
        async with self._lock(chat_id):
            others = [saved for saved in await self._rule_sets.of_chat(chat_id) if saved.name != tidy]
            if len(others) >= MOST_RULE_SETS:
                raise Refusal(Refused.TOO_MANY_RULE_SETS)
            rules = (await self.chosen(chat_id)).table.rules
            document = json.dumps(rules.to_document())
            return _loaded(await self._rule_sets.save(chat_id, tidy, document, self._now()))

    async def rule_set(self, token: str) -> RuleSet:
        """Return the rules for a token, whichever group has saved them. Raises Refusal: rules_gone."""
        stored = await self._rule_sets.find(token)
        if stored is None:
            raise Refusal(Refused.RULES_GONE)
        return _loaded(stored)

    async def delete_rule_set(self, chat_id: int, token: str) -> None:
        """Delete rules that this group has saved. Raises Refusal: rules_gone."""
        if not await self._rule_sets.delete(chat_id, token):
            raise Refusal(Refused.RULES_GONE)

    async def _apply(self, table_id: str, settings: TableSettings) -> None:
        """Apply a group's settings to a table, unless it is over by now.

        If more people have sat down since the rules were checked than these have seats for, the lobby keeps
        its old rules.
        """
        try:
            await self._tables.change(table_id, transitions.apply_settings, settings)
        except Refusal as refused:
            if refused.reason not in (Refused.TABLE_OVER, Refused.TOO_MANY_SEATED):
                raise

    def _lock(self, chat_id: int) -> asyncio.Lock:
        return self._locks.setdefault(chat_id, asyncio.Lock())


def _loaded(stored: StoredRuleSet) -> RuleSet:
    return RuleSet(stored.token, stored.name, Rules.from_document(json.loads(stored.rules)))
