"""Makes the messages in Telegram equal to the committed state, with the fewest calls.

For each table the presenter knows which messages there should be (`desired`) and which there are (stored as
`Shown`: an id and a digest). What differs becomes a step: a new message, an edit, a deletion
(`table_messages`). Steps are never queued: when the budgets have room, the step that is most needed at that
moment (`schedule`) is made from engine import Stamp from the newest state (`executor`). Messages that belong
to no table, such as answers to commands (`queued`), have their turn among the steps.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from bot.locales import Translator
from bot.messages.desired import hand_key
from bot.messages.executor import WRITE_FORBIDDEN_SECONDS, StepExecutor
from bot.messages.gateway import MessageGateway
from bot.messages.outbox import Outbox, QueuedCall
from bot.messages.rate_limit import RateLimiter
from bot.messages.reconcile import ACTIVE_SECONDS, Action, Mode, Step
from bot.messages.rendering import Renderer, board_of, message_url
from bot.messages.renewals import Renewals
from bot.messages.schedule import PendingCall, choose
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages, is_superseded, superseded_key
from bot.storage import Storage
from bot.storage.shown import Shown
from bot.tables.refusals import Refusal
from bot.tables.service import Tables
from engine import Stamp

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.02
"""After a change: so that changes that come together make one call."""
ANSWER_SECONDS = 1.0
"""How long a table waits for a press to be answered."""
RENDERED_AT_ONCE = 8
"""Tables that are rendered before it is looked again at which calls can go out."""

LAST_CALLS_SECONDS = 5.0
"""How long the end waits for calls that are under way."""


class Reconciler(Outbox):
    """One task (`run`) that makes the calls for all tables. `now` gives unix seconds."""

    def __init__(
        self,
        storage: Storage,
        tables: Tables,
        gateway: MessageGateway,
        rate_limiter: RateLimiter,
        catalogues: Mapping[str, Translator],
        bot_username: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(gateway, rate_limiter, now)
        self._ids_to_reconcile = storage.tables.ids_to_reconcile
        self._mark_reconciled = storage.tables.mark_reconciled
        self._queries = tables.queries
        self._shown_cache = ShownCache(storage.shown)
        self._renderer = Renderer(storage, tables.queries, catalogues, bot_username)
        self._executor = StepExecutor(
            gateway,
            self._shown_cache,
            storage.people,
            storage.chats,
            tables,
            rate_limiter,
            invalidate=self.invalidate,
            shown_in_group=self._report_shown,
            write_forbidden=self._report_write_forbidden,
            now=now,
        )
        self._shown_listeners: list[Callable[[Shown, bool], None]] = []
        self._write_forbidden_listeners: list[Callable[[str, bool], None]] = []
        self._tables_shown: dict[str, TableMessages] = {}
        self._unsure: set[str] = set()
        """Tables that have not been looked at since the start."""
        self._answering: dict[str, int] = {}
        self._rendered = asyncio.Event()
        self._active_at: dict[int, float] = {}
        self._renewals = Renewals(rate_limiter.limits.renewals)
        tables.on_change(self.invalidate)

    def on_shown(self, listener: Callable[[Shown, bool], None]) -> None:
        """Call `listener` with each message of a table that a group has been shown; True: it is a new one."""
        self._shown_listeners.append(listener)

    def on_write_forbidden(self, listener: Callable[[str, bool], None]) -> None:
        """Call `listener` with the id of a table that cannot be shown, and whether its topic is gone.

        Otherwise its group does not let the bot write.
        """
        self._write_forbidden_listeners.append(listener)

    # ------------------------------------------------------------------------------------ what others tell

    def invalidate(self, table_id: str) -> None:
        """Something about this table has changed."""
        table_messages = self._tables_shown.setdefault(table_id, TableMessages(table_id))
        now = self._now()
        if table_messages.stale_since is None or table_messages.stale_since > now:
            table_messages.stale_since = now
        self._wake.set()

    def _report_shown(self, shown: Shown, is_new: bool) -> None:
        for listener in self._shown_listeners:
            listener(shown, is_new)

    def _report_write_forbidden(self, table_id: str, is_topic_gone: bool) -> None:
        for listener in self._write_forbidden_listeners:
            listener(table_id, is_topic_gone)

    @contextmanager
    def answering(self, table_id: str) -> Iterator[None]:
        """While a press at this table is answered nothing new is shown of it: the answer goes first."""
        self._answering[table_id] = self._answering.get(table_id, 0) + 1
        try:
            yield
        finally:
            self._answering[table_id] -= 1
            if self._answering[table_id] == 0:
                del self._answering[table_id]
                self._wake.set()

    async def catch_up(self) -> None:
        """After a start: look at every table whose messages may be out of date, a few at a time."""
        table_ids = await self._ids_to_reconcile()
        self._unsure.update(table_ids)
        for table_id in table_ids:
            self.invalidate(table_id)
            while self._count_stale() >= RENDERED_AT_ONCE:
                self._rendered.clear()
                await self._rendered.wait()

    def note_activity(self, user_id: int) -> None:
        """This person has just pressed something in his private chat."""
        now = self._now()
        self._active_at[user_id] = now
        if len(self._active_at) > 4096:
            self._active_at = {user: at for user, at in self._active_at.items() if at > now - ACTIVE_SECONDS}

    def access_restored(self, chat_id: int) -> None:
        """Telegram says that the bot may (again) write here: what has failed is tried at once."""
        self._executor.note_access_restored(chat_id)
        for table_messages in self._tables_shown.values():
            table_messages.resume(chat_id)
        self._wake.set()

    def choose_suit(self, table_id: str, user_id: int, when: Stamp | int, card: int | None) -> None:
        """Show (card) or leave (None) the choice of a suit: for now, or for one's next turn in a round."""
        self._renderer.choose_suit(table_id, user_id, when, card)
        self.invalidate(table_id)

    async def repost(self, table_id: str) -> None:
        """Send the group's last message anew, at the bottom of the chat; the old one goes.

        Later, where that has been done too often.
        """
        if self._renewals.may_now(table_id, self._now()):
            await self._bring_down(table_id)
        else:
            self._wake.set()

    async def renew_hand(self, table_id: str, user_id: int) -> None:
        """Send a person's hand anew; the old one goes."""
        await self._renew(table_id, hand_key(user_id))

    async def delete_orphan(self, table_id: str, chat_id: int, message_id: int) -> None:
        """Delete a message of this table that is not on record: the answer to its sending was lost."""
        table_messages = await self._loaded_messages(table_id)
        messages = (table_messages.shown or {}).values()
        if any((shown.chat_id, shown.message_id) == (chat_id, message_id) for shown in messages):
            return
        if table_messages.is_sending_to(chat_id):
            return
        orphan = Shown(table_id, "orphan", chat_id, message_id, "", Mode.PLAIN, self._now())
        await self._shown_cache.put(table_messages, replace(orphan, key=superseded_key(orphan)))
        self.invalidate(table_id)

    async def is_living(self, table_id: str, chat_id: int, message_id: int) -> bool:
        """Is this a message that the table is played with now, and not one that another has replaced?"""
        table_messages = await self._loaded_messages(table_id)
        place = chat_id, message_id
        messages = (table_messages.shown or {}).values()
        return any((it.chat_id, it.message_id) == place and not is_superseded(it) for it in messages)

    async def table_url(self, table_id: str) -> str | None:
        """The address of the group's message, where there are such addresses."""
        table_messages = await self._loaded_messages(table_id)
        board = (table_messages.shown or {}).get(board_of(await self._queries.view(table_id, None)))
        return None if board is None else message_url(board)

    # ---------------------------------------------------------------------------------------------- the loop

    async def run(self) -> None:
        """Make calls until cancelled; those under way are then waited for."""
        try:
            while True:
                self._wake.clear()
                await self._bring_down_due()
                render_at = await self._render_stale()
                call_at = self._start_calls()
                moments = [
                    moment for moment in (self._renewals.next_at, render_at, call_at) if moment is not None
                ]
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, min(moments) - self._now()) if moments else None):
                        await self._wake.wait()
        finally:
            self._give_up_edits()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=LAST_CALLS_SECONDS)
            await self._gateway.close()

    async def _render_stale(self) -> float | None:
        """Find out what is wanted of tables that have changed, the longest ago first; when to do so again."""
        now = self._now()
        stale = [
            (self._render_at(table_messages), table_messages)
            for table_messages in self._tables_shown.values()
            if table_messages.stale_since
        ]
        stale.sort(key=lambda item: item[0])
        due = [table_messages for at, table_messages in stale[:RENDERED_AT_ONCE] if at <= now]
        for table_messages in due:
            await self._render(table_messages)
        self._rendered.set()
        later = stale[len(due) :]
        return later[0][0] if later else None

    def _render_at(self, table_messages: TableMessages) -> float:
        patience = ANSWER_SECONDS if table_messages.table_id in self._answering else GATHER_SECONDS
        return (table_messages.stale_since or 0.0) + patience

    def _count_stale(self) -> int:
        """The tables that wait to be rendered, but for those that could not be and are left for a while."""
        now = self._now()
        return sum(
            table_messages.stale_since is not None and table_messages.stale_since <= now
            for table_messages in self._tables_shown.values()
        )

    async def _render(self, table_messages: TableMessages) -> None:
        table_messages.stale_since = None
        try:
            await self._shown_cache.load(table_messages)
            await self._renderer.render(table_messages)
            if table_messages.table_id in self._unsure:
                self._unsure.remove(table_messages.table_id)
                table_messages.mark_differing_uncertain(self._now())
        except Refusal:
            log.warning("a table that is not there was marked", extra={"table": table_messages.table_id})
            self._tables_shown.pop(table_messages.table_id, None)
        except Exception:
            # One table that cannot be shown must not keep the others from being shown.
            log.exception("a table cannot be shown", extra={"table": table_messages.table_id})
            table_messages.stale_since = self._now() + WRITE_FORBIDDEN_SECONDS

    def _start_calls(self) -> float | None:
        """Start every call that has its turn. Returns when to look again; None: when something happens."""
        now = self._now()
        pending: list[PendingCall] = [*self._waiting()]
        for table_messages in list(self._tables_shown.values()):
            pending += table_messages.steps(now, self._active_at)
            if table_messages.is_up_to_date:
                self._leave(table_messages)
        choice = choose(pending, self._rate_limiter, self._busy_chats, now)
        for call in choice.start:
            match call:
                case Step():
                    self._start(call, now)
                case QueuedCall():
                    self._begin(call)
        return choice.again_at

    def _leave(self, table_messages: TableMessages) -> None:
        """All of this table's messages are as they should be."""
        del self._tables_shown[table_messages.table_id]
        self._go_on(self._mark_reconciled(table_messages.table_id, table_messages.revision))

    def _start(self, step: Step, now: float) -> None:
        table_messages = self._tables_shown[step.table_id]
        action = table_messages.begin(step, now, self._active_at)
        self._go_on(self._carry_out(step, action, table_messages))

    async def _carry_out(self, step: Step, action: Action, table_messages: TableMessages) -> None:
        try:
            await self._executor.carry_out(step, action, table_messages)
        except Exception:
            where = {
                "table": table_messages.table_id,
                "chat": step.chat_id,
                "key": step.key,
                "action": action.name,
            }
            log.exception("a call broke", extra=where)
            table_messages.pause(step.key, self._now(), WRITE_FORBIDDEN_SECONDS)
        finally:
            table_messages.end(step.key)
            if step.takes_chat:
                self._busy_chats.discard(step.chat_id)
            self._wake.set()

    # ----------------------------------------------------------------------------------------- what is shown

    async def _bring_down(self, table_id: str) -> None:
        await self._renew(table_id, board_of(await self._queries.view(table_id, None)))

    async def _bring_down_due(self) -> None:
        for table_id in self._renewals.take_due(self._now()):
            try:
                await self._bring_down(table_id)
            except Refusal:
                log.info("a table that was to be brought down is gone", extra={"table": table_id})
            except Exception:
                log.exception("a table was not brought down", extra={"table": table_id})

    async def _renew(self, table_id: str, key: str) -> None:
        table_messages = await self._loaded_messages(table_id)
        if key in (table_messages.shown or {}):
            await self._shown_cache.supersede(table_messages, key)
        self.invalidate(table_id)

    async def _loaded_messages(self, table_id: str) -> TableMessages:
        """The table's desk, with what is shown. It may be left again at the caller's next `await`."""
        while True:
            self.invalidate(table_id)
            table_messages = self._tables_shown[table_id]
            await self._shown_cache.load(table_messages)
            if self._tables_shown.get(table_id) is table_messages:
                return table_messages
