"""The reconciler: makes the messages in Telegram equal to the committed state, with the fewest calls.

For each table there are desired messages, a function of its state (`desired`), and shown ones, which are
stored as an id and a digest (`Shown`). What differs becomes a step: a new message, an edit, a deletion
(`reconcile`). Steps are never queued: when the rate limiter has room the scheduler takes the most urgent one,
and it is carried out from the newest state (`executor`). What calls have led to is reported to listeners.
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
from bot.messages.executor import StepExecutor
from bot.messages.gateway import MessageGateway
from bot.messages.outcomes import CallOutcome, OutcomeListener
from bot.messages.reconcile import ACTIVE_SECONDS, Action, Mode, Step
from bot.messages.recovery import WRITE_FORBIDDEN_SECONDS
from bot.messages.rendering import Renderer, board_of, message_url
from bot.messages.renewals import Renewals
from bot.messages.scheduler import Scheduler
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNCERTAIN_SECONDS, TableMessages, is_superseded, superseded_key
from bot.storage import Storage
from bot.storage.shown import Shown
from bot.tables.queries import TableQueries
from bot.tables.refusals import Refusal
from engine import Stamp

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.02
"""How long a change waits to be rendered, so that changes that come together make one call."""
ANSWER_SECONDS = 1.0
"""How long a change waits at most for a press to be answered."""
RENDERED_AT_ONCE = 8
"""Tables that are rendered before calls are started again."""


class Reconciler:
    """Keeps the messages of all tables right. `now` gives unix seconds."""

    def __init__(
        self,
        storage: Storage,
        queries: TableQueries,
        gateway: MessageGateway,
        scheduler: Scheduler,
        catalogues: Mapping[str, Translator],
        bot_username: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._now = now
        self._ids_to_reconcile = storage.tables.ids_to_reconcile
        self._mark_reconciled = storage.tables.mark_reconciled
        self._queries = queries
        self._scheduler = scheduler
        self._shown_cache = ShownCache(storage.shown)
        self._renderer = Renderer(storage, queries, catalogues, bot_username)
        self._executor = StepExecutor(
            gateway,
            self._shown_cache,
            scheduler.rate_limiter,
            invalidate=self.invalidate,
            report=self._report,
            now=now,
        )
        self._listeners: list[OutcomeListener] = []
        self._table_messages: dict[str, TableMessages] = {}
        """By table, where its messages are not, or not known to be, as they should be."""
        self._answering: dict[str, int] = {}
        """How many presses are being answered now, by table."""
        self._answered: dict[str, asyncio.Event] = {}
        """Set once all of these are answered, by table."""
        self._rendered = asyncio.Event()
        self._active_at: dict[int, float] = {}
        self._renewals = Renewals(scheduler.rate_limiter.limits.renewals)
        scheduler.add(self)

    def on_outcome(self, listener: OutcomeListener) -> None:
        """Await `listener` with whatever a table's calls have led to."""
        self._listeners.append(listener)

    async def _report(self, outcome: CallOutcome) -> None:
        for listener in self._listeners:
            await listener(outcome)

    # ---------------------------------------------------------------------------------------- notices

    def invalidate(self, table_id: str) -> None:
        """Something about this table has changed: render it anew, and do what is missing then."""
        table_messages = self._table_messages.setdefault(table_id, TableMessages(table_id))
        now = self._now()
        if table_messages.stale_since is None or table_messages.stale_since > now:
            table_messages.stale_since = now
        self._scheduler.wake()

    @contextmanager
    def answering(self, table_id: str) -> Iterator[None]:
        """Show nothing new of this table while a press at it is being answered: the answer goes first."""
        self._answering[table_id] = self._answering.get(table_id, 0) + 1
        self._answered.setdefault(table_id, asyncio.Event())
        try:
            yield
        finally:
            self._answering[table_id] -= 1
            if self._answering[table_id] == 0:
                del self._answering[table_id]
                self._answered.pop(table_id).set()
                self._scheduler.wake()

    async def answered(self, table_id: str) -> None:
        """Wait until no press at this table is being answered, `ANSWER_SECONDS` at most."""
        event = self._answered.get(table_id)
        if event is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await event.wait()

    async def catch_up(self) -> None:
        """After a start: render every table whose messages may be out of date, a few at a time."""
        for table_id in await self._ids_to_reconcile():
            self.invalidate(table_id)
            while self._count_stale() >= RENDERED_AT_ONCE:
                self._rendered.clear()
                await self._rendered.wait()

    def note_activity(self, user_id: int) -> None:
        """This person has just pressed a button in private, and so is looking at that chat."""
        now = self._now()
        self._active_at[user_id] = now
        if len(self._active_at) > 4096:
            self._active_at = {user: at for user, at in self._active_at.items() if at > now - ACTIVE_SECONDS}

    def access_restored(self, chat_id: int) -> None:
        """The bot may (again) write here: calls that have failed are tried again at once."""
        self._executor.note_access_restored(chat_id)
        for table_messages in self._table_messages.values():
            table_messages.resume(chat_id)
        self._scheduler.wake()

    def choose_suit(self, table_id: str, user_id: int, when: Stamp | int, card: int | None) -> None:
        """Show the choice of a suit for this card; None: leave it. See `Renderer.choose_suit`."""
        self._renderer.choose_suit(table_id, user_id, when, card)
        self.invalidate(table_id)

    async def repost(self, table_id: str) -> None:
        """Send the group's message anew, at the bottom of the chat, and delete the old one.

        Later, if it has been done too often.
        """
        if self._renewals.may_now(table_id, self._now()):
            await self._repost(table_id)
        else:
            self._scheduler.wake()

    async def renew_hand(self, table_id: str, user_id: int) -> None:
        """Send a person's hand anew and delete the old one."""
        await self._renew(table_id, hand_key(user_id))

    async def delete_orphan(self, table_id: str, chat_id: int, message_id: int) -> None:
        """Delete a message of this table that is not on record, since the answer to its sending was lost."""
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
        """Return whether this message is on record for the table, and not superseded."""
        table_messages = await self._loaded_messages(table_id)
        place = chat_id, message_id
        messages = (table_messages.shown or {}).values()
        return any((it.chat_id, it.message_id) == place and not is_superseded(it) for it in messages)

    async def show_again(self, table_id: str, chat_id: int, message_id: int) -> None:
        """Edit a message of the table again if it was edited a while ago: its reader sees something older."""
        table_messages = await self._loaded_messages(table_id)
        now = self._now()
        for key, it in (table_messages.shown or {}).items():
            if (it.chat_id, it.message_id) == (
                chat_id,
                message_id,
            ) and it.shown_at <= now - UNCERTAIN_SECONDS:
                table_messages.repeat_edit(key, now)

    async def table_url(self, table_id: str) -> str | None:
        """The link to the group's message; None where messages have none, or it has not been sent."""
        table_messages = await self._loaded_messages(table_id)
        board = (table_messages.shown or {}).get(board_of(await self._queries.view(table_id, None)))
        return None if board is None else message_url(board)

    # ------------------------------------------------------------------------------ a source of the scheduler

    async def prepare(self) -> float | None:
        """Repost what is due and render what has changed; when to do so again (unix seconds)."""
        await self._repost_due()
        moments = (self._renewals.next_at, await self._render_stale())
        return min((at for at in moments if at is not None), default=None)

    def pending(self, now: float) -> list[Step]:
        """The steps that would make the messages right. Tables whose messages are right are let go."""
        steps: list[Step] = []
        for table_messages in list(self._table_messages.values()):
            steps += table_messages.steps(now, self._active_at)
            if table_messages.is_up_to_date:
                self._let_go(table_messages)
        return steps

    def start(self, step: Step, now: float) -> None:
        """Carry out a step: its turn has come."""
        table_messages = self._table_messages[step.table_id]
        action = table_messages.begin(step, now, self._active_at)
        self._scheduler.spawn(self._carry_out(step, action, table_messages))

    def stop(self) -> None:
        """Nothing is queued: what is missing is found again after the next start."""

    # -------------------------------------------------------------------------------------------- rendering

    async def _render_stale(self) -> float | None:
        """Render tables that have changed, the longest ago first; when to do so again."""
        now = self._now()
        stale = sorted(self._stale(), key=self._render_at)
        for table_messages in stale[:RENDERED_AT_ONCE]:
            if self._render_at(table_messages) <= now:
                await self._render(table_messages)
        self._rendered.set()
        return min(map(self._render_at, self._stale()), default=None)

    def _stale(self) -> list[TableMessages]:
        """The tables to be rendered, now or, if they could not be, later."""
        return [it for it in self._table_messages.values() if it.stale_since is not None]

    def _render_at(self, table_messages: TableMessages) -> float:
        patience = ANSWER_SECONDS if table_messages.table_id in self._answering else GATHER_SECONDS
        return (table_messages.stale_since or 0.0) + patience

    def _count_stale(self) -> int:
        """The tables that wait to be rendered, without those that failed and are left for a while."""
        now = self._now()
        return sum(
            table_messages.stale_since is not None and table_messages.stale_since <= now
            for table_messages in self._table_messages.values()
        )

    async def _render(self, table_messages: TableMessages) -> None:
        table_messages.stale_since = None
        try:
            await self._load(table_messages)
            await self._renderer.render(table_messages)
        except Refusal:
            log.warning("a table that is not there was marked", extra={"table": table_messages.table_id})
            self._table_messages.pop(table_messages.table_id, None)
        except Exception:
            # One table that cannot be shown must not keep the others from being shown.
            log.exception("a table cannot be shown", extra={"table": table_messages.table_id})
            table_messages.stale_since = self._now() + WRITE_FORBIDDEN_SECONDS

    async def _load(self, table_messages: TableMessages) -> None:
        """Load a table's shown messages, unless they are known."""
        if table_messages.shown is None:
            await self._shown_cache.load(table_messages)
            table_messages.mark_unknown_uncertain(self._now())

    def _let_go(self, table_messages: TableMessages) -> None:
        """Forget a table all of whose messages are right, and store that they are."""
        del self._table_messages[table_messages.table_id]
        self._scheduler.spawn(self._mark_reconciled(table_messages.table_id, table_messages.revision))

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
            self._scheduler.finished(step)

    # ----------------------------------------------------------------------------------------- reposting

    async def _repost(self, table_id: str) -> None:
        await self._renew(table_id, board_of(await self._queries.view(table_id, None)))

    async def _repost_due(self) -> None:
        for table_id in self._renewals.take_due(self._now()):
            try:
                await self._repost(table_id)
            except Refusal:
                log.info("a table that was to be reposted is gone", extra={"table": table_id})
            except Exception:
                log.exception("a table was not reposted", extra={"table": table_id})

    async def _renew(self, table_id: str, key: str) -> None:
        table_messages = await self._loaded_messages(table_id)
        if key in (table_messages.shown or {}):
            await self._shown_cache.supersede(table_messages, key)
        self.invalidate(table_id)

    async def _loaded_messages(self, table_id: str) -> TableMessages:
        """A table's messages, with those shown. They may be let go again at the caller's next `await`."""
        while True:
            self.invalidate(table_id)
            table_messages = self._table_messages[table_id]
            await self._load(table_messages)
            if self._table_messages.get(table_id) is table_messages:
                return table_messages
