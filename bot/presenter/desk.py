"""One table's messages, as they are and as they should be, and the calls that would make them equal.

Pure bookkeeping: no calls, no storage, and time is passed in.

A turn's start is a new message, so that the phone notifies; but for somebody who has just pressed a button
here, and so is looking at this chat, it is an edit, and the new message comes only if he has not moved after
a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from bot.presenter.budget import Priority
from bot.presenter.schedule import Need
from bot.presenter.wanted import Wanted, is_result
from bot.storage.shown import Shown

LOOKING_SECONDS = 30.0
"""Who has pressed a button this recently is looking at the chat."""
NUDGE_SECONDS = 10.0
"""When somebody who was looking has not moved for so long, his phone rings after all."""
UNHURRIED_SECONDS = 20.0
"""When calls are short, a hand that asks nothing of its reader is brought up to date this often."""
LONGEST_PAUSE_SECONDS = 60.0
"""Before a call that keeps failing is made again."""

_RETIRED = "old:"


class Mode(StrEnum):
    """What a shown message has told its reader (`Shown.mode`)."""

    PLAIN = "plain"
    QUIET = "quiet"
    """That he is wanted, by an edit."""
    RUNG = "rung"
    """That he is wanted, by a new message."""
    FIXED = "fixed"
    """It cannot be deleted, being too old."""


class Action(Enum):
    """What a step does."""

    SEND = auto()
    """A new message; one that it replaces is retired."""
    EDIT = auto()
    STRIP = auto()
    """The message loses its buttons, and is no longer ours to keep."""
    DELETE = auto()
    FORGET = auto()
    """The message stays as it is, and is no longer ours to keep. No call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Need):
    """What the message under `key` needs."""

    table_id: str
    key: str
    action: Action


@dataclass(frozen=True, slots=True)
class Pause:
    """After `failures` calls in a row for one message: when to try again (unix seconds)."""

    failures: int
    until: float


def retired_key(shown: Shown) -> str:
    """The key under which a message waits to be deleted after something newer has replaced it."""
    return f"{_RETIRED}{shown.key}:{shown.message_id}"


