"""Carries out one step, writes down what it has done, and sees what follows where it fails.

One method of the courier for each kind of step, one consequence for each kind of failure. When a step's turn
comes is not decided here.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from bot.presenter.budget import Budget, Priority
from bot.presenter.courier import (
    CallFailed,
    Courier,
    Flooded,
    MessageGone,
    Moved,
    NotAllowed,
    OtherKind,
    Rejected,
    Unanswered,
    Undeletable,
    Undrawable,
    Unreachable,
)
from bot.presenter.desk import Desk, is_retired
from bot.presenter.ledger import Ledger
from bot.presenter.rendering import message_url
from bot.presenter.steps import Action, Mode, Step
from bot.presenter.wanted import Wanted
from bot.storage.chats import ChatStore
from bot.storage.people import PeopleStore
from bot.storage.shown import Shown
from bot.tables.service import Tables

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""After a call that was not answered."""
REFUSED_PICTURE_SECONDS = 0.1
"""After a picture that the chat does not take: by then the table has been rendered as text."""
UNKNOWN_PICTURE = "?"
"""As the digest of the picture in a message of which only that is known that it carries one."""
BARRED_SECONDS = 5.0
"""After a call that the chat does not allow, or that was wrong."""
MOST_RETURNS = 1024
NOTICEABLE_SECONDS = 1.0
"""A turn whose hand came later than so begins when the hand has come."""


