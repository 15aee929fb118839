"""Tables with one or two messages, desired and shown, and the steps between them."""

from __future__ import annotations

from bot.messages.desired import DesiredMessage, board_key, hand_key
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action, Mode
from bot.messages.table_messages import TableMessages
from bot.screens.screen import Screen
from bot.storage.shown import Shown

GROUP, ANYA = -100, 1
NOW = 1_000.0
HAND, BOARD = hand_key(ANYA), board_key(1)
MY_TURN, WAITING = Screen("your turn", notifies=True), Screen("wait")


def desired(screen: Screen, chat: int = ANYA, *, is_needed: bool = True) -> DesiredMessage:
    """A desired message with this screen; without notification it is a waiting player's, or history."""
    priority = Priority.MOVER if screen.notifies else Priority.WATCHER if is_needed else Priority.HISTORY
    return DesiredMessage(chat, 0, screen, priority, silent=not screen.notifies, is_needed=is_needed)


def shown(key: str, screen: Screen, mode: Mode = Mode.PLAIN, chat: int = ANYA, at: float = NOW) -> Shown:
    """A shown message with this screen."""
    return Shown("t1", key, chat, 5, screen.digest, mode, at)


def steps(
    set_desired: dict[str, DesiredMessage],
    have: list[Shown],
    *,
    now: float = NOW,
    active_at: float | None = None,
) -> list[tuple[str, Action, float]]:
    """The steps that are missing: key, action and due time. `active_at`: when Anya last pressed a button."""
    table_messages = TableMessages("t1", desired=set_desired, shown={one.key: one for one in have})
    found = table_messages.steps(now, {} if active_at is None else {ANYA: active_at})
    return [(step.key, step.action, step.due_at) for step in found]