@dataclass(slots=True)
class Desk:
    """A table whose messages are not, or not known to be, as they should be.

    `wanted` is what there should be, made from the table's `revision`, and `shown` what there is; each is
    None before it was first found out. `stale_since` is since when `wanted` may be out of date.
    """

    table_id: str
    wanted: dict[str, Wanted] | None = None
    shown: dict[str, Shown] | None = None
    stale_since: float | None = None
    revision: int = 0
    _under_way: set[str] = field(default_factory=set)
    _paused: dict[str, Pause] = field(default_factory=dict)
    _since: dict[str, tuple[Priority, float]] = field(default_factory=dict)
    """Of what priority each key's need is, and since when."""
    _excused: dict[str, float] = field(default_factory=dict)
    """Up to when each key's lateness has been made up for."""
    _steps: list[Step] | None = None
    """What `steps` found last; None: something has changed since."""

    @property
    def is_settled(self) -> bool:
        """Is nothing under way, and nothing known to need to be? Ask `steps` first."""
        return not (self._under_way or self._steps or self.stale_since is not None)

    def steps(self, now: float, looked_at: Mapping[int, float]) -> list[Step]:
        """The calls that would make the messages what is wanted, but for those under way.

        `looked_at`: when each person last pressed.
        """
        if self._steps is None:
            found = list(self._find(now, looked_at))
            self._since = {step.key: self._since[step.key] for step in found}
            self._steps = [step for step in found if step.key not in self._under_way]
        return self._steps

    def begin(self, step: Step, now: float, looked_at: Mapping[int, float]) -> Action:
        """A step's turn has come: what is to be done, from the moment's point of view."""
        actions = {found.key: found.action for found in self._find(now, looked_at)}
        self._under_way.add(step.key)
        self._steps = None
        return actions.get(step.key, step.action)

    def end(self, key: str) -> None:
        """The call for this message is over, whatever came of it."""
        self._under_way.discard(key)
        self._steps = None

    def is_under_way_in(self, chat_id: int) -> bool:
        """Is there a call to this chat that may be adding a message not yet in `shown`?"""
        wanted_there = (key for key, wanted in (self.wanted or {}).items() if wanted.chat_id == chat_id)
        return any(key in self._under_way for key in wanted_there)

    def want(self, wanted: dict[str, Wanted], revision: int) -> None:
        """What there should be has been found out."""
        self.wanted, self.revision = wanted, revision
        self._steps = None

    def put(self, *messages: Shown) -> None:
        """These messages are there, in place of what their keys stood for."""
        assert self.shown is not None
        for message in messages:
            self.shown[message.key] = message
            self._paused.pop(message.key, None)
            self._since.pop(message.key, None)
        self._steps = None

    def drop(self, key: str) -> None:
        """A message is gone, or no longer ours to keep."""
        assert self.shown is not None
        self.shown.pop(key, None)
        self._paused.pop(key, None)
        self._since.pop(key, None)
        self._steps = None

    def pause(self, key: str, now: float, seconds: float) -> float:
        """After a failed call: when to try again, later with each failure in a row (unix seconds)."""
        failures = self._paused[key].failures if key in self._paused else 0
        until = now + min(seconds * 2.0**failures, LONGEST_PAUSE_SECONDS)
        self._paused[key] = Pause(failures + 1, until)
        self._steps = None
        return until

    def resume(self, chat_id: int) -> None:
        """There is reason to believe that calls to this chat work again."""
        keys = {key for key, wanted in (self.wanted or {}).items() if wanted.chat_id == chat_id}
        self._paused = {key: pause for key, pause in self._paused.items() if key not in keys}
        self._steps = None

    def excuse(self, step: Step, until: float) -> float:
        """How long this step is late at that moment (seconds), without what has been excused before."""
        begin = max(step.since, self._excused.get(step.key, 0.0))
        self._excused[step.key] = max(begin, until)
        return max(0.0, until - begin)

    def replaces(self, key: str) -> bool:
        """Is there an earlier message under this key, still to be deleted?"""
        prefix = f"{_RETIRED}{key}:"
        return any(other.startswith(prefix) for other in self.shown or ())

    def _find(self, now: float, looked_at: Mapping[int, float]) -> Iterator[Step]:
        if self.wanted is None or self.shown is None:
            return
        for key, wanted in self.wanted.items():
            shown = self.shown.get(key)
            is_looking = now - looked_at.get(wanted.chat_id, 0.0) <= LOOKING_SECONDS
            need = _need(wanted, shown, is_looking=is_looking)
            if need is not None:
                action, due_at = need
                unhurried_at = due_at
                if action is Action.EDIT and shown is not None and _asks_nothing(wanted, shown):
                    unhurried_at = shown.shown_at + UNHURRIED_SECONDS
                yield self._step(key, action, wanted.chat_id, wanted.priority, now, due_at, unhurried_at)
        for key, shown in self.shown.items():
            if key not in self.wanted:
                stays = is_result(key) or shown.mode == Mode.FIXED
                action = Action.STRIP if stays else Action.DELETE
                yield self._step(key, action, shown.chat_id, Priority.HISTORY, now)

    def _step(
        self,
        key: str,
        action: Action,
        chat_id: int,
        priority: Priority,
        now: float,
        due_at: float = 0.0,
        unhurried_at: float = 0.0,
    ) -> Step:
        paused = self._paused[key].until if key in self._paused else 0.0
        known_as, since = self._since.get(key, (priority, now))
        if known_as is not priority:
            since = now
        self._since[key] = priority, since
        return Step(
            table_id=self.table_id,
            key=key,
            action=action,
            chat_id=chat_id,
            priority=priority,
            since=max(since, due_at),
            due_at=max(due_at, paused),
            unhurried_at=max(unhurried_at, paused),
            takes_call=action is not Action.FORGET,
        )


def _need(wanted: Wanted, shown: Shown | None, *, is_looking: bool) -> tuple[Action, float] | None:
    """What makes this message right, and from when on; None if it is right, or need not be sent."""
    if shown is None or shown.chat_id != wanted.chat_id:
        return (Action.SEND, 0.0) if wanted.is_needed else None
    is_right = shown.digest == wanted.screen.digest
    if wanted.chat_id > 0 and wanted.screen.rings:
        if shown.mode == Mode.PLAIN:
            return Action.EDIT if is_looking else Action.SEND, 0.0
        if shown.mode == Mode.QUIET and is_right:
            return Action.SEND, shown.shown_at + NUDGE_SECONDS
    if not is_right:
        return Action.EDIT, 0.0
    return (Action.FORGET, 0.0) if wanted.priority is Priority.HISTORY else None


def _asks_nothing(wanted: Wanted, shown: Shown) -> bool:
    """Neither what is shown nor what should be has anything to do for its reader."""
    return wanted.priority is Priority.WATCHER and shown.mode == Mode.PLAIN
