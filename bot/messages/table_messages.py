"""One table's message state: desired and shown messages, and the history of calls.

Pure: no calls, no storage, and time is passed in. `reconcile` finds the missing steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.messages.desired import DesiredMessage
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action, CallHistory, Step, reconcile
from bot.screens.screen import Screen
from bot.storage.shown import Shown

LONGEST_PAUSE_SECONDS = 60.0
"""The longest pause before a call that keeps failing is made again."""

UNCERTAIN_SECONDS = 10.0
"""An unanswered edit may take effect this much later, and undo a later one."""

UNKNOWN = ""
"""The digest on record of a message that may show something else than was meant last."""

_SUPERSEDED = "old:"


SupersededScreen: TypeAlias = Callable[[int], Screen | None]


def _no_superseded_screen(_chat_id: int) -> Screen | None:
    return None


@dataclass(frozen=True, slots=True)
class Pause:
    """After `failures` calls in a row for one message: when to try again (unix seconds)."""

    failures: int
    until: float


def superseded_key(shown: Shown) -> str:
    """The key under which a superseded message waits to be deleted."""
    return f"{_SUPERSEDED}{shown.key}:{shown.message_id}"


def is_superseded(shown: Shown) -> bool:
    """Return whether a newer message has replaced this one."""
    return shown.key.startswith(_SUPERSEDED)


@dataclass(slots=True)
class TableMessages:
    """The messages of a table while they are not, or not known to be, right.

    `desired` is made from the table's `revision`, `shown` is on record; each is None until it is known.
    `superseded_screen(chat_id)` is what a superseded message becomes that can't be deleted. `out_of_reach`
    are the chats of unreachable people, and of a group that the bot is not in; their messages wait.
    `stale_since` is when `desired` became outdated (None: it is not).
    """

    table_id: str
    desired: dict[str, DesiredMessage] | None = None
    shown: dict[str, Shown] | None = None
    superseded_screen: SupersededScreen = _no_superseded_screen
    out_of_reach: Collection[int] = ()
    stale_since: float | None = None
    revision: int = 0
    _under_way: dict[str, Action] = field(default_factory=dict)
    """The action under way, by key."""
    _paused: dict[str, Pause] = field(default_factory=dict)
    _uncertain: dict[str, float] = field(default_factory=dict)
    """When to repeat the edit of a message that may be undone, by key."""
    _repeated: dict[str, float] = field(default_factory=dict)
    """When the repetition that is under way was due, by key."""
    _since: dict[str, tuple[Priority, Action, float]] = field(default_factory=dict)
    """What each message needs, and since when, by key."""
    _compensated: dict[str, float] = field(default_factory=dict)
    """Up to when a message's delay has been compensated, by key."""
    _delivered: dict[str, str] = field(default_factory=dict)
    """The digest of the screen delivered last, without the times in it, by key."""
    _steps: list[Step] | None = None
    """The result of `steps`; None: something has changed since."""

    @property
    def is_up_to_date(self) -> bool:
        """True if no step is under way and none missing. Call `steps` first."""
        return not (self._under_way or self._steps or self.stale_since is not None)

    def steps(self, now: float, active_at: Mapping[int, float]) -> list[Step]:
        """The steps that are missing and not under way. `active_at`: when each person last pressed."""
        if self._steps is None:
            found = self._find(now, active_at)
            self._since = {step.key: self._since[step.key] for step in found}
            self._steps = [step for step in found if step.key not in self._under_way]
        return self._steps

    def begin(self, step: Step, now: float, active_at: Mapping[int, float]) -> Action:
        """Mark a step as under way; returns its action, which may have changed since it was found."""
        actions = {found.key: found.action for found in self._find(now, active_at)}
        action = self._under_way[step.key] = actions.get(step.key, step.action)
        if self._uncertain.get(step.key, math.inf) <= now:
            self._repeated[step.key] = self._uncertain.pop(step.key)
        self._steps = None
        return action

    def end(self, key: str) -> None:
        """End the step of this message, whatever its outcome; a repetition that failed is still due."""
        self._under_way.pop(key, None)
        if key in self._repeated:
            self._uncertain.setdefault(key, self._repeated.pop(key))
        self._steps = None

    def is_sure_of(self, key: str) -> bool:
        """Return whether this message certainly shows what is on record."""
        return key not in self._uncertain and key not in self._repeated

    def is_sending_to(self, chat_id: int) -> bool:
        """Return whether a message that is not in `shown` yet is being sent to this chat."""
        keys = {key for key, desired in (self.desired or {}).items() if desired.chat_id == chat_id}
        return any(key in keys for key, action in self._under_way.items() if action is Action.SEND)

    def set_desired(
        self,
        desired: dict[str, DesiredMessage],
        revision: int,
        superseded_screen: SupersededScreen = _no_superseded_screen,
        out_of_reach: Collection[int] = (),
    ) -> None:
        """Replace the desired messages."""
        self.desired, self.revision, self.superseded_screen, self.out_of_reach = (
            desired,
            revision,
            superseded_screen,
            out_of_reach,
        )
        self._steps = None

    def put(self, *messages: Shown) -> None:
        """Record these messages, in place of others under their keys."""
        assert self.shown is not None
        for message in messages:
            before = self.shown.get(message.key)
            if before is not None and before.message_id != message.message_id:
                self._uncertain.pop(message.key, None)
            self._repeated.pop(message.key, None)
            self.shown[message.key] = message
            self._paused.pop(message.key, None)
            self._since.pop(message.key, None)
        self._steps = None

    def drop(self, key: str) -> None:
        """Take a message off the record."""
        assert self.shown is not None
        self.shown.pop(key, None)
        self._paused.pop(key, None)
        self._uncertain.pop(key, None)
        self._repeated.pop(key, None)
        self._since.pop(key, None)
        self._delivered.pop(key, None)
        self._steps = None

    def pause(self, key: str, now: float, seconds: float) -> float:
        """Pause a message after a failed call, longer with each in a row; until when (unix seconds)."""
        failures = self._paused[key].failures if key in self._paused else 0
        until = now + min(seconds * 2.0**failures, LONGEST_PAUSE_SECONDS)
        self._paused[key] = Pause(failures + 1, until)
        self._steps = None
        return until

    def mark_uncertain(self, key: str, now: float) -> None:
        """An unanswered edit may undo a later one: repeat the desired edit once it no longer can."""
        self._uncertain[key] = now + UNCERTAIN_SECONDS
        self._steps = None

    def mark_unknown_uncertain(self, now: float) -> None:
        """Mark every message on record as unknown: an edit that was not answered may still take effect."""
        for key, shown in (self.shown or {}).items():
            if shown.digest == UNKNOWN:
                self.mark_uncertain(key, now)

    def repeat_edit(self, key: str, now: float) -> None:
        """Repeat the edit of a message at once, unless a call for it is missing or under way anyway."""
        is_at_rest = key not in self._under_way and all(step.key != key for step in self._steps or ())
        if is_at_rest and self.is_sure_of(key):
            self.mark_uncertain(key, now - UNCERTAIN_SECONDS)

    def resume(self, chat_id: int) -> None:
        """Calls to this chat may work again: end the pauses there."""
        keys = {key for key, desired in (self.desired or {}).items() if desired.chat_id == chat_id}
        self._paused = {key: pause for key, pause in self._paused.items() if key not in keys}
        self._steps = None

    def compensate_delay(self, step: Step, until: float, screen: Screen) -> float:
        """Return how late this screen is at `until` (seconds), without what has been compensated before.

        A screen that its reader already has, apart from the times in it, is not late. Compensation moves a
        deadline, which the hand then has to show: if that counted as late too, it would never end.
        """
        if self._delivered.get(step.key) == screen.timeless_digest:
            return 0.0
        begin = max(step.since, self._compensated.get(step.key, 0.0))
        self._compensated[step.key] = max(begin, until)
        return max(0.0, until - begin)

    def delivered(self, key: str, screen: Screen) -> None:
        """Record that the reader of this message has this screen."""
        self._delivered[key] = screen.timeless_digest

    def replaces(self, key: str) -> bool:
        """Return whether there is a superseded message of this key still to be deleted."""
        prefix = f"{_SUPERSEDED}{key}:"
        return any(other.startswith(prefix) for other in self.shown or ())

    def _find(self, now: float, active_at: Mapping[int, float]) -> list[Step]:
        if self.desired is None or self.shown is None:
            return []

        def since(key: str, priority: Priority, action: Action) -> float:
            known = self._since.get(key)
            if known is None or known[:2] != (priority, action):
                known = self._since[key] = priority, action, now
            return known[2]

        def paused_until(key: str) -> float:
            return self._paused[key].until if key in self._paused else 0.0

        def uncertain_until(key: str) -> float:
            return self._uncertain.get(key, 0.0)

        history = CallHistory(since, paused_until, uncertain_until, active_at)
        found = reconcile(self.table_id, self.desired, self.shown, history, now)
        return [step for step in found if step.chat_id not in self.out_of_reach and not self._is_early(step)]

    def _is_early(self, step: Step) -> bool:
        """Return whether a superseded message, edited only once, would link to one not sent yet."""
        if step.action is not Action.REMOVE_KEYBOARD or not step.key.startswith(_SUPERSEDED):
            return False
        key = step.key.removeprefix(_SUPERSEDED).rpartition(":")[0]
        desired = (self.desired or {}).get(key)
        return desired is not None and desired.is_needed and key not in (self.shown or {})
