"""The table service: the only code that changes a table.

Every change goes the same way, under that table's lock: load, transition, one transaction (the new state with
compare-and-swap on its revision, and the moves in the log), release, tell the listeners. It never calls
Telegram, so a press, a command and a deadline all end in the same place, and whatever anybody is told has
been committed. Looking at tables is in `looking`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from bot.tables.turns import ComputerTurn
from engine import Draw, Pass, Play, Stamp, TurnMove
from engine.codec import dump_move
from engine.players import Level
from engine.shuffle import SEED_BYTES

log = logging.getLogger(__name__)

TableTransition = Callable[[Table, TransitionContext], Change]


@dataclass(frozen=True, slots=True)
class Opened:
    """The table of a chat, and whether this call has opened it."""

    table_id: str
    is_new: bool


class Tables:
    """All tables, to be changed.

    Every method that changes one raises `Refusal` where that may not be, with nothing changed.
    """

    def __init__(
        self,
        storage: Storage,
        queries: TableQueries,
        timings: Timings,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._storage = storage
        self.queries = queries
        self._cache = queries.cache
        self._timings = timings
        self._entropy = entropy
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[str], None]] = []
        self._under_way: set[asyncio.Task[None]] = set()

    def on_change(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with a table's id after each commit."""
        self._listeners.append(listener)

    # -------------------------------------------------------------------------------------------- changing

    async def open(self, chat_id: int, thread_id: int, host: Player, settings: TableSettings) -> Opened:
        """The running table of this chat (or topic); a new lobby if there is none."""
        running = await self._storage.tables.running_at(chat_id, thread_id)
        if running is not None:
            return Opened(running, is_new=False)
        lobby = transitions.open_lobby(self._new_id(), chat_id, thread_id, host, settings, await self._ctx())
        return await self._create(lobby)

    async def sit(self, table_id: str, player: Player) -> None:
        """Take a place: at once in the lobby, from the next deal on in a running match."""
        await self._change(table_id, lambda table, ctx: transitions.sit(table, ctx, player))

    async def stand(self, table_id: str, user_id: int) -> None:
        """Give up a place in the lobby or in the waiting list."""
        await self._change(table_id, lambda table, ctx: transitions.stand(table, ctx, user_id))

    async def apply_settings(self, table_id: str, settings: TableSettings) -> None:
        """Let a table take over what its group has chosen, as far as a running match may."""
        await self._change(table_id, lambda table, ctx: transitions.apply_settings(table, ctx, settings))

    async def start(self, table_id: str, user_id: int, *, is_admin: bool) -> None:
        """Begin the match."""
        await self._change(
            table_id, lambda table, ctx: transitions.start(table, ctx, user_id, is_admin=is_admin)
        )

    async def lay(self, table_id: str, user_id: int, stamp: Stamp, card: int, suit: int | None) -> None:
        """Lay a card, at the moment the button was made for."""
        await self._change(
            table_id, lambda table, ctx: transitions.lay(table, ctx, user_id, stamp, card, suit)
        )

    async def take(self, table_id: str, user_id: int, stamp: Stamp) -> None:
        """Draw, or take what an attack owes."""
        await self._change(table_id, lambda table, ctx: transitions.take(table, ctx, user_id, stamp))

    async def pass_turn(self, table_id: str, user_id: int, stamp: Stamp) -> None:
        """End the turn without laying a card."""
        await self._change(table_id, lambda table, ctx: transitions.pass_turn(table, ctx, user_id, stamp))

    async def deal_next(self, table_id: str, user_id: int, round_number: int) -> None:
        """Deal the round after this one without waiting for the clock."""
        await self._change(
            table_id, lambda table, ctx: transitions.deal_next(table, ctx, user_id, round_number)
        )

    async def cut(self, table_id: str, user_id: int, round_number: int, at: int) -> None:
        """Cut the deck at this card and deal the round after this one."""
        await self._change(
            table_id, lambda table, ctx: transitions.cut(table, ctx, user_id, round_number, at)
        )

    async def leave(self, table_id: str, user_id: int) -> None:
        """Leave the match, the lobby or the waiting list."""
        await self._change(table_id, lambda table, ctx: transitions.leave(table, ctx, user_id))

    async def stop(self, table_id: str, user_id: int, *, is_admin: bool) -> None:
        """End the table for everybody."""
        await self._change(
            table_id, lambda table, ctx: transitions.stop(table, ctx, user_id, is_admin=is_admin)
        )

    async def kick(self, table_id: str, user_id: int, target: int, *, is_admin: bool) -> None:
        """Ask somebody to leave, as host or admin."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.kick(table, ctx, user_id, target, is_admin=is_admin),
        )

    async def let_back(self, table_id: str, user_id: int, target: int, *, is_admin: bool) -> None:
        """Let somebody who was asked to leave sit down again, as host or admin."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.let_back(table, ctx, user_id, target, is_admin=is_admin),
        )

    async def call_vote(
        self, table_id: str, user_id: int, target: int | None, *, returns: bool = False
    ) -> None:
        """Have the others vote on asking somebody to leave or to return, or with None on the table's end."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.call_vote(table, ctx, user_id, target, returns=returns),
        )

    async def cast_vote(self, table_id: str, user_id: int, number: int, *, aye: bool) -> None:
        """Vote in the table's vote with this number."""
        await self._change(
            table_id, lambda table, ctx: transitions.cast_vote(table, ctx, user_id, number, aye=aye)
        )

    async def rematch(
        self, table_id: str, user_id: int, settings: TableSettings, names: Sequence[str]
    ) -> Opened:
        """Open a new lobby with the people of a finished match, the one who asks being its host.

        `settings` are the group's of now. Who has played alone plays on at once, against as many computers
        of the same levels, with `names`.
        """
        old = await self.queries.load(table_id)
        transitions.rematch(old, await self._ctx(), user_id)
        if old.is_alone:
            person = replace(old.players[0], misses=0)
            levels = [player.level for player in old.players if player.level is not None]
            opened = await self.open_alone(person, levels, names, old.settings)
            await self._change(table_id, lambda table, ctx: transitions.rematch(table, ctx, user_id))
            return opened
        running = await self._storage.tables.running_at(old.chat_id, old.thread_id)
        if running is not None:
            return Opened(running, is_new=False)
        people = await self._storage.people.get_many(
            player.user_id for player in (*old.players, *old.waiting) if not player.is_computer
        )
        now_called = {person.user_id: person.name for person in people.values()}
        lobby = transitions.open_rematch(
            self._new_id(), old, user_id, settings, await self._ctx(), now_called
        )
        opened = await self._create(lobby)
        await self._change(table_id, lambda table, ctx: transitions.rematch(table, ctx, user_id))
        return opened

    async def rename(self, user_id: int, name: str) -> None:
        """Call this person so at all running tables."""
        for table_id in await self._storage.tables.running_of(user_id):
            await self._change(table_id, lambda table, ctx: transitions.rename(table, ctx, user_id, name))

    async def mark_present(self, table_id: str, user_id: int) -> None:
        """Take it that this person is there: he has pressed or written something."""
        await self._change(table_id, lambda table, ctx: transitions.mark_present(table, ctx, user_id))

    async def nudge(self, table_id: str) -> None:
        """Call the player to move once more, where no clock does."""
        await self._change(table_id, transitions.nudge)

    async def set_premove(
        self, table_id: str, user_id: int, round_number: int, card: int, suit: int | None
    ) -> None:
        """Have a card laid when this person's turn comes."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.set_premove(table, ctx, user_id, round_number, card, suit),
        )

    async def cancel_premove(self, table_id: str, user_id: int) -> None:
        """Have nothing laid when this person's turn comes."""
        await self._change(table_id, lambda table, ctx: transitions.cancel_premove(table, ctx, user_id))

    async def check_talk(self, table_id: str, user_id: int) -> None:
        """Raises Refusal unless this person may say something to the table now."""
        transitions.require_talk(await self.queries.load(table_id), await self._ctx(), user_id)

    async def say(self, table_id: str, user_id: int, text: str) -> None:
        """Say something to the table."""
        await self._change(table_id, lambda table, ctx: transitions.say(table, ctx, user_id, text))

    async def invite(
        self, table_id: str, user_id: int, level: Level, names: Sequence[str], *, is_admin: bool
    ) -> None:
        """Let a computer player sit down, under one of these names."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.invite(table, ctx, user_id, level, names, is_admin=is_admin),
        )

    async def send_off(self, table_id: str, user_id: int, target: int, *, is_admin: bool) -> None:
        """Send a computer player off."""
        await self._change(
            table_id,
            lambda table, ctx: transitions.send_off(table, ctx, user_id, target, is_admin=is_admin),
        )

    async def open_alone(
        self, person: Player, opponents: Sequence[Level], names: Sequence[str], settings: TableSettings
    ) -> Opened:
        """The running table of this person's private chat; a new match against computers if there is none."""
        running = await self._storage.tables.running_at(person.user_id, 0)
        if running is not None:
            return Opened(running, is_new=False)
        seed = self._entropy(SEED_BYTES)
        change = transitions.open_alone(
            self._new_id(), person, opponents, names, settings, seed, await self._ctx()
        )
        return await self._create(change.table, _logged(change, change.table.created_at))

    async def move_for_computer(self, turn: ComputerTurn, move: TurnMove) -> None:
        """Make the move that a computer player has chosen, as if it had pressed a button."""
        match move:
            case Play(card=card, suit=suit):
                await self.lay(turn.table_id, turn.user_id, turn.stamp, card, suit)
            case Draw():
                await self.take(turn.table_id, turn.user_id, turn.stamp)
            case Pass():
                await self.pass_turn(turn.table_id, turn.user_id, turn.stamp)

    async def depart(self, chat_id: int, user_id: int) -> None:
        """Let this person, who is out of the group, leave its tables."""
        for table_id in await self._storage.tables.running_in(chat_id):
            await self._change(table_id, lambda table, ctx: transitions.depart(table, ctx, user_id))

    async def bot_removed(self, chat_id: int) -> None:
        """The bot is no longer in this group."""
        for table_id in await self._storage.tables.running_in(chat_id):
            await self._change(table_id, transitions.bot_removed)

    async def bot_returned(self, chat_id: int) -> None:
        """The bot is in this group again."""
        for table_id in await self._storage.tables.running_in(chat_id):
            await self._change(table_id, transitions.bot_returned)

    async def expire(self, table_id: str) -> None:
        """Do what the table's deadline says, or count its vote, if it is time."""

        def transition(table: Table, ctx: TransitionContext) -> Change:
            vote = table.vote
            if vote is not None and vote.closes_at is not None and vote.closes_at <= ctx.now:
                return transitions.close_vote(table, ctx)
            if table.deadline is None or table.deadline.at > ctx.now:
                return Change(table)
            return transitions.expire(table, ctx, table.deadline)

        await self._change(table_id, transition)

    async def move_chat(self, old_chat_id: int, new_chat_id: int) -> None:
        """The group has become a supergroup: its tables stand in the chat with the new id now."""
        await self._storage.chats.move(old_chat_id, new_chat_id)
        for table_id in await self._storage.tables.running_in(old_chat_id):
            await self._move_running(table_id, new_chat_id)
        await self._storage.tables.move_over(old_chat_id, new_chat_id)
        for table_id in [table.id for table in self._cache if table.chat_id == old_chat_id]:
            self._cache.forget(table_id)

    async def move_to_general(self, table_id: str, user_id: int) -> None:
        """Let a table of a forum go on in its «General» topic. Raises Refusal: place_taken."""
        chat_id = await self.queries.chat_of(table_id)
        if await self._storage.tables.running_at(chat_id, 0) not in (None, table_id):
            raise Refusal(Refused.PLACE_TAKEN)
        try:
            await self._change(table_id, lambda table, ctx: transitions.move_to_general(table, ctx, user_id))
        except TableExists as error:  # one has been opened there in this very moment
            raise Refusal(Refused.PLACE_TAKEN) from error

    async def postpone(self, table_id: str, seconds: float) -> None:
        """Move the table's deadlines on by time in which nobody could have moved."""
        await self._change(table_id, lambda table, ctx: transitions.postpone(table, ctx, seconds))

    # ---------------------------------------------------------------------------------------------- inside

    async def _move_running(self, table_id: str, chat_id: int) -> None:
        """Let a table go on in another chat; of two that would then run there, one makes room."""
        table = await self.queries.load(table_id)
        rival = await self._storage.tables.running_at(chat_id, table.thread_id)
        if rival == table_id:
            return  # moved already: Telegram tells of an upgrade more than once
        if rival is not None and (await self.queries.load(rival)).match is not None:
            await self._change(table_id, transitions.make_room)
            return
        if rival is not None:
            await self._change(rival, transitions.make_room)
        await self._change(table_id, lambda table, ctx: transitions.move(table, ctx, chat_id))

    async def _change(self, table_id: str, transition: TableTransition) -> None:
        """Carry out a transition and tell the listeners.

        A caller who is cancelled does not stop it: else the lock would be free while the commit is still
        under way. What goes wrong then is logged, since nobody else would hear of it.
        """
        work = asyncio.create_task(self._change_locked(table_id, transition))
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(_report_abandoned)
            raise

    async def _change_locked(self, table_id: str, transition: TableTransition) -> None:
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            before = await self.queries.load(table_id)
            ctx = await self._ctx()
            change = transition(before, ctx)
            if change.table == before:
                return
            after = replace(change.table, revision=before.revision + 1)
            is_ended = after.phase is TablePhase.OVER and before.phase is not TablePhase.OVER
            await self._storage.tables.commit(
                dump_table(after, ctx.now),
                before.revision,
                _logged(change, ctx.now),
                match_record(after) if is_ended else None,
            )
            self._cache.keep(after)
        self._tell(table_id)

    async def _create(self, table: Table, moves: Sequence[MoveToLog] = ()) -> Opened:
        try:
            await self._storage.tables.create(dump_table(table, table.created_at), moves)
        except TableExists:
            running = await self._storage.tables.running_at(table.chat_id, table.thread_id)
            if running is None:
                raise
            return Opened(running, is_new=False)
        self._cache.keep(table)
        self._tell(table.id)
        return Opened(table.id, is_new=True)

    def _tell(self, table_id: str) -> None:
        for listener in self._listeners:
            listener(table_id)

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
