"""Compares the desired messages of a table with the shown ones: which steps are missing, and how urgent they
are.

The start of a turn is a new message, so that the player's phone notifies. A player who has just pressed a
button in this chat is looking at it and gets an edit; the new message follows only if no move has come after
a while. Each further reminder of the turn works like its start. The next round waits until the group has been
shown the result of the last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

from bot.messages.desired import DesiredMessage, is_for_good
from bot.messages.rate_limit import Priority
from bot.messages.scheduler import PendingCall
from bot.storage.shown import Shown

ACTIVE_SECONDS = 30.0
"""Somebody who has pressed a button this recently is looking at the chat."""
RENOTIFY_SECONDS = 10.0
"""When a player who was looking has not moved for this long, the phone rings after all."""
UNHURRIED_SECONDS = 20.0
"""When calls are scarce, a hand that asks nothing of its reader is edited this often."""
GENEROUS_SECONDS = 3.8
"""For this long an edit of the table leaves a call free for urgent ones: a result, the next round.

With it the table is never 4 s behind.
"""
PASSING_SECONDS = 2.5
"""While moves are made automatically one after another, the table is updated at least this often."""
PROMPT_SECONDS = 0.1
"""An automatic move has been made this long after it was due."""
RESULT_SECONDS = 4.0
"""How long the next round waits at most for the result of the last."""


class Mode(StrEnum):
    """The knowledge of a message's readers (`Shown.mode`)."""

    PLAIN = "plain"
    QUIET = "quiet"
    """That it is their turn, by an edit."""
    NOTIFIED = "rung"
    """That it is their turn, by a new message."""
    RESULT = "result"
    """How a round has ended."""
    FIXED = "fixed"
    """It is too old to be deleted."""


class Action(Enum):
    """The action that a step takes on its message."""

    SEND = auto()
    """Send a new message; one that it replaces is superseded."""
    EDIT = auto()
    REMOVE_KEYBOARD = auto()
    """Remove a message's buttons; a superseded one then links to its successor. It goes off the record."""
    DELETE = auto()
    FORGET = auto()
    """Leave a message as it is and take it off the record. No call."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Step(PendingCall):
    """A call that the message under `key` needs."""

    table_id: str
    key: str
    action: Action


@dataclass(frozen=True, slots=True)
class CallHistory:
    """What is known of earlier calls for a table's messages. All times are unix seconds.

    `since(key, priority, action)`: since when it has needed just that. `paused_until(key)`: when a failed
    call may be tried again (0: none failed). `uncertain_until(key)`: until when an unanswered edit may still
    take effect (0: none). `active_at`: when each person last pressed a button in private.
    """

    since: Callable[[str, Priority, Action], float]
    paused_until: Callable[[str], float]
    uncertain_until: Callable[[str], float]
    active_at: Mapping[int, float]


def reconcile(
    table_id: str,
    desired: Mapping[str, DesiredMessage],
    shown: Mapping[str, Shown],
    history: CallHistory,
    now: float,
) -> Iterator[Step]:
    """Return the steps that would make a table's shown messages the desired ones."""
    unshown_result = _unshown_result(desired, shown, history)
    not_before = 0.0
    if unshown_result is not None:
        not_before = history.since(unshown_result, Priority.GROUP, Action.EDIT) + RESULT_SECONDS
    for key, message in desired.items():
        is_active = now - history.active_at.get(message.chat_id, 0.0) <= ACTIVE_SECONDS
        there = shown.get(key)
        call = _missing_call(message, there, history.uncertain_until(key), is_active=is_active)
        if call is None:
            continue
        if key == unshown_result:
            yield _step(table_id, key, message, there, call, Priority.GROUP, history)
        else:
            call = replace(call, due_at=max(call.due_at, not_before))
            yield _step(table_id, key, message, there, call, message.priority, history)
    for key, there in shown.items():
        if key not in desired:
            yield _removal(table_id, key, there, history)


@dataclass(frozen=True, slots=True)
class _Call:
    """The call that makes a message right, and its earliest time (unix seconds)."""

    action: Action
    due_at: float = 0.0


