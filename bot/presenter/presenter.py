"""Makes the messages in Telegram equal to the committed state, with the fewest calls.

For each table the presenter knows which messages there should be (`wanted`) and which there are (stored as
`Shown`: an id and a digest). What differs becomes a step: a new message, an edit, a deletion. Steps are never
queued: when a chat's budget has room, the step that is most needed at that moment is made from the newest
state.

A turn's start is a new message, so that the phone notifies; but for somebody who has just pressed a button
here, and so is looking at this chat, it is an edit, and the new message comes only if he has not moved after
a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from bot.callbacks import Stamp
from bot.locales import Words, pick_language
from bot.presenter.budget import Budget
from bot.presenter.courier import (
    CallFailed,
    Courier,
    Flooded,
    MessageGone,
    Moved,
    NotAllowed,
    Rejected,
    Unanswered,
    Undeletable,
    Unreachable,
)
from bot.presenter.desk import LOOKING_SECONDS, Action, Desk, Mode, Step, retired_key
from bot.presenter.wanted import Priority, Reader, Wanted, board_key, hand_key, wanted_messages
from bot.screens.screen import Context, Screen
from bot.storage import Storage
from bot.storage.shown import Shown
from bot.tables.refusals import Refusal
from bot.tables.service import Tables
from bot.tables.view import TableView

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.02
"""After a change: so that a press is answered first, and changes that come together make one call."""
RETRY_SECONDS = 2.0
"""After a call that was not answered."""
BARRED_SECONDS = 60.0
"""After a call that the chat does not allow, or that was wrong."""


class Presenter:
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
        self._storage = storage
        self._tables = tables
        self._courier = courier
        self._budget = budget
        self._catalogues = catalogues
        self._bot_username = bot_username
        self._now = now
        self._desks: dict[str, Desk] = {}
        self._busy_chats: set[int] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._looked_at: dict[int, float] = {}
        self._choosing: dict[tuple[str, int], tuple[Stamp, int]] = {}
        tables.on_change(self.mark)

    # ------------------------------------------------------------------------------------ what others tell

    def mark(self, table_id: str) -> None:
        """Something about this table has changed."""
        desk = self._desks.setdefault(table_id, Desk(table_id))
        now = self._now()
        if desk.stale_since is None or desk.stale_since > now:
            desk.stale_since = now
        self._wake.set()

    async def mark_all(self) -> None:
        """After a start: the messages of every table that is not settled may be out of date."""
        for table_id in await self._storage.tables.unsettled_ids():
            self.mark(table_id)

    def looked(self, user_id: int) -> None:
        """This person has just pressed something in his private chat."""
        now = self._now()
        self._looked_at[user_id] = now
        if len(self._looked_at) > 4096:
            self._looked_at = {user: at for user, at in self._looked_at.items() if at > now - LOOKING_SECONDS}

    def choose_suit(self, table_id: str, user_id: int, stamp: Stamp, card: int | None) -> None:
        """Show (card) or leave (None) the choice of a suit; it ends by itself when the moment has passed."""
        if card is None:
            self._choosing.pop((table_id, user_id), None)
        else:
            self._choosing[table_id, user_id] = (stamp, card)
        self.mark(table_id)

    async def bring_down(self, table_id: str) -> None:
        """Send the group's last message anew, at the bottom of the chat; the old one goes."""
        await self._renew(table_id, _board_of(await self._tables.view(table_id, None)))

    async def renew_hand(self, table_id: str, user_id: int) -> None:
        """Send a person's hand anew; the old one goes."""
        await self._renew(table_id, hand_key(user_id))

    async def retire_orphan(self, table_id: str, chat_id: int, message_id: int) -> None:
        """Delete a message of this table that is not on record:

        its sending was not answered, or it is older.
        """
        desk = await self._loaded_desk(table_id)
        if any(shown.chat_id == chat_id and shown.message_id == message_id for shown in desk.shown.values()):
            return
        if any(
            wanted.chat_id == chat_id for key, wanted in (desk.wanted or {}).items() if key in desk.under_way
        ):
            return
        orphan = Shown(table_id, "orphan", chat_id, message_id, "", Mode.PLAIN, self._now())
        await self._put(desk, replace(orphan, key=retired_key(orphan)))
        self.mark(table_id)

    async def table_url(self, table_id: str) -> str | None:
        """The address of the group's message, where there are such addresses."""
        desk = await self._loaded_desk(table_id)
        view = await self._tables.view(table_id, None)
        board = desk.shown.get(_board_of(view))
        return None if board is None else _message_url(board)

    # ----------------------------------------------------------------------- messages that belong to no table

    async def say(self, chat_id: int, thread_id: int, screen: Screen, *, silent: bool = True) -> int:
        """Send a screen as soon as the budgets allow, and return its id. Raises CallFailed."""
        await self._wait_for_room(chat_id)
        return await self._courier.send(chat_id, thread_id, screen, silent=silent)

    async def say_file(self, chat_id: int, name: str, content: bytes, caption: str) -> None:
        """Send a file as soon as the budgets allow. Raises CallFailed."""
        await self._wait_for_room(chat_id)
        await self._courier.send_file(chat_id, name, content, caption)

    async def change(self, chat_id: int, message_id: int, screen: Screen) -> None:
        """Edit such a message. Raises CallFailed."""
        await self._wait_for_room(chat_id)
        await self._courier.edit(chat_id, message_id, screen)

    async def remove(self, chat_id: int, message_id: int) -> None:
        """Delete such a message; one too old for that loses its buttons. Raises CallFailed."""
        await self._wait_for_room(chat_id)
        try:
            await self._courier.delete(chat_id, message_id)
        except Undeletable:
            await self._wait_for_room(chat_id)
            await self._courier.strip(chat_id, message_id)

    async def _wait_for_room(self, chat_id: int) -> None:
        while True:
            now = self._now()
            ready_at = max(self._budget.chat_ready_at(chat_id), self._budget.overall_ready_at())
            if ready_at <= now:
                self._budget.spend(chat_id, now)
                return
            await asyncio.sleep(ready_at - now)

    # ---------------------------------------------------------------------------------------------- the loop

    async def run(self) -> None:
        """Make calls until cancelled; those under way are then waited for."""
        try:
            while True:
                self._wake.clear()
                await self._render_stale()
                wake_at = self._dispatch()
                timeout = None if wake_at is None else max(0.0, wake_at - self._now())
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), timeout)
        finally:
            if self._calls:
                await asyncio.wait(self._calls, timeout=5)

    async def _render_stale(self) -> None:
        horizon = self._now() - GATHER_SECONDS
        for desk in list(self._desks.values()):
            if desk.stale_since is None or desk.stale_since > horizon:
                continue
            desk.stale_since = None
            try:
                await self._load_shown(desk)
                desk.wanted = await self._wanted(desk)
            except Refusal:
                log.warning("a table that is not there was marked", extra={"table": desk.table_id})
                self._desks.pop(desk.table_id, None)
            except Exception:
                # One table that cannot be shown must not keep the others from being shown.
                log.exception("a table cannot be shown", extra={"table": desk.table_id})
                desk.stale_since = self._now() + BARRED_SECONDS

    async def _wanted(self, desk: Desk) -> dict[str, Wanted]:
        """What should be shown of this table now. Raises Refusal: table_gone."""
        place, group, hands = await self._tables.views(desk.table_id)
        desk.revision = place.revision
        chat = await self._storage.chats.get(place.chat_id)
        people = await self._storage.people.get_many(hands)
        readers = {}
        for user_id in hands:
            person = people.get(user_id)
            language = pick_language(*((person.language, person.language_code) if person else (None, None)))
            readers[user_id] = Reader(
                words=self._catalogues[language],
                reachable=person is not None and person.reachable,
                sound=person is None or person.sound,
            )
        board = desk.shown.get(_board_of(group))
        context = Context(
            bot_username=self._bot_username,
            table_url=None if board is None else _message_url(board),
            unreachable=frozenset(user_id for user_id, reader in readers.items() if not reader.reachable),
        )
        words = self._catalogues[pick_language(chat.language if chat else None, None)]
        choosing = self._choices(desk.table_id, hands)
        return wanted_messages(place, group, hands, words, readers, choosing, context)

    def _choices(self, table_id: str, hands: Mapping[int, TableView]) -> dict[int, int]:
        """The wild for which each person is choosing a suit; choices whose moment has passed are dropped."""
        choices = {}
        for user_id, view in hands.items():
            choice = self._choosing.get((table_id, user_id))
            if choice is None:
                continue
            stamp, card = choice
            running = None if view.game is None else view.game.round
            if running is not None and Stamp(*running.stamp) == stamp:
                choices[user_id] = card
            else:
                del self._choosing[table_id, user_id]
        return choices

    def _dispatch(self) -> float | None:
        """Start every call there is room for, the most needed first.

        Returns when to look again (unix seconds); None: when something happens.
        """
        now = self._now()
        due: list[float] = []
        steps: list[tuple[Step, Desk]] = []
        for desk in list(self._desks.values()):
            if desk.stale_since is not None:
                due.append(desk.stale_since + GATHER_SECONDS)
            of_desk = desk.steps(now, self._looked_at)
            steps += [(step, desk) for step in of_desk]
            if not of_desk and not desk.under_way and desk.stale_since is None:
                self._leave(desk)
        for step, desk in sorted(steps, key=lambda item: (item[0].priority, item[0].due_at)):
            if step.chat_id in self._busy_chats:
                continue
            at = step.due_at
            if step.action is not Action.FORGET:
                at = max(at, self._budget.chat_ready_at(step.chat_id), self._budget.overall_ready_at())
            if at > now:
                due.append(at)
                continue
            self._start(step, desk, now)
        return min(due, default=None)

    def _leave(self, desk: Desk) -> None:
        """All of this table's messages are as they should be."""
        del self._desks[desk.table_id]
        settling = asyncio.create_task(self._storage.tables.settle(desk.table_id, desk.revision))
        self._calls.add(settling)
        settling.add_done_callback(self._calls.discard)

    def _start(self, step: Step, desk: Desk, now: float) -> None:
        if step.action is not Action.FORGET:
            self._budget.spend(step.chat_id, now)
        self._busy_chats.add(step.chat_id)
        desk.under_way.add(step.key)
        call = asyncio.create_task(self._call(step, desk, (desk.wanted or {}).get(step.key)))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    # ------------------------------------------------------------------------------------------- the calls

    async def _call(self, step: Step, desk: Desk, wanted: Wanted | None) -> None:
        try:
            await self._do(step, desk, wanted)
            desk.held.pop(step.key, None)
        except CallFailed as failure:
            await self._handle(failure, step, desk)
        except Exception:
            log.exception("a call broke", extra={"table": desk.table_id, "key": step.key})
            desk.held[step.key] = self._now() + BARRED_SECONDS
        finally:
            self._busy_chats.discard(step.chat_id)
            desk.under_way.discard(step.key)
            self._wake.set()

    async def _do(self, step: Step, desk: Desk, wanted: Wanted | None) -> None:
        """Make the call, to show `wanted`, and write down what is shown now. Raises CallFailed."""
        shown = desk.shown.get(step.key)
        match step.action:
            case Action.SEND:
                assert wanted is not None
                silent = wanted.silent or (wanted.chat_id < 0 and desk.replaces(step.key))
                message_id = await self._courier.send(
                    wanted.chat_id, wanted.thread_id, wanted.screen, silent=silent
                )
                sent = self._shown(desk, step.key, wanted, message_id, _mode_after_send(wanted))
                if shown is None or shown.chat_id != wanted.chat_id:
                    await self._put(desk, sent)
                else:
                    await self._replace(desk, shown, sent)
                if wanted.chat_id < 0:
                    self.mark(desk.table_id)  # the hands link to the group's message, which is another now
            case Action.EDIT:
                assert wanted is not None
                assert shown is not None
                await self._courier.edit(wanted.chat_id, shown.message_id, wanted.screen)
                mode = _mode_after_edit(wanted, shown)
                await self._put(desk, self._shown(desk, step.key, wanted, shown.message_id, mode))
            case Action.DELETE:
                assert shown is not None
                await self._courier.delete(shown.chat_id, shown.message_id)
                await self._forget(desk, step.key)
            case Action.FORGET:
                await self._forget(desk, step.key)

    async def _handle(self, failure: CallFailed, step: Step, desk: Desk) -> None:
        """What follows from a call that failed."""
        now = self._now()
        where = {"table": desk.table_id, "key": step.key, "chat": step.chat_id, "action": step.action.name}
        match failure:
            case Flooded(retry_after=seconds):
                log.warning("flood limit: %s", failure, extra=where)
                self._budget.hold(step.chat_id, now + seconds)
                await self._make_up(step, desk, seconds)
            case MessageGone():
                await self._forget(desk, step.key)
            case Undeletable():
                await self._strip(step, desk)
            case Unreachable() if step.chat_id > 0:
                log.info("cannot be written to: %s", failure, extra=where)
                await self._storage.people.set_reachable(step.chat_id, reachable=False)
                if step.key in desk.shown:
                    await self._forget(desk, step.key)
                self.mark(desk.table_id)
            case Moved(chat_id=new_chat_id):
                await self._tables.move_chat(step.chat_id, new_chat_id)
            case Unanswered():
                log.warning("not answered: %s", failure, extra=where)
                desk.held[step.key] = now + RETRY_SECONDS
                await self._make_up(step, desk, RETRY_SECONDS)
            case Unreachable() | NotAllowed():
                log.info("not allowed: %s", failure, extra=where)
                desk.held[step.key] = now + BARRED_SECONDS
            case Rejected():
                log.error("Telegram finds a call wrong: %s", failure, extra=where)
                desk.held[step.key] = now + BARRED_SECONDS

    async def _make_up(self, step: Step, desk: Desk, seconds: float) -> None:
        """Nobody's time runs while Telegram does not take his hand."""
        if step.priority is Priority.MOVER:
            await self._tables.postpone(desk.table_id, seconds)

    async def _strip(self, step: Step, desk: Desk) -> None:
        """A message too old to be deleted loses its buttons, and stays."""
        shown = desk.shown[step.key]
        try:
            await self._courier.strip(shown.chat_id, shown.message_id)
        except CallFailed as failure:
            log.info("cannot be stripped: %s", failure, extra={"table": desk.table_id, "chat": step.chat_id})
        await self._forget(desk, step.key)

    # ----------------------------------------------------------------------------------------- what is shown

    async def _renew(self, table_id: str, key: str) -> None:
        desk = await self._loaded_desk(table_id)
        shown = desk.shown.get(key)
        if shown is not None:
            await self._forget(desk, key)
            await self._put(desk, replace(shown, key=retired_key(shown)))
        self.mark(table_id)

    async def _loaded_desk(self, table_id: str) -> Desk:
        """The table's desk, with what is shown. It may be left again at the caller's next `await`."""
        while True:
            self.mark(table_id)
            desk = self._desks[table_id]
            await self._load_shown(desk)
            if self._desks.get(table_id) is desk:
                return desk

    async def _load_shown(self, desk: Desk) -> None:
        if not desk.is_loaded:
            rows = await self._storage.shown.of_table(desk.table_id)
            if not desk.is_loaded:
                desk.shown = rows
                desk.is_loaded = True

    def _shown(self, desk: Desk, key: str, wanted: Wanted, message_id: int, mode: Mode) -> Shown:
        return Shown(desk.table_id, key, wanted.chat_id, message_id, wanted.screen.digest, mode, self._now())

    async def _put(self, desk: Desk, shown: Shown) -> None:
        desk.shown[shown.key] = shown
        await self._storage.shown.put(shown)

    async def _replace(self, desk: Desk, old: Shown, new: Shown) -> None:
        """`new` takes the place of `old`, which is to be deleted."""
        retired = replace(old, key=retired_key(old))
        desk.shown[new.key] = new
        desk.shown[retired.key] = retired
        await self._storage.shown.replace(new, retired)

    async def _forget(self, desk: Desk, key: str) -> None:
        desk.shown.pop(key, None)
        await self._storage.shown.remove(desk.table_id, key)


def _board_of(view: TableView) -> str:
    """The key of the group's present message."""
    return board_key(0 if view.game is None else view.game.number)


def _mode_after_send(wanted: Wanted) -> Mode:
    return Mode.RUNG if wanted.screen.rings else Mode.PLAIN


def _mode_after_edit(wanted: Wanted, shown: Shown) -> Mode:
    if not wanted.screen.rings:
        return Mode.PLAIN
    return Mode.RUNG if shown.mode == Mode.RUNG else Mode.QUIET


def _message_url(shown: Shown) -> str | None:
    """A link to a message;

    only supergroups have them (https://core.telegram.org/bots/api#chat: ids from -100…).
    """
    prefix = "-100"
    chat = str(shown.chat_id)
    return (
        f"https://t.me/c/{chat.removeprefix(prefix)}/{shown.message_id}" if chat.startswith(prefix) else None
    )
