"""An in-memory cache of committed tables, so that a table in play is not read from the database each time.

The table service puts each new state here after its commit. The cache does no reading itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from bot.tables.model import Table

MOST = 256
"""Tables; the least recently used is dropped first."""
IDLE_SECONDS = 60.0
"""A table unused for this long is dropped by `forget_idle`."""


class TableCache:
    """Recently used tables. `now` gives unix seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: OrderedDict[str, tuple[Table, float]] = OrderedDict()
        """Each table with the time it was last used; most recently used last."""

    def __iter__(self) -> Iterator[Table]:
        """All tables in the cache."""
        return (table for table, _ in self._kept.values())

    def get(self, table_id: str) -> Table | None:
        """The table, if it is in the cache; counts as a use."""
        kept = self._kept.get(table_id)
        return None if kept is None else self.keep(kept[0])

    def keep(self, table: Table) -> Table:
        """Store a table in place of its earlier state, and return it."""
        self._kept[table.id] = table, self._now()
        self._kept.move_to_end(table.id)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return table

    def forget(self, table_id: str) -> None:
        """Drop a table."""
        self._kept.pop(table_id, None)

    def forget_idle(self) -> None:
        """Drop every table that has not been used for `IDLE_SECONDS`."""
        until = self._now() - IDLE_SECONDS
        for table_id, (_, used_at) in list(self._kept.items()):
            if used_at >= until:
                break
            self.forget(table_id)