def _step(
    table_id: str,
    key: str,
    message: DesiredMessage,
    shown: Shown | None,
    call: _Call,
    priority: Priority,
    history: CallHistory,
) -> Step:
    """Return the step for this call, later if its reader can wait or an earlier attempt has failed."""
    since = history.since(key, priority, call.action)
    due_at = unhurried_at = call.due_at
    if call.action is Action.EDIT and shown is not None and _asks_nothing(message, shown):
        due_at = unhurried_at = max(due_at, _after_passing(message, since))
        if priority is Priority.WATCHER:
            unhurried_at = max(due_at, shown.shown_at + UNHURRIED_SECONDS)
    paused_until = history.paused_until(key)
    return Step(
        table_id=table_id,
        key=key,
        chat_id=message.chat_id,
        priority=priority,
        action=call.action,
        since=max(since, due_at),
        due_at=max(due_at, paused_until),
        unhurried_at=max(unhurried_at, paused_until),
        generous_until=_generous_until(message, priority, call.action, since),
        takes_call=call.action is not Action.FORGET,
    )


def _removal(table_id: str, key: str, shown: Shown, history: CallHistory) -> Step:
    """Return the step that removes an undesired message, or its buttons."""
    keeps = is_for_good(key) or shown.mode == Mode.FIXED
    action = Action.REMOVE_KEYBOARD if keeps else Action.DELETE
    due_at = history.paused_until(key)
    if keeps:  # an uncertain edit would bring the buttons back
        due_at = max(due_at, history.uncertain_until(key))
    return Step(
        table_id=table_id,
        key=key,
        chat_id=shown.chat_id,
        priority=Priority.HISTORY,
        action=action,
        since=history.since(key, Priority.HISTORY, action),
        due_at=due_at,
        unhurried_at=due_at,
        generous_until=math.inf,
    )


def _missing_call(
    desired: DesiredMessage, shown: Shown | None, uncertain_until: float, *, is_active: bool
) -> _Call | None:
    """Return the call that makes this message right; None if it is right, or need not be sent.

    `is_active`: its reader has just pressed a button in this chat.
    """
    if shown is None or shown.chat_id != desired.chat_id:
        return _Call(Action.SEND) if desired.is_needed else None
    if shown.picture and desired.screen.picture is None:
        return _Call(_text_after_picture(desired, shown))
    is_right = shown.digest == desired.screen.digest
    if desired.chat_id > 0 and desired.screen.notifies:
        has_not_been_called = shown.mode == Mode.PLAIN or desired.screen.recalls > shown.recalls
        if has_not_been_called:
            return _Call(Action.EDIT if is_active else Action.SEND)
        if shown.mode == Mode.QUIET and is_right:
            return _Call(Action.SEND, shown.shown_at + RENOTIFY_SECONDS)
    if not is_right:
        return _Call(Action.EDIT)
    if uncertain_until:
        return _Call(Action.EDIT, uncertain_until)
    return _Call(Action.FORGET) if desired.priority is Priority.HISTORY else None


def _text_after_picture(desired: DesiredMessage, shown: Shown) -> Action:
    """A picture cannot become a text again: a new message takes its place, unless that is history."""
    is_history = not desired.is_needed and shown.mode == Mode.RESULT
    return Action.REMOVE_KEYBOARD if is_history else Action.SEND


def _unshown_result(
    desired: Mapping[str, DesiredMessage], shown: Mapping[str, Shown], history: CallHistory
) -> str | None:
    """The key of a round's result that has not been shown though the next round has begun."""
    for key, message in desired.items():
        if message.is_result and message.priority is Priority.HISTORY:
            there = shown.get(key)
            if there is not None and there.mode != Mode.RESULT and not history.paused_until(key):
                return key
    return None


def _asks_nothing(desired: DesiredMessage, shown: Shown) -> bool:
    """Return whether neither message asks its reader to do something or tells a result."""
    return desired.priority is not Priority.MOVER and not desired.is_result and shown.mode == Mode.PLAIN


def _after_passing(desired: DesiredMessage, since: float) -> float:
    """When to show this where an automatic move is soon to change it."""
    if since <= desired.passes_at <= since + PASSING_SECONDS:
        return desired.passes_at + PROMPT_SECONDS
    return 0.0


def _generous_until(desired: DesiredMessage, priority: Priority, action: Action, since: float) -> float:
    """Until when this leaves room for another call to its chat."""
    if priority >= Priority.WATCHER:
        return math.inf
    if priority is Priority.GROUP and action is Action.EDIT and not desired.is_result:
        return since + GENEROUS_SECONDS
    return 0.0
