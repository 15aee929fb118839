"""What people have written in private and are asked about, in memory alone: whether it may be told."""

from __future__ import annotations

from typing import Final, NamedTuple


class Words(NamedTuple):
    """A message that its writer is asked about; `table_id` as in `Unsaid.keep`."""

    message_id: int
    text: str
    table_id: str


class Unsaid:
    """The last such message of each person. A restart forgets them, and who presses then writes anew."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._words: dict[int, Words] = {}

    def keep(self, user_id: int, message_id: int, text: str, table_id: str = "") -> None:
        """Somebody is asked about this message, and no longer about an earlier one.

        `table_id`: the only table that it may be told at, if there is only one.
        """
        self._words.pop(user_id, None)
        if len(self._words) >= self.MOST:
            del self._words[next(iter(self._words))]
        self._words[user_id] = Words(message_id, text, table_id)

    def find(self, user_id: int, message_id: int) -> str | None:
        """What that message says; None where the question about it has passed."""
        kept = self._words.get(user_id)
        return kept.text if kept is not None and kept.message_id == message_id else None

    def take(self, user_id: int, message_id: int) -> Words | None:
        """As `find`; from now on the question about it has passed."""
        return None if self.find(user_id, message_id) is None else self._words.pop(user_id)

    def put_back(self, user_id: int, words: Words) -> None:
        """The question about what was taken stands, unless somebody is asked about something newer."""
        if user_id not in self._words:
            self.keep(user_id, *words)

    def forget(self, user_id: int, table_id: str) -> None:
        """Nothing can be told at this table any more; words for another one are kept."""
        kept = self._words.get(user_id)
        if kept is not None and kept.table_id == table_id:
            del self._words[user_id]

    def drop(self, user_id: int, message_id: int) -> None:
        """The question about this message has passed."""
        self.take(user_id, message_id)
