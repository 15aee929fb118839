"""Carries out one step, writes down what it has done, and sees what follows where it fails.

One method of the courier for each kind of step, one consequence for each kind of failure. When a step's turn
comes is not decided here.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from bot.messages.desired import DesiredMessage
from bot.messages.gateway import (
    CallFailed,
    Flooded,
    MessageGateway,
    MessageGone,
    Moved,
    NotAllowed,
    OtherKind,
    Rejected,
    TopicGone,
    Unanswered,
    Undeletable,
    Undrawable,
    Unreachable,
)
from bot.messages.rate_limit import Priority, RateLimiter
from bot.messages.reconcile import Action, Mode, Step
from bot.messages.rendering import message_url
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages, is_superseded
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
WRITE_FORBIDDEN_SECONDS = 5.0
"""After a call that the chat does not allow, or that was wrong."""
MOST_RETURNS = 1024
NOTICEABLE_SECONDS = 1.0
"""A turn whose hand came later than so begins when the hand has come."""


class StepExecutor:
    """Carries out steps.

    `invalidate` is told of tables whose messages have to be looked at again; `shown_in_group` of each message
    that has been shown in a group, and whether it is a new one; `write_forbidden` of tables whose group does
    not let the bot write (False), or whose topic has been deleted (True).
    """

    def __init__(
        self,
        gateway: MessageGateway,
        shown_cache: ShownCache,
        people: PeopleStore,
        chats: ChatStore,
        tables: Tables,
        rate_limiter: RateLimiter,
        invalidate: Callable[[str], None],
        shown_in_group: Callable[[Shown, bool], None],
        write_forbidden: Callable[[str, bool], None],
        now: Callable[[], float],
    ) -> None:
        self._gateway = gateway
        self._shown_cache = shown_cache
        self._people = people
        self._chats = chats
        self._tables = tables
        self._rate_limiter = rate_limiter
        self._invalidate = invalidate
        self._shown_listeners = shown_in_group
        self._write_forbidden_listeners = write_forbidden
        self._now = now
        self._returns: Counter[int] = Counter()

    def note_access_restored(self, chat_id: int) -> None:
        """The bot may (again) write here: a refusal of an earlier call, still on its way, is out of date."""
        if len(self._returns) >= MOST_RETURNS:
            self._returns.clear()
        self._returns[chat_id] += 1

    async def carry_out(self, step: Step, action: Action, table_messages: TableMessages) -> None:
        """Make the call. Where it fails, what follows from that is done, and the message left for a while."""
        desired = (table_messages.desired or {}).get(step.key)
        returns = self._returns[step.chat_id]
        try:
            await self._call(step.key, action, table_messages, desired)
            await self._compensate_delay(step, table_messages, self._now(), desired)
            if desired is not None:
                table_messages.delivered(step.key, desired.screen)
        except (Unreachable, NotAllowed) as failure:
            if self._returns[step.chat_id] == returns:
                await self._follow_up(failure, step, action, table_messages, desired)
            else:
                where = _where(step, action, table_messages)
                log.info("refused before the bot was let in again: %s", failure, extra=where)
        except CallFailed as failure:
            await self._follow_up(failure, step, action, table_messages, desired)

    async def _call(
        self, key: str, action: Action, table_messages: TableMessages, desired: DesiredMessage | None
    ) -> None:
        """Make the call, to show `desired`, and write down what is shown now. Raises CallFailed."""
        assert table_messages.shown is not None
        shown = table_messages.shown.get(key)
        match action:
            case Action.SEND:
                assert desired is not None
                has_earlier = shown is not None and shown.chat_id == desired.chat_id
                silent = desired.silent or (
                    desired.chat_id < 0 and (has_earlier or table_messages.replaces(key))
                )
                message_id = await self._gateway.send(
                    desired.chat_id, desired.thread_id, desired.screen, silent=silent
                )
                sent = self._shown(table_messages, key, desired, message_id, _mode_after_send(desired))
                earlier = table_messages.shown.get(
                    key
                )  # it may have been retired while the call was under way
                if earlier is None or earlier.chat_id != desired.chat_id:
                    await self._shown_cache.put(table_messages, sent)
                else:
                    await self._shown_cache.replace(table_messages, sent)
                if message_url(sent) is not None:
                    self._invalidate(table_messages.table_id)  # the hands link to it
                if sent.chat_id < 0:
                    self._shown_listeners(sent, True)
            case Action.EDIT:
                assert desired is not None
                assert shown is not None
                if _has_just_its_picture(desired, shown) and table_messages.is_sure_of(key):
                    await self._gateway.edit_caption(desired.chat_id, shown.message_id, desired.screen)
                else:
                    await self._gateway.edit(desired.chat_id, shown.message_id, desired.screen)
                if table_messages.shown.get(key) is not shown:
                    return  # it has been retired in the meantime: a new message is to take its place
                mode = _mode_after_edit(desired, shown)
                edited = self._shown(table_messages, key, desired, shown.message_id, mode)
                await self._shown_cache.put(table_messages, edited)
                if edited.chat_id < 0:
                    self._shown_listeners(edited, False)
            case Action.REMOVE_KEYBOARD:
                assert shown is not None
                superseded_screen = (
                    table_messages.superseded_screen(shown.chat_id) if is_superseded(shown) else None
                )
                if superseded_screen is None:
                    await self._gateway.remove_keyboard(shown.chat_id, shown.message_id)
                elif shown.picture:
                    await self._gateway.edit_caption(shown.chat_id, shown.message_id, superseded_screen)
                else:
                    await self._gateway.edit(shown.chat_id, shown.message_id, superseded_screen)
                await self._shown_cache.drop(table_messages, key)
            case Action.DELETE:
                assert shown is not None
                await self._gateway.delete(shown.chat_id, shown.message_id)
                await self._shown_cache.drop(table_messages, key)
            case Action.FORGET:
                await self._shown_cache.drop(table_messages, key)

    def _shown(
        self, table_messages: TableMessages, key: str, desired: DesiredMessage, message_id: int, mode: Mode
    ) -> Shown:
        return Shown(
            table_messages.table_id,
            key,
            desired.chat_id,
            message_id,
            desired.screen.digest,
            mode,
            self._now(),
            desired.screen.recalls,
            "" if desired.screen.picture is None else desired.screen.picture.digest,
        )

    # ------------------------------------------------------------------------------------------- what failed

    async def _follow_up(
        self,
        failure: CallFailed,
        step: Step,
        action: Action,
        table_messages: TableMessages,
        desired: DesiredMessage | None,
    ) -> None:
        """What follows from a call that failed; it was to show `desired`."""
        now = self._now()
        where = _where(step, action, table_messages)
        match failure:
            case Flooded(retry_after=seconds):
                log.warning("flood limit: %s", failure, extra=where)
                self._rate_limiter.hold(step.chat_id, now + seconds)
                await self._compensate_delay(step, table_messages, now + seconds, desired)
            case Unanswered():
                log.warning("not answered: %s", failure, extra=where)
                if action is Action.EDIT:
                    table_messages.mark_uncertain(step.key, now)
                await self._compensate_delay(
                    step, table_messages, table_messages.pause(step.key, now, RETRY_SECONDS), desired
                )
            case MessageGone():
                log.info("no longer there: %s", failure, extra=where)
                await self._shown_cache.drop(table_messages, step.key)
            case OtherKind():
                log.info("it is of another kind: %s", failure, extra=where)
                there = (table_messages.shown or {}).get(step.key)
                if there is not None:
                    kind = "" if there.picture else UNKNOWN_PICTURE
                    await self._shown_cache.put(table_messages, replace(there, picture=kind, digest=""))
            case Undeletable():
                log.info("cannot be deleted: %s", failure, extra=where)
                fixed = replace((table_messages.shown or {})[step.key], mode=Mode.FIXED)
                await self._shown_cache.put(table_messages, fixed)
            case Moved(chat_id=new_chat_id):
                log.info("the group is now %s", new_chat_id, extra=where)
                await self._tables.move_chat(step.chat_id, new_chat_id)
                await self._give_up(step, action, table_messages, RETRY_SECONDS)
            case Unreachable() if step.chat_id > 0:
                log.info("cannot be written to: %s", failure, extra=where)
                await self._people.set_reachable(step.chat_id, reachable=False)
                table_messages.pause(step.key, now, RETRY_SECONDS)
                self._invalidate(table_messages.table_id)
            case Unreachable():
                log.info("the bot is not in the group: %s", failure, extra=where)
                await self._give_up(step, action, table_messages, WRITE_FORBIDDEN_SECONDS)
                await self._tables.bot_removed(step.chat_id)
            case NotAllowed() | Undrawable() if _is_picture_for_group(action, desired):
                log.info("text in place of a picture: %s", failure, extra=where)
                await self._chats.set_refused_pictures(step.chat_id, table_messages.table_id)
                table_messages.pause(step.key, now, REFUSED_PICTURE_SECONDS)
                self._invalidate(table_messages.table_id)
            case NotAllowed() | Undrawable():
                log.info("not allowed: %s", failure, extra=where)
                await self._give_up(step, action, table_messages, WRITE_FORBIDDEN_SECONDS)
                if step.chat_id < 0 and action in (Action.SEND, Action.EDIT):
                    self._write_forbidden_listeners(table_messages.table_id, False)
            case TopicGone():
                log.info("the topic is gone: %s", failure, extra=where)
                await self._give_up(step, action, table_messages, WRITE_FORBIDDEN_SECONDS)
                self._write_forbidden_listeners(table_messages.table_id, True)
            case Rejected():
                log.error("Telegram finds a call wrong: %s", failure, extra=where)
                await self._give_up(step, action, table_messages, WRITE_FORBIDDEN_SECONDS)
            case _:
                raise failure

    async def _give_up(
        self, step: Step, action: Action, table_messages: TableMessages, seconds: float
    ) -> None:
        """What is over stays in the chat as it is; anything else is tried again after a while."""
        if action in (Action.DELETE, Action.REMOVE_KEYBOARD):
            await self._shown_cache.drop(table_messages, step.key)
        else:
            table_messages.pause(step.key, self._now(), seconds)

    async def _compensate_delay(
        self, step: Step, table_messages: TableMessages, until: float, desired: DesiredMessage | None
    ) -> None:
        """Nobody's time runs while Telegram does not take his hand: up to `until` it does not count."""
        if step.priority is Priority.MOVER and desired is not None:
            seconds = table_messages.compensate_delay(step, until, desired.screen)
            if seconds > NOTICEABLE_SECONDS:
                await self._tables.postpone(table_messages.table_id, seconds)


