"""The step executor: makes the call of one step and records what is shown then.

`recovery` handles failed calls; the scheduler decides when a step is executed.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

from bot.messages.attempt import Attempt
from bot.messages.desired import DesiredMessage
from bot.messages.gateway import CallFailed, MessageGateway, NotAllowed, Unreachable
from bot.messages.outcomes import MessageShown, OutcomeListener
from bot.messages.rate_limit import RateLimiter
from bot.messages.reconcile import Action, Mode, Step
from bot.messages.recovery import Recovery
from bot.messages.rendering import message_url
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import TableMessages, is_superseded
from bot.storage.shown import Shown

log = logging.getLogger(__name__)

MOST_RETURNS = 1024


class StepExecutor:
    """Executes steps.

    `invalidate` is called with tables whose messages have to be rendered again, `report` with the outcomes of
    calls.
    """

    def __init__(
        self,
        gateway: MessageGateway,
        shown_cache: ShownCache,
        rate_limiter: RateLimiter,
        invalidate: Callable[[str], None],
        report: OutcomeListener,
        now: Callable[[], float],
    ) -> None:
        self._gateway = gateway
        self._shown_cache = shown_cache
        self._recovery = Recovery(shown_cache, rate_limiter, invalidate, report, now)
        self._invalidate = invalidate
        self._report = report
        self._now = now
        self._returns: Counter[int] = Counter()

    def note_access_restored(self, chat_id: int) -> None:
        """The bot can write here (again): a refusal of an earlier call is outdated."""
        if len(self._returns) >= MOST_RETURNS:
            self._returns.clear()
        self._returns[chat_id] += 1

    async def carry_out(self, step: Step, action: Action, messages: TableMessages) -> None:
        """Make the call, and handle its failure; remaining differences are found again."""
        attempt = Attempt(step, action, messages, (messages.desired or {}).get(step.key))
        returns = self._returns[step.chat_id]
        try:
            await self._call(attempt)
            await attempt.compensate_delay(self._now(), self._report)
            if attempt.desired is not None:
                messages.delivered(step.key, attempt.desired.screen)
        except CallFailed as failure:
            is_refusal = isinstance(failure, Unreachable | NotAllowed)
            if is_refusal and self._returns[step.chat_id] != returns:
                log.info("refused before the bot was let in again: %s", failure, extra=attempt.where)
            else:
                await self._recovery.recover(failure, attempt)

    async def _call(self, attempt: Attempt) -> None:
        """Make the attempt's call and record what is shown now. Raises CallFailed."""
        match attempt.action:
            case Action.SEND:
                await self._send(attempt)
            case Action.EDIT:
                await self._edit(attempt)
            case Action.REMOVE_KEYBOARD:
                await self._close(attempt)
                await self._shown_cache.drop(attempt.messages, attempt.key)
            case Action.DELETE:
                assert attempt.shown is not None
                await self._gateway.delete(attempt.shown.chat_id, attempt.shown.message_id)
                await self._shown_cache.drop(attempt.messages, attempt.key)
            case Action.FORGET:
                await self._shown_cache.drop(attempt.messages, attempt.key)

    async def _send(self, attempt: Attempt) -> None:
        """Send a new message; it supersedes the one it replaces."""
        desired, messages = attempt.desired, attempt.messages
        assert desired is not None
        silent = desired.silent or (desired.chat_id < 0 and _replaces_another(attempt, desired))
        message_id = await self._gateway.send(
            desired.chat_id, desired.thread_id, desired.screen, silent=silent
        )
        sent = self._shown(attempt, desired, message_id, _mode_after_send(desired))
        earlier = attempt.shown  # it may have been superseded during the call
        if earlier is not None and earlier.chat_id == desired.chat_id:
            await self._shown_cache.replace(messages, sent)
        else:
            await self._shown_cache.put(messages, sent)
        if message_url(sent) is not None:
            self._invalidate(messages.table_id)  # the hands link to it
        await self._report_shown(sent, is_new=True)

    async def _edit(self, attempt: Attempt) -> None:
        """Edit a message: its caption alone where the picture stays."""
        desired, shown = attempt.desired, attempt.shown
        assert desired is not None
        assert shown is not None
        await self._shown_cache.doubt(attempt.messages, attempt.key)  # should the process be killed
        if _keeps_picture(desired, shown) and attempt.messages.is_sure_of(attempt.key):
            await self._gateway.edit_caption(desired.chat_id, shown.message_id, desired.screen)
        else:
            await self._gateway.edit(desired.chat_id, shown.message_id, desired.screen)
        if attempt.shown is not shown:
            return  # superseded meanwhile: a new message will replace it
        edited = self._shown(attempt, desired, shown.message_id, _mode_after_edit(desired, shown))
        await self._shown_cache.put(attempt.messages, edited)
        await self._report_shown(edited, is_new=False)

    async def _close(self, attempt: Attempt) -> None:
        """Remove a message's buttons; one that was replaced then links to its successor."""
        shown = attempt.shown
        assert shown is not None
        screen = attempt.messages.superseded_screen(shown.chat_id) if is_superseded(shown) else None
        if screen is None:
            await self._gateway.remove_keyboard(shown.chat_id, shown.message_id)
        elif shown.picture:
            await self._gateway.edit_caption(shown.chat_id, shown.message_id, screen)
        else:
            await self._gateway.edit(shown.chat_id, shown.message_id, screen)

    def _shown(self, attempt: Attempt, desired: DesiredMessage, message_id: int, mode: Mode) -> Shown:
        return Shown(
            attempt.messages.table_id,
            attempt.key,
            desired.chat_id,
            message_id,
            desired.screen.digest,
            mode,
            self._now(),
            desired.screen.recalls,
            "" if desired.screen.picture is None else desired.screen.picture.digest,
        )

    async def _report_shown(self, shown: Shown, *, is_new: bool) -> None:
        if shown.chat_id < 0:
            await self._report(MessageShown(shown, is_new))


def _replaces_another(attempt: Attempt, desired: DesiredMessage) -> bool:
    """Return whether there is an earlier message in the chat, or one that waits to be deleted."""
    has_earlier = attempt.shown is not None and attempt.shown.chat_id == desired.chat_id
    return has_earlier or attempt.messages.replaces(attempt.key)


def _keeps_picture(desired: DesiredMessage, shown: Shown) -> bool:
    """Return whether the message already carries the desired picture."""
    return desired.screen.picture is not None and desired.screen.picture.digest == shown.picture


def _mode_after_send(desired: DesiredMessage) -> Mode:
    if desired.is_result:
        return Mode.RESULT
    return Mode.NOTIFIED if desired.screen.notifies else Mode.PLAIN


def _mode_after_edit(desired: DesiredMessage, shown: Shown) -> Mode:
    if desired.is_result:
        return Mode.RESULT
    if not desired.screen.notifies:
        return Mode.PLAIN
    has_rung = shown.mode == Mode.NOTIFIED and desired.screen.recalls <= shown.recalls
    return Mode.NOTIFIED if has_rung else Mode.QUIET
