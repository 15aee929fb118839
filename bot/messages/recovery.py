"""Handles failed calls: what is recorded, when to try again, and what is reported.

Each kind of failure has one handler. Nothing here makes a call.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from bot.messages import outcomes
from bot.messages.attempt import Attempt
from bot.messages.gateway import (
    CallFailed,
    Flooded,
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
from bot.messages.outcomes import OutcomeListener
from bot.messages.rate_limit import RateLimiter
from bot.messages.reconcile import Action, Mode
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNKNOWN

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""After a call that was not answered."""
REFUSED_PICTURE_SECONDS = 0.1
"""After a picture that the chat refuses: by then the table has been rendered as text."""
UNKNOWN_PICTURE = "?"
"""The digest recorded for a message that carries an unknown picture."""
WRITE_FORBIDDEN_SECONDS = 5.0
"""After a call that the chat does not allow, or that was malformed."""


class Recovery:
    """Handles failures. The arguments are those of `StepExecutor`."""

    def __init__(
        self,
        shown_cache: ShownCache,
        rate_limiter: RateLimiter,
        invalidate: Callable[[str], None],
        report: OutcomeListener,
        now: Callable[[], float],
    ) -> None:
        self._shown_cache = shown_cache
        self._rate_limiter = rate_limiter
        self._invalidate = invalidate
        self._report = report
        self._now = now

    async def recover(self, failure: CallFailed, attempt: Attempt) -> None:
        """Handle this failure; one of an unknown kind is raised."""
        match failure:
            case Flooded():
                await self._wait_for_flood_limit(failure, attempt)
            case Unanswered():
                await self._retry_unanswered(failure, attempt)
            case MessageGone():
                log.info("no longer there: %s", failure, extra=attempt.where)
                await self._shown_cache.drop(attempt.messages, attempt.key)
            case OtherKind():
                await self._record_other_kind(failure, attempt)
            case Undeletable():
                await self._record_undeletable(failure, attempt)
            case Moved():
                log.info("the group is now %s", failure.chat_id, extra=attempt.where)
                await self._report(outcomes.ChatMoved(attempt.chat_id, failure.chat_id))
                await self._postpone_or_drop(attempt, RETRY_SECONDS)
            case Unreachable() if attempt.chat_id > 0:
                log.info("cannot be written to: %s", failure, extra=attempt.where)
                await self._report(outcomes.PersonUnreachable(attempt.chat_id))
                self._render_again(attempt, RETRY_SECONDS)
            case Unreachable():
                log.info("the bot is not in the group: %s", failure, extra=attempt.where)
                await self._postpone_or_drop(attempt, WRITE_FORBIDDEN_SECONDS)
                await self._report(outcomes.BotRemoved(attempt.chat_id))
            case NotAllowed() | Undrawable() if attempt.shows_picture_to_group:
                log.info("text in place of a picture: %s", failure, extra=attempt.where)
                await self._report(outcomes.PicturesRefused(attempt.chat_id, attempt.messages.table_id))
                self._render_again(attempt, REFUSED_PICTURE_SECONDS)
            case NotAllowed() | Undrawable():
                log.info("not allowed: %s", failure, extra=attempt.where)
                await self._postpone_or_drop(attempt, WRITE_FORBIDDEN_SECONDS)
                if attempt.chat_id < 0 and attempt.shows_something:
                    await self._report(outcomes.WriteForbidden(attempt.messages.table_id))
            case TopicGone():
                log.info("the topic is gone: %s", failure, extra=attempt.where)
                await self._postpone_or_drop(attempt, WRITE_FORBIDDEN_SECONDS)
                await self._report(outcomes.TopicDeleted(attempt.messages.table_id))
            case Rejected():
                log.error("Telegram finds a call wrong: %s", failure, extra=attempt.where)
                await self._postpone_or_drop(attempt, WRITE_FORBIDDEN_SECONDS)
            case _:
                raise failure

    async def _wait_for_flood_limit(self, failure: Flooded, attempt: Attempt) -> None:
        log.warning("flood limit: %s", failure, extra=attempt.where)
        until = self._now() + failure.retry_after
        self._rate_limiter.hold(attempt.chat_id, until)
        await attempt.compensate_delay(until, self._report)

    async def _retry_unanswered(self, failure: Unanswered, attempt: Attempt) -> None:
        log.warning("not answered: %s", failure, extra=attempt.where)
        now = self._now()
        if attempt.action is Action.EDIT:
            attempt.messages.mark_uncertain(attempt.key, now)
        until = attempt.messages.pause(attempt.key, now, RETRY_SECONDS)
        await attempt.compensate_delay(until, self._report)

    async def _record_other_kind(self, failure: OtherKind, attempt: Attempt) -> None:
        """The message carries a picture though text is on record, or the other way round."""
        log.info("it is of another kind: %s", failure, extra=attempt.where)
        shown = attempt.shown
        if shown is not None:
            picture = "" if shown.picture else UNKNOWN_PICTURE
            await self._shown_cache.put(attempt.messages, replace(shown, picture=picture, digest=UNKNOWN))

    async def _record_undeletable(self, failure: Undeletable, attempt: Attempt) -> None:
        """The message loses its buttons instead."""
        log.info("cannot be deleted: %s", failure, extra=attempt.where)
        assert attempt.shown is not None
        await self._shown_cache.put(attempt.messages, replace(attempt.shown, mode=Mode.FIXED))

    def _render_again(self, attempt: Attempt, seconds: float) -> None:
        """Render the table anew, and leave this message alone until then."""
        attempt.messages.pause(attempt.key, self._now(), seconds)
        self._invalidate(attempt.messages.table_id)

    async def _postpone_or_drop(self, attempt: Attempt, seconds: float) -> None:
        """Try again after a while; a message that was only to be tidied away stays as it is."""
        if attempt.action in (Action.DELETE, Action.REMOVE_KEYBOARD):
            await self._shown_cache.drop(attempt.messages, attempt.key)
        else:
            attempt.messages.pause(attempt.key, self._now(), seconds)
