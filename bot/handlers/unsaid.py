"""What people have written in private and are asked about, in memory alone: whether it may be told."""

from __future__ import annotations

from typing import Final


class Unsaid:
    """The last such message of each person. A restart forgets them, and who presses then writes anew."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._messages: dict[int, tuple[int, str]] = {}

    def keep(self, user_id: int, message_id: int, text: str) -> None:
        """Somebody is asked about this message, and no longer about an earlier one."""
        self._messages.pop(user_id, None)
        if len(self._messages) >= self.MOST:
            del self._messages[next(iter(self._messages))]
        self._messages[user_id] = message_id, text

    def find(self, user_id: int, message_id: int) -> str | None:
        """What that message says; None where the question about it has passed."""
        kept = self._messages.get(user_id)
        return kept[1] if kept is not None and kept[0] == message_id else None

    def forget(self, user_id: int) -> None:
        """Whatever somebody is asked about, the question has passed."""
        self._messages.pop(user_id, None)

    def drop(self, user_id: int, message_id: int) -> None:
        """The question about this message has passed."""
        if self.find(user_id, message_id) is not None:
            del self._messages[user_id]
