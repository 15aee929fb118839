"""Makes the messages in Telegram equal to the committed state, with the fewest calls.

For each table the presenter knows which messages there should be (`wanted`) and which there are (stored as
`Shown`: an id and a digest). What differs becomes a step: a new message, an edit, a deletion (`desk`). Steps
are never queued: when the budgets have room, the step that is most needed at that moment (`schedule`) is made
from engine import Stamp
from the newest state (`delivery`). Messages that belong to no table, such as answers to commands (`errands`),
have their turn among the steps.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from bot.locales import Words
from bot.presenter.budget import Budget
from bot.presenter.courier import Courier
from bot.presenter.delivery import BARRED_SECONDS, Delivery
from bot.presenter.desk import Desk, is_retired, retired_key
from bot.presenter.errands import Errand, Errands
from bot.presenter.ledger import Ledger
from bot.presenter.rendering import Renderer, board_of, message_url
from bot.presenter.schedule import Need, choose
from bot.presenter.steps import LOOKING_SECONDS, Action, Mode, Step
from bot.presenter.wanted import hand_key
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


class Presenter(Errands):
    """One task (`run`) that makes the calls for all tables. `now` gives unix seconds."""

    def __init__(
        self,
        storage: Storage,
        tables: Tables,
        courier: Courier,
        budget: Budget,
        catalogues: Mapping[str, Words],
        bot_username: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(courier, budget, now)
        self._unsettled_ids = storage.tables.unsettled_ids
        self._settle = storage.tables.settle
        self._tables = tables
        self._ledger = Ledger(storage.shown)
        self._renderer = Renderer(storage, tables, catalogues, bot_username)
        self._delivery = Delivery(
            courier,
            self._ledger,
            storage.people,
            storage.chats,
            tables,
            budget,
            mark=self.mark,
            told=self._tell,
            barred=self._tell_barred,
            now=now,
        )
        self._told: list[Callable[[Shown, bool], None]] = []
        self._barred: list[Callable[[str], None]] = []
        self._desks: dict[str, Desk] = {}
        self._unsure: set[str] = set()
        """Tables that have not been looked at since the start."""
        self._answering: dict[str, int] = {}
        self._rendered = asyncio.Event()
        self._looked_at: dict[int, float] = {}
        tables.on_change(self.mark)

    def on_told(self, listener: Callable[[Shown, bool], None]) -> None:
        """Call `listener` with each message of a table that a group has been shown; True: it is a new one."""
        self._told.append(listener)

    def on_barred(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the id of a table whose group does not let the bot write."""
        self._barred.append(listener)

    # ------------------------------------------------------------------------------------ what others tell

    def mark(self, table_id: str) -> None:
        """Something about this table has changed."""
        desk = self._desks.setdefault(table_id, Desk(table_id))
        now = self._now()
        if desk.stale_since is None or desk.stale_since > now:
            desk.stale_since = now
        self._wake.set()

    def _tell(self, shown: Shown, is_new: bool) -> None:
        for listener in self._told:
            listener(shown, is_new)

    def _tell_barred(self, table_id: str) -> None:
        for listener in self._barred:
            listener(table_id)

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
        table_ids = await self._unsettled_ids()
        self._unsure.update(table_ids)
        for table_id in table_ids:
            self.mark(table_id)
            while self._count_stale() >= RENDERED_AT_ONCE:
                self._rendered.clear()
                await self._rendered.wait()

    def looked(self, user_id: int) -> None:
        """This person has just pressed something in his private chat."""
        now = self._now()
        self._looked_at[user_id] = now
        if len(self._looked_at) > 4096:
            self._looked_at = {user: at for user, at in self._looked_at.items() if at > now - LOOKING_SECONDS}

    def reachable_again(self, chat_id: int) -> None:
        """Telegram says that the bot may (again) write here: what has failed is tried at once."""
        self._delivery.welcome(chat_id)
        for desk in self._desks.values():
            desk.resume(chat_id)
        self._wake.set()

    def choose_suit(self, table_id: str, user_id: int, when: Stamp | int, card: int | None) -> None:
        """Show (card) or leave (None) the choice of a suit: for now, or for one's next turn in a round."""
        self._renderer.choose_suit(table_id, user_id, when, card)
        self.mark(table_id)

    async def bring_down(self, table_id: str) -> None:
        """Send the group's last message anew, at the bottom of the chat; the old one goes."""
        await self._renew(table_id, board_of(await self._tables.view(table_id, None)))

    async def renew_hand(self, table_id: str, user_id: int) -> None:
        """Send a person's hand anew; the old one goes."""
        await self._renew(table_id, hand_key(user_id))

    async def retire_orphan(self, table_id: str, chat_id: int, message_id: int) -> None:
        """Delete a message of this table that is not on record: the answer to its sending was lost."""
        desk = await self._loaded_desk(table_id)
        messages = (desk.shown or {}).values()
        if any((shown.chat_id, shown.message_id) == (chat_id, message_id) for shown in messages):
            return
        if desk.is_sending_to(chat_id):
            return
        orphan = Shown(table_id, "orphan", chat_id, message_id, "", Mode.PLAIN, self._now())
        await self._ledger.put(desk, replace(orphan, key=retired_key(orphan)))
        self.mark(table_id)

    async def is_living(self, table_id: str, chat_id: int, message_id: int) -> bool:
        """Is this a message that the table is played with now, and not one that another has replaced?"""
        desk = await self._loaded_desk(table_id)
        place = chat_id, message_id
        messages = (desk.shown or {}).values()
        return any((it.chat_id, it.message_id) == place and not is_retired(it) for it in messages)

    async def table_url(self, table_id: str) -> str | None:
        """The address of the group's message, where there are such addresses."""
        desk = await self._loaded_desk(table_id)
        board = (desk.shown or {}).get(board_of(await self._tables.view(table_id, None)))
        return None if board is None else message_url(board)

    # ---------------------------------------------------------------------------------------------- the loop

    async def run(self) -> None:
        """Make calls until cancelled; those under way are then waited for."""
        try:
            while True:
                self._wake.clear()
                render_at = await self._render_stale()
                call_at = self._start_calls()
                moments = [moment for moment in (render_at, call_at) if moment is not None]
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.0, min(moments) - self._now()) if moments else None):
                        await self._wake.wait()
        finally:
            self._give_up_edits()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=LAST_CALLS_SECONDS)
            await self._courier.close()

    async def _render_stale(self) -> float | None:
        """Find out what is wanted of tables that have changed, the longest ago first; when to do so again."""
        now = self._now()
        stale = [(self._render_at(desk), desk) for desk in self._desks.values() if desk.stale_since]
        stale.sort(key=lambda item: item[0])
        due = [desk for at, desk in stale[:RENDERED_AT_ONCE] if at <= now]
        for desk in due:
            await self._render(desk)
        self._rendered.set()
        later = stale[len(due) :]
        return later[0][0] if later else None

    def _render_at(self, desk: Desk) -> float:
        patience = ANSWER_SECONDS if desk.table_id in self._answering else GATHER_SECONDS
        return (desk.stale_since or 0.0) + patience

    def _count_stale(self) -> int:
        """The tables that wait to be rendered, but for those that could not be and are left for a while."""
        now = self._now()
        return sum(desk.stale_since is not None and desk.stale_since <= now for desk in self._desks.values())

    async def _render(self, desk: Desk) -> None:
        desk.stale_since = None
        try:
            await self._ledger.load(desk)
            await self._renderer.render(desk)
            if desk.table_id in self._unsure:
                self._unsure.remove(desk.table_id)
                desk.doubt_all_that_differ(self._now())
        except Refusal:
            log.warning("a table that is not there was marked", extra={"table": desk.table_id})
            self._desks.pop(desk.table_id, None)
        except Exception:
            # One table that cannot be shown must not keep the others from being shown.
            log.exception("a table cannot be shown", extra={"table": desk.table_id})
            desk.stale_since = self._now() + BARRED_SECONDS

    def _start_calls(self) -> float | None:
        """Start every call that has its turn. Returns when to look again; None: when something happens."""
        now = self._now()
        needs: list[Need] = [*self._errands]
        for desk in list(self._desks.values()):
            needs += desk.steps(now, self._looked_at)
            if desk.is_settled:
                self._leave(desk)
        choice = choose(needs, self._budget, self._busy_chats, now)
        for need in choice.start:
            match need:
                case Step():
                    self._start(need, now)
                case Errand():
                    self._begin(need)
        return choice.again_at

    def _leave(self, desk: Desk) -> None:
        """All of this table's messages are as they should be."""
        del self._desks[desk.table_id]
        self._go_on(self._settle(desk.table_id, desk.revision))

    def _start(self, step: Step, now: float) -> None:
        desk = self._desks[step.table_id]
        action = desk.begin(step, now, self._looked_at)
        self._go_on(self._carry_out(step, action, desk))

    async def _carry_out(self, step: Step, action: Action, desk: Desk) -> None:
        try:
            await self._delivery.carry_out(step, action, desk)
        except Exception:
            where = {"table": desk.table_id, "chat": step.chat_id, "key": step.key, "action": action.name}
            log.exception("a call broke", extra=where)
            desk.pause(step.key, self._now(), BARRED_SECONDS)
        finally:
            desk.end(step.key)
            if step.takes_chat:
                self._busy_chats.discard(step.chat_id)
            self._wake.set()

    # ----------------------------------------------------------------------------------------- what is shown

    async def _renew(self, table_id: str, key: str) -> None:
        desk = await self._loaded_desk(table_id)
        if key in (desk.shown or {}):
            await self._ledger.retire(desk, key)
        self.mark(table_id)

    async def _loaded_desk(self, table_id: str) -> Desk:
        """The table's desk, with what is shown. It may be left again at the caller's next `await`."""
        while True:
            self.mark(table_id)
            desk = self._desks[table_id]
            await self._ledger.load(desk)
            if self._desks.get(table_id) is desk:
                return desk
