"""One step in progress: its action, its message, and what that should show."""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages.desired import DesiredMessage
from bot.messages.outcomes import MoverDelayed, OutcomeListener
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action, Step
from bot.messages.table_messages import TableMessages
from bot.storage.shown import Shown

NOTICEABLE_SECONDS = 1.0
"""If the hand comes later than this, the mover's time counts from the hand's arrival."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step with its action at the time of execution, and `desired` if something is desired."""

    step: Step
    action: Action
    messages: TableMessages
    desired: DesiredMessage | None

    @property
    def key(self) -> str:
        """The key of the message."""
        return self.step.key

    @property
    def chat_id(self) -> int:
        """The chat of the message."""
        return self.step.chat_id

    @property
    def shown(self) -> Shown | None:
        """The message on record under the key now."""
        assert self.messages.shown is not None
        return self.messages.shown.get(self.step.key)

    @property
    def where(self) -> dict[str, object]:
        """The ids of the call for the log."""
        return {
            "table": self.messages.table_id,
            "revision": self.messages.revision,
            "chat": self.step.chat_id,
            "key": self.step.key,
            "action": self.action.name,
        }

    @property
    def shows_something(self) -> bool:
        """True if it is to show a screen, rather than to remove something."""
        return self.action in (Action.SEND, Action.EDIT)

    @property
    def shows_picture_to_group(self) -> bool:
        """True if it is to show a picture in a group."""
        desired = self.desired
        if desired is None or not self.shows_something:
            return False
        return desired.chat_id < 0 and desired.screen.picture is not None

    async def compensate_delay(self, until: float, report: OutcomeListener) -> None:
        """Report the mover's hand as late up to `until`: time without it does not count."""
        if self.step.priority is not Priority.MOVER or self.desired is None:
            return
        seconds = self.messages.compensate_delay(self.step, until, self.desired.screen)
        if seconds > NOTICEABLE_SECONDS:
            await report(MoverDelayed(self.messages.table_id, seconds))
