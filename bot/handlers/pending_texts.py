"""Private texts whose writers are being asked whether to post them at a table. Kept in memory only."""

from __future__ import annotations

from typing import Final, NamedTuple


class PendingText(NamedTuple):
    """A text that its writer is asked about; `table_id` is as in `PendingTexts.keep`."""

    message_id: int
    text: str
    table_id: str


class PendingTexts:
    """The last such text of each person. After a restart, people have to write again."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._texts: dict[int, PendingText] = {}

    def keep(self, user_id: int, message_id: int, text: str, table_id: str = "") -> None:
        """Keep the text that a person is asked about, in place of an earlier one.

        `table_id` is the table where it may be posted, if there is only one.
        """
        self._texts.pop(user_id, None)
        if len(self._texts) >= self.MOST:
            del self._texts[next(iter(self._texts))]
        self._texts[user_id] = PendingText(message_id, text, table_id)

    def find(self, user_id: int, message_id: int) -> str | None:
        """Return the text; None if the question about it is over."""
        kept = self._texts.get(user_id)
        return kept.text if kept is not None and kept.message_id == message_id else None

    def take(self, user_id: int, message_id: int) -> PendingText | None:
        """Return the text like `find` and forget it."""
        return None if self.find(user_id, message_id) is None else self._texts.pop(user_id)

    def put_back(self, user_id: int, text: PendingText) -> None:
        """Keep a text that was taken again, unless there is a newer one."""
        if user_id not in self._texts:
            self.keep(user_id, *text)

    def forget(self, user_id: int, table_id: str) -> None:
        """Forget a text that was to be posted only at this table."""
        kept = self._texts.get(user_id)
        if kept is not None and kept.table_id == table_id:
            del self._texts[user_id]

    def drop(self, user_id: int, message_id: int) -> None:
        """Forget the text of this message."""
        self.take(user_id, message_id)