def _where(step: Step, action: Action, table_messages: TableMessages) -> dict[str, object]:
    """What is needed to find a call again, for the log."""
    return {
        "table": table_messages.table_id,
        "revision": table_messages.revision,
        "chat": step.chat_id,
        "key": step.key,
        "action": action.name,
    }


def _is_picture_for_group(action: Action, desired: DesiredMessage | None) -> bool:
    """Has a call that failed been to show a picture in a group?"""
    if desired is None or action not in (Action.SEND, Action.EDIT):
        return False
    return desired.chat_id < 0 and desired.screen.picture is not None


def _has_just_its_picture(desired: DesiredMessage, shown: Shown) -> bool:
    """Does the message carry the picture already that it should?"""
    return desired.screen.picture is not None and desired.screen.picture.digest == shown.picture


def _mode_after_send(desired: DesiredMessage) -> Mode:
    if desired.is_result:
        return Mode.RESULT
    return Mode.RUNG if desired.screen.rings else Mode.PLAIN


def _mode_after_edit(desired: DesiredMessage, shown: Shown) -> Mode:
    if desired.is_result:
        return Mode.RESULT
    if not desired.screen.rings:
        return Mode.PLAIN
    has_rung = shown.mode == Mode.RUNG and desired.screen.recalls <= shown.recalls
    return Mode.RUNG if has_rung else Mode.QUIET
