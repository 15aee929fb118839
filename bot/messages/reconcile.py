"""What each message of a table needs, and how urgent it is: from what is wanted and what is shown, no more.

A turn's start is a new message, so that the phone notifies; but for somebody who has just pressed a button
here, and so is looking at this chat, it is an edit, and the new message comes only if he has not moved after
a while. Each time that somebody is called again about his turn is like its start. The next round waits until
the group has been told the result of the last.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from bot.messages.desired import DesiredMessage, is_for_good
from bot.messages.rate_limit import Priority
from bot.messages.scheduler import PendingCall
from bot.storage.shown import Shown

ACTIVE_SECONDS = 30.0
"""Who has pressed a button this recently is looking at the chat."""
NUDGE_SECONDS = 10.0
"""When somebody who was looking has not moved for so long, his phone rings after all."""
UNHURRIED_SECONDS = 20.0
"""When calls are short, a hand that asks nothing of its reader is brought up to date this often."""
GENEROUS_SECONDS = 3.8
"""For so long an edit of the table leaves a free call to what cannot wait: a result, the next round's table.

With it the table is never 4 s behind.
"""
PASSING_SECONDS = 2.5
"""Where moves follow one another by themselves, what comes of them is shown, and at least this often."""
PROMPT_SECONDS = 0.1
"""Within so long after its time a move that makes itself has been made."""
RESULT_SECONDS = 4.0
"""For so long at most the next round waits for the result of the last."""


class Mode(StrEnum):
    """What a shown message has told its readers (`Shown.mode`)."""

    PLAIN = "plain"
    QUIET = "quiet"
    """That he is wanted, by an edit."""
    RUNG = "rung"
    """That he is wanted, by a new message."""
    RESULT = "result"
    """How a round has ended."""
    FIXED = "fixed"
    """It cannot be deleted, being too old."""


class Action(Enum):
    """What a step does."""

    SEND = auto()
    """A new message; one that it replaces is retired."""
    EDIT = auto()
    REMOVE_KEYBOARD = auto()
    """The message loses its buttons and, where another has replaced it, tells the way to that one. It is no
    longer ours to keep.
    """
    DELETE = auto()
    FORGET = auto()
    """The message stays as it is, and is no longer ours to keep. No call."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Step(PendingCall):
    """What the message under `key` needs."""

    table_id: str
    key: str
    action: Action


@dataclass(frozen=True, slots=True)
class CallHistory:
    """What is remembered of a table's messages beside what they show.

    `since(key, priority, action)`: from when on it has needed just that. `paused_until(key)`: when a call may
    be tried again (0 if none failed). `uncertain_until(key)`: until when an earlier edit, of which nothing
    was heard, may still take effect (0 if there is none). `active_at`: when each person last pressed
    something in private. All in unix seconds.
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
    """The calls that would make the messages of a table what is wanted."""
    unshown = _unshown_result(desired, shown, history)
    earliest = (
        0.0 if unshown is None else history.since(unshown, Priority.GROUP, Action.EDIT) + RESULT_SECONDS
    )
    for key, message in desired.items():
        there = shown.get(key)
        is_active = now - history.active_at.get(message.chat_id, 0.0) <= ACTIVE_SECONDS
        call = _missing_call(message, there, history.uncertain_until(key), is_active=is_active)
        if call is None:
            continue
        action, due_at = call
        priority = Priority.GROUP if key == unshown else message.priority
        since = history.since(key, priority, action)
        if key != unshown:
            due_at = max(due_at, earliest)
        unhurried_at = due_at
        if action is Action.EDIT and there is not None and _asks_nothing(message, there):
            due_at = max(due_at, _after_passing(message, since))
            can_wait = priority is Priority.WATCHER
            unhurried_at = max(due_at, there.shown_at + UNHURRIED_SECONDS) if can_wait else due_at
        paused_until = history.paused_until(key)
        yield Step(
            table_id=table_id,
            key=key,
            chat_id=message.chat_id,
            priority=priority,
            action=action,
            since=max(since, due_at),
            due_at=max(due_at, paused_until),
            unhurried_at=max(unhurried_at, paused_until),
            generous_until=_generous_until(message, priority, action, since),
            takes_call=action is not Action.FORGET,
        )
    for key, there in shown.items():
        if key not in desired:
            action = Action.REMOVE_KEYBOARD if is_for_good(key) or there.mode == Mode.FIXED else Action.DELETE
            paused_until = history.paused_until(key)
            yield Step(
                table_id=table_id,
                key=key,
                chat_id=there.chat_id,
                priority=Priority.HISTORY,
                action=action,
                since=history.since(key, Priority.HISTORY, action),
                due_at=paused_until,
                unhurried_at=paused_until,
                generous_until=math.inf,
            )


def _missing_call(
    desired: DesiredMessage, shown: Shown | None, uncertain_until: float, *, is_active: bool
) -> tuple[Action, float] | None:
    """What makes this message right, and from when on; None if it is right, or need not be sent."""
    if shown is None or shown.chat_id != desired.chat_id:
        return (Action.SEND, 0.0) if desired.is_needed else None
    if shown.picture and desired.screen.picture is None:
        return _text_after_picture(desired, shown), 0.0
    is_right = shown.digest == desired.screen.digest
    if desired.chat_id > 0 and desired.screen.rings:
        if shown.mode == Mode.PLAIN or desired.screen.recalls > shown.recalls:
            return Action.EDIT if is_active else Action.SEND, 0.0
        if shown.mode == Mode.QUIET and is_right:
            return Action.SEND, shown.shown_at + NUDGE_SECONDS
    if not is_right:
        return Action.EDIT, 0.0
    if uncertain_until:
        return Action.EDIT, uncertain_until
    return (Action.FORGET, 0.0) if desired.priority is Priority.HISTORY else None


def _text_after_picture(desired: DesiredMessage, shown: Shown) -> Action:
    """A picture cannot become a text again: a new message takes its place, unless that is history."""
    is_history = not desired.is_needed and shown.mode == Mode.RESULT
    return Action.REMOVE_KEYBOARD if is_history else Action.SEND


def _unshown_result(
    desired: Mapping[str, DesiredMessage], shown: Mapping[str, Shown], history: CallHistory
) -> str | None:
    """The key of a round's result that has not been told, though the next round is there already."""
    for key, message in desired.items():
        if message.is_result and message.priority is Priority.HISTORY:
            there = shown.get(key)
            if there is not None and there.mode != Mode.RESULT and not history.paused_until(key):
                return key
    return None


def _asks_nothing(desired: DesiredMessage, shown: Shown) -> bool:
    """Neither what is shown nor what should be is anything that its reader has to do or to know at once."""
    return desired.priority is not Priority.MOVER and not desired.is_result and shown.mode == Mode.PLAIN


def _after_passing(desired: DesiredMessage, since: float) -> float:
    """From when on this shall be shown, if it is soon to be something else by itself."""
    if since <= desired.passes_at <= since + PASSING_SECONDS:
        return desired.passes_at + PROMPT_SECONDS
    return 0.0


def _generous_until(desired: DesiredMessage, priority: Priority, action: Action, since: float) -> float:
    """Until when this leaves another call to its chat free."""
    if priority >= Priority.WATCHER:
        return math.inf
    if priority is Priority.GROUP and action is Action.EDIT and not desired.is_result:
        return since + GENEROUS_SECONDS
    return 0.0
