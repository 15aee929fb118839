"""Private texts whose writers are being asked whether to post them at a table. Kept in memory only."""

from __future__ import annotations

from typing import Final, NamedTuple


class Words(NamedTuple):
    """A text that its writer is asked about; `table_id` is as in `Unsaid.keep`."""

    message_id: int
    text: str
    table_id: str


class Unsaid:
    """The last such text of each person. After a restart, people have to write again."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._words: dict[int, Words] = {}

    def keep(self, user_id: int, message_id: int, text: str, table_id: str = "") -> None:
        """Keep the text that a person is asked about, in place of an earlier one.

        `table_id` is the table where it may be posted, if there is only one.
        """
        self._words.pop(user_id, None)
        if len(self._words) >= self.MOST:
            del self._words[next(iter(self._words))]
        self._words[user_id] = Words(message_id, text, table_id)

    def find(self, user_id: int, message_id: int) -> str | None:
        """Return the text; None if the question about it is over."""
        kept = self._words.get(user_id)
        return kept.text if kept is not None and kept.message_id == message_id else None

    def take(self, user_id: int, message_id: int) -> Words | None:
        """Return the text like `find` and forget it."""
        return None if self.find(user_id, message_id) is None else self._words.pop(user_id)

    def put_back(self, user_id: int, words: Words) -> None:
        """Keep a text that was taken again, unless there is a newer one."""
        if user_id not in self._words:
            self.keep(user_id, *words)

    def forget(self, user_id: int, table_id: str) -> None:
        """Forget a text that was to be posted only at this table."""
        kept = self._words.get(user_id)
        if kept is not None and kept.table_id == table_id:
            del self._words[user_id]

    def drop(self, user_id: int, message_id: int) -> None:
        """Forget the text of this message."""
        self.take(user_id, message_id)