class Delivery:
    """Carries out steps.

    `mark` is told of tables whose messages have to be looked at again; `told` of each message that has been
    shown in a group, and whether it is a new one; `barred` of tables whose group does not let the bot write.
    """

    def __init__(
        self,
        courier: Courier,
        ledger: Ledger,
        people: PeopleStore,
        chats: ChatStore,
        tables: Tables,
        budget: Budget,
        mark: Callable[[str], None],
        told: Callable[[Shown, bool], None],
        barred: Callable[[str], None],
        now: Callable[[], float],
    ) -> None:
        self._courier = courier
        self._ledger = ledger
        self._people = people
        self._chats = chats
        self._tables = tables
        self._budget = budget
        self._mark = mark
        self._told = told
        self._barred = barred
        self._now = now
        self._returns: Counter[int] = Counter()

    def welcome(self, chat_id: int) -> None:
        """The bot may (again) write here: a refusal of an earlier call, still on its way, is out of date."""
        if len(self._returns) >= MOST_RETURNS:
            self._returns.clear()
        self._returns[chat_id] += 1

    async def carry_out(self, step: Step, action: Action, desk: Desk) -> None:
        """Make the call. Where it fails, what follows from that is done, and the message left for a while."""
        wanted = (desk.wanted or {}).get(step.key)
        returns = self._returns[step.chat_id]
        try:
            await self._call(step.key, action, desk, wanted)
            await self._excuse(step, desk, self._now(), wanted)
            if wanted is not None:
                desk.brought(step.key, wanted.screen)
        except (Unreachable, NotAllowed) as failure:
            if self._returns[step.chat_id] == returns:
                await self._follow_up(failure, step, action, desk, wanted)
            else:
                where = _where(step, action, desk)
                log.info("refused before the bot was let in again: %s", failure, extra=where)
        except CallFailed as failure:
            await self._follow_up(failure, step, action, desk, wanted)

    async def _call(self, key: str, action: Action, desk: Desk, wanted: Wanted | None) -> None:
        """Make the call, to show `wanted`, and write down what is shown now. Raises CallFailed."""
        assert desk.shown is not None
        shown = desk.shown.get(key)
        match action:
            case Action.SEND:
                assert wanted is not None
                has_earlier = shown is not None and shown.chat_id == wanted.chat_id
                silent = wanted.silent or (wanted.chat_id < 0 and (has_earlier or desk.replaces(key)))
                message_id = await self._courier.send(
                    wanted.chat_id, wanted.thread_id, wanted.screen, silent=silent
                )
                sent = self._shown(desk, key, wanted, message_id, _mode_after_send(wanted))
                earlier = desk.shown.get(key)  # it may have been retired while the call was under way
                if earlier is None or earlier.chat_id != wanted.chat_id:
                    await self._ledger.put(desk, sent)
                else:
                    await self._ledger.replace(desk, sent)
                if message_url(sent) is not None:
                    self._mark(desk.table_id)  # the hands link to it
                if sent.chat_id < 0:
                    self._told(sent, True)
            case Action.EDIT:
                assert wanted is not None
                assert shown is not None
                if _has_just_its_picture(wanted, shown) and desk.is_sure_of(key):
                    await self._courier.edit_caption(wanted.chat_id, shown.message_id, wanted.screen)
                else:
                    await self._courier.edit(wanted.chat_id, shown.message_id, wanted.screen)
                if desk.shown.get(key) is not shown:
                    return  # it has been retired in the meantime: a new message is to take its place
                mode = _mode_after_edit(wanted, shown)
                edited = self._shown(desk, key, wanted, shown.message_id, mode)
                await self._ledger.put(desk, edited)
                if edited.chat_id < 0:
                    self._told(edited, False)
            case Action.STRIP:
                assert shown is not None
                way = desk.way(shown.chat_id) if is_retired(shown) else None
                if way is None:
                    await self._courier.strip(shown.chat_id, shown.message_id)
                elif shown.picture:
                    await self._courier.edit_caption(shown.chat_id, shown.message_id, way)
                else:
                    await self._courier.edit(shown.chat_id, shown.message_id, way)
                await self._ledger.drop(desk, key)
            case Action.DELETE:
                assert shown is not None
                await self._courier.delete(shown.chat_id, shown.message_id)
                await self._ledger.drop(desk, key)
            case Action.FORGET:
                await self._ledger.drop(desk, key)

    def _shown(self, desk: Desk, key: str, wanted: Wanted, message_id: int, mode: Mode) -> Shown:
        return Shown(
            desk.table_id,
            key,
            wanted.chat_id,
            message_id,
            wanted.screen.digest,
            mode,
            self._now(),
            wanted.screen.recalls,
            "" if wanted.screen.picture is None else wanted.screen.picture.digest,
        )

    # ------------------------------------------------------------------------------------------- what failed

    async def _follow_up(
        self, failure: CallFailed, step: Step, action: Action, desk: Desk, wanted: Wanted | None
    ) -> None:
        """What follows from a call that failed; it was to show `wanted`."""
        now = self._now()
        where = _where(step, action, desk)
        match failure:
            case Flooded(retry_after=seconds):
                log.warning("flood limit: %s", failure, extra=where)
                self._budget.hold(step.chat_id, now + seconds)
                await self._excuse(step, desk, now + seconds, wanted)
            case Unanswered():
                log.warning("not answered: %s", failure, extra=where)
                if action is Action.EDIT:
                    desk.doubt(step.key, now)
                await self._excuse(step, desk, desk.pause(step.key, now, RETRY_SECONDS), wanted)
            case MessageGone():
                log.info("no longer there: %s", failure, extra=where)
                await self._ledger.drop(desk, step.key)
            case OtherKind():
                log.info("it is of another kind: %s", failure, extra=where)
                there = (desk.shown or {}).get(step.key)
                if there is not None:
                    kind = "" if there.picture else UNKNOWN_PICTURE
                    await self._ledger.put(desk, replace(there, picture=kind, digest=""))
            case Undeletable():
                log.info("cannot be deleted: %s", failure, extra=where)
                fixed = replace((desk.shown or {})[step.key], mode=Mode.FIXED)
                await self._ledger.put(desk, fixed)
            case Moved(chat_id=new_chat_id):
                log.info("the group is now %s", new_chat_id, extra=where)
                await self._tables.move_chat(step.chat_id, new_chat_id)
                await self._give_up(step, action, desk, RETRY_SECONDS)
            case Unreachable() if step.chat_id > 0:
                log.info("cannot be written to: %s", failure, extra=where)
                await self._people.set_reachable(step.chat_id, reachable=False)
                desk.pause(step.key, now, RETRY_SECONDS)
                self._mark(desk.table_id)
            case Unreachable():
                log.info("the bot is not in the group: %s", failure, extra=where)
                await self._give_up(step, action, desk, BARRED_SECONDS)
                await self._tables.banish(step.chat_id)
            case NotAllowed() | Undrawable() if _is_picture_for_group(action, wanted):
                log.info("text in place of a picture: %s", failure, extra=where)
                await self._chats.set_refused_pictures(step.chat_id, desk.table_id)
                desk.pause(step.key, now, REFUSED_PICTURE_SECONDS)
                self._mark(desk.table_id)
            case NotAllowed() | Undrawable():
                log.info("not allowed: %s", failure, extra=where)
                await self._give_up(step, action, desk, BARRED_SECONDS)
                if step.chat_id < 0 and action in (Action.SEND, Action.EDIT):
                    self._barred(desk.table_id)
            case Rejected():
                log.error("Telegram finds a call wrong: %s", failure, extra=where)
                await self._give_up(step, action, desk, BARRED_SECONDS)
            case _:
                raise failure

    async def _give_up(self, step: Step, action: Action, desk: Desk, seconds: float) -> None:
        """What is over stays in the chat as it is; anything else is tried again after a while."""
        if action in (Action.DELETE, Action.STRIP):
            await self._ledger.drop(desk, step.key)
        else:
            desk.pause(step.key, self._now(), seconds)

    async def _excuse(self, step: Step, desk: Desk, until: float, wanted: Wanted | None) -> None:
        """Nobody's time runs while Telegram does not take his hand: up to `until` it does not count."""
        if step.priority is Priority.MOVER and wanted is not None:
            seconds = desk.excuse(step, until, wanted.screen)
            if seconds > NOTICEABLE_SECONDS:
                await self._tables.postpone(desk.table_id, seconds)


def _where(step: Step, action: Action, desk: Desk) -> dict[str, object]:
    """What is needed to find a call again, for the log."""
    return {
        "table": desk.table_id,
        "revision": desk.revision,
        "chat": step.chat_id,
        "key": step.key,
        "action": action.name,
    }


def _is_picture_for_group(action: Action, wanted: Wanted | None) -> bool:
    """Has a call that failed been to show a picture in a group?"""
    if wanted is None or action not in (Action.SEND, Action.EDIT):
        return False
    return wanted.chat_id < 0 and wanted.screen.picture is not None


def _has_just_its_picture(wanted: Wanted, shown: Shown) -> bool:
    """Does the message carry the picture already that it should?"""
    return wanted.screen.picture is not None and wanted.screen.picture.digest == shown.picture


def _mode_after_send(wanted: Wanted) -> Mode:
    if wanted.is_result:
        return Mode.RESULT
    return Mode.RUNG if wanted.screen.rings else Mode.PLAIN


def _mode_after_edit(wanted: Wanted, shown: Shown) -> Mode:
    if wanted.is_result:
        return Mode.RESULT
    if not wanted.screen.rings:
        return Mode.PLAIN
    has_rung = shown.mode == Mode.RUNG and wanted.screen.recalls <= shown.recalls
    return Mode.RUNG if has_rung else Mode.QUIET
