"""The table service: the only code that changes a table.

Every change takes the same steps, under that table's lock: load, apply a transition, commit in one
transaction (the new state with compare-and-swap on its revision, and the moves in the log), release, notify
the listeners. The service never calls Telegram, so presses, commands and deadlines share one path, and
everything that is shown has been committed. Queries that change nothing are in `queries`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Concatenate, ParamSpec
from weakref import WeakValueDictionary

from bot.settings import TableSettings
from bot.storage import Storage
from bot.storage.tables import MoveToLog, TableExists
from bot.tables import transitions
from bot.tables.codec import dump_table
from bot.tables.context import Timings, TransitionContext
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.record import match_record
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions import Change
from engine.codec import dump_move
from engine.players import Level
from engine.shuffle import SEED_BYTES

log = logging.getLogger(__name__)

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Opened:
    """The table of a chat, and whether this call has opened it."""

    table_id: str
    is_new: bool


class Tables:
    """Changes tables. The time is that of `queries`; `entropy` returns random bytes.

    Every method that changes a table raises `Refusal` where the change is not allowed.
    """

    def __init__(
        self,
        storage: Storage,
        queries: TableQueries,
        timings: Timings,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.queries = queries
        self._storage = storage
        self._cache = queries.cache
        self._timings = timings
        self._entropy = entropy
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[str], None]] = []
        self._under_way: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------------ changing

    async def change(
        self,
        table_id: str,
        transition: Callable[Concatenate[Table, TransitionContext, P], Change],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Apply a transition to a table, commit the result and notify the listeners.

        Cancelling the caller does not stop it; otherwise the lock would be released while the commit is still
        running. An error is logged then, since no caller would see it.
        """
        work = asyncio.create_task(
            self._change_locked(table_id, lambda table, ctx: transition(table, ctx, *args, **kwargs))
        )
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(_report_abandoned)
            raise

    async def act(
        self,
        table_id: str,
        user_id: int,
        transition: Callable[Concatenate[Table, TransitionContext, int, P], Change],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Apply a transition that a person asks for, and mark that person present in the same change.

        A refused transition still leaves the person marked present.
        """
        refusal: Refusal | None = None

        def as_present(table: Table, ctx: TransitionContext) -> Change:
            nonlocal refusal
            present = transitions.mark_present(table, ctx, user_id)
            try:
                return transition(present.table, ctx, user_id, *args, **kwargs)
            except Refusal as refused:
                refusal = refused
                return present

        await self.change(table_id, as_present)
        if refusal is not None:
            raise refusal

    async def change_in(
        self,
        chat_id: int,
        transition: Callable[Concatenate[Table, TransitionContext, P], Change],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Apply a transition to every running table of a chat, in any topic."""
        for table_id in await self._storage.tables.running_in(chat_id):
            await self.change(table_id, transition, *args, **kwargs)

    async def mark_present(self, table_id: str, user_id: int) -> None:
        """Mark a person present; takes the lock only if that changes anything."""
        table = await self.queries.load(table_id)
        ctx = TransitionContext(self.queries.now(), b"", self._timings)
        if transitions.mark_present(table, ctx, user_id).table != table:
            await self.change(table_id, transitions.mark_present, user_id)

    async def check(
        self,
        table_id: str,
        transition: Callable[Concatenate[Table, TransitionContext, P], Change],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """Raise the Refusal that this transition would raise now; change nothing."""
        transition(await self.queries.load(table_id), await self._ctx(), *args, **kwargs)

    # ------------------------------------------------------------------------------------------- opening

    async def open(self, chat_id: int, thread_id: int, host: Player, settings: TableSettings) -> Opened:
        """Return the running table of this chat (or topic); open a lobby if there is none."""
        running = await self._storage.tables.running_at(chat_id, thread_id)
        if running is not None:
            return Opened(running, is_new=False)
        lobby = transitions.open_lobby(self._new_id(), chat_id, thread_id, host, settings, await self._ctx())
        return await self._create(Change(lobby))

    async def open_solo(
        self, person: Player, opponents: Sequence[Level], names: Sequence[str], settings: TableSettings
    ) -> Opened:
        """Return the running table of this person's private chat; start a match against computers if there is
        none.
        """
        running = await self._storage.tables.running_at(person.user_id, 0)
        if running is not None:
            return Opened(running, is_new=False)
        seed = self._entropy(SEED_BYTES)
        return await self._create(
            transitions.open_solo(self._new_id(), person, opponents, names, settings, seed, await self._ctx())
        )

    async def rematch(
        self, table_id: str, user_id: int, settings: TableSettings, names: Sequence[str]
    ) -> Opened:
        """Open a new lobby with the people of a finished match, hosted by this person.

        `settings` are the group's current ones. After a solo match another one begins at once, against as
        many computers of the same levels, under `names`.
        """
        await self.check(table_id, transitions.rematch, user_id)
        old = await self.queries.load(table_id)
        if old.is_solo:
            person = replace(old.players[0], misses=0)
            levels = [player.level for player in old.players if player.level is not None]
            opened = await self.open_solo(person, levels, names, old.settings)
            await self.change(table_id, transitions.rematch, user_id)
            return opened
        running = await self._storage.tables.running_at(old.chat_id, old.thread_id)
        if running is not None:
            return Opened(running, is_new=False)
        people = await self._storage.people.get_many(
            player.user_id for player in (*old.players, *old.waiting) if not player.is_computer
        )
        current_names = {person.user_id: person.name for person in people.values()}
        lobby = transitions.open_rematch(
            self._new_id(), old, user_id, settings, await self._ctx(), current_names
        )
        opened = await self._create(Change(lobby))
        await self.change(table_id, transitions.rematch, user_id)
        return opened

    # --------------------------------------------------------------------------- a group's new chat id

    async def move_chat(self, old_chat_id: int, new_chat_id: int) -> None:
        """Move a group's tables to its new chat id: the group has become a supergroup."""
        await self._storage.chats.move(old_chat_id, new_chat_id)
        for table_id in await self._storage.tables.running_in(old_chat_id):
            await self._move_running(table_id, new_chat_id)
        await self._storage.tables.move_over(old_chat_id, new_chat_id)
        for table_id in [table.id for table in self._cache if table.chat_id == old_chat_id]:
            self._cache.forget(table_id)

    async def _move_running(self, table_id: str, chat_id: int) -> None:
        """Move a running table to another chat; if one is already running there, end one of the two."""
        table = await self.queries.load(table_id)
        rival = await self._storage.tables.running_at(chat_id, table.thread_id)
        if rival == table_id:
            return  # already moved: Telegram announces an upgrade more than once
        if rival is not None and (await self.queries.load(rival)).match is not None:
            await self.change(table_id, transitions.make_room)
            return
        if rival is not None:
            await self.change(rival, transitions.make_room)
        await self.change(table_id, transitions.move, chat_id)

    # ----------------------------------------------------------------------------------------- listeners

    def on_change(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with a table's id after each commit."""
        self._listeners.append(listener)

    def _tell(self, table_id: str) -> None:
        for listener in self._listeners:
            listener(table_id)

    # -------------------------------------------------------------------------------------------- inside

    async def _change_locked(
        self, table_id: str, transition: Callable[[Table, TransitionContext], Change]
    ) -> None:
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            before = await self.queries.load(table_id)
            ctx = await self._ctx()
            change = transition(before, ctx)
            if change.table == before:
                return
            after = replace(change.table, revision=before.revision + 1)
            is_ended = after.phase is TablePhase.OVER and before.phase is not TablePhase.OVER
            try:
                await self._storage.tables.commit(
                    dump_table(after, ctx.now),
                    before.revision,
                    _logged(change, ctx.now),
                    match_record(after) if is_ended else None,
                )
            except TableExists as error:  # the table has moved to a chat where another one is running
                raise Refusal(Refused.PLACE_TAKEN) from error
            self._cache.keep(after)
        self._tell(table_id)

    async def _create(self, change: Change) -> Opened:
        table = change.table
        try:
            await self._storage.tables.create(
                dump_table(table, table.created_at), _logged(change, table.created_at)
            )
        except TableExists:
            running = await self._storage.tables.running_at(table.chat_id, table.thread_id)
            if running is None:
                raise
            return Opened(running, is_new=False)
        self._cache.keep(table)
        self._tell(table.id)
        return Opened(table.id, is_new=True)

    async def _ctx(self) -> TransitionContext:
        by_hand = await self._storage.people.who_moves_by_hand()
        return TransitionContext(self.queries.now(), self._entropy(SEED_BYTES), self._timings, by_hand)

    def _new_id(self) -> str:
        return self._entropy(5).hex()


def _report_abandoned(work: asyncio.Task[None]) -> None:
    error = None if work.cancelled() else work.exception()
    if error is not None and not isinstance(error, Refusal):
        log.error("a change failed whose caller had been cancelled", exc_info=error)


def _logged(change: Change, now: float) -> list[MoveToLog]:
    return [
        MoveToLog(at=now, actor=made.actor, move=json.dumps(dump_move(made.move))) for made in change.moves
    ]
