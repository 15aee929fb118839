"""One table's messages, as they are and as they should be, and the calls that would make them equal.

Pure bookkeeping: no calls, no storage, and time is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from bot.presenter.wanted import Priority, Wanted, is_result
from bot.storage.shown import Shown

LOOKING_SECONDS = 30.0
"""Who has pressed a button this recently is looking at the chat."""
NUDGE_SECONDS = 10.0
"""When somebody who was looking has not moved for so long, his phone rings after all."""

_RETIRED = "old:"


class Mode(StrEnum):
    """What a shown message has told its reader (`Shown.mode`)."""

    PLAIN = "plain"
    QUIET = "quiet"
    """That he is wanted, by an edit."""
    RUNG = "rung"
    """That he is wanted, by a new message."""


class Action(Enum):
    """What a step does."""

    SEND = auto()
    """A new message; one that it replaces is retired."""
    EDIT = auto()
    DELETE = auto()
    FORGET = auto()
    """The message stays as it is, and is no longer ours to keep. No call."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call that is due, not before `due_at` (unix seconds), for the message under `key`."""

    key: str
    action: Action
    chat_id: int
    priority: Priority
    due_at: float


def retired_key(shown: Shown) -> str:
    """The key under which a message waits to be deleted after something newer has replaced it."""
    return f"{_RETIRED}{shown.key}:{shown.message_id}"


@dataclass(slots=True)
class Desk:
    """A table whose messages are not, or not known to be, as they should be."""

    table_id: str
    is_loaded: bool = False
    """Is `shown` what is stored?"""
    stale_since: float | None = None
    """Since when `wanted` may be out of date."""
    revision: int = 0
    """Of the table that `wanted` was made from."""
    wanted: dict[str, Wanted] | None = None
    """What there should be; None before it was first found out."""
    shown: dict[str, Shown] = field(default_factory=dict)
    under_way: set[str] = field(default_factory=set)
    """Keys with a call that has not ended."""
    held: dict[str, float] = field(default_factory=dict)
    """Keys whose last call failed, and when to try again."""

    def steps(self, now: float, looked_at: Mapping[int, float]) -> list[Step]:
        """The calls that would make the messages what is wanted;

        `looked_at`: when each person last pressed.
        """
        if self.wanted is None or not self.is_loaded:
            return []
        found = []
        for key, wanted in self.wanted.items():
            if key not in self.under_way:
                is_looking = now - looked_at.get(wanted.chat_id, 0.0) <= LOOKING_SECONDS
                step = _step_towards(key, wanted, self.shown.get(key), is_looking=is_looking)
                if step is not None:
                    found.append(step)
        for key, shown in self.shown.items():
            if key not in self.wanted and key not in self.under_way:
                action = Action.FORGET if is_result(key) else Action.DELETE
                found.append(Step(key, action, shown.chat_id, Priority.RETIRED, 0.0))
        return [
            Step(
                step.key,
                step.action,
                step.chat_id,
                step.priority,
                max(step.due_at, self.held.get(step.key, 0.0)),
            )
            for step in found
        ]

    def replaces(self, key: str) -> bool:
        """Is there an earlier message under this key, still to be deleted?"""
        prefix = f"{_RETIRED}{key}:"
        return any(other.startswith(prefix) for other in self.shown)


def _step_towards(key: str, wanted: Wanted, shown: Shown | None, *, is_looking: bool) -> Step | None:
    """The call that makes this message right; None if it is right, or need not be sent."""

    def step(action: Action, due_at: float = 0.0) -> Step:
        return Step(key, action, wanted.chat_id, wanted.priority, due_at)

    if shown is None or shown.chat_id != wanted.chat_id:
        return step(Action.SEND) if wanted.is_needed else None
    is_right = shown.digest == wanted.screen.digest
    if wanted.chat_id > 0 and wanted.screen.rings:
        if shown.mode == Mode.PLAIN:
            return step(Action.EDIT if is_looking else Action.SEND)
        if shown.mode == Mode.QUIET and is_right:
            return step(Action.SEND, due_at=shown.shown_at + NUDGE_SECONDS)
    return None if is_right else step(Action.EDIT)
