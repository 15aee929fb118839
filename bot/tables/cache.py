"""Tables kept in memory for a while, so that a table at which people play is not read for every look at it.

What is kept is what was committed; who changes a table puts its new state here. It knows neither storage nor
what tables are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator

from bot.tables.model import Table

MOST = 256
"""Tables, the latest used."""
IDLE_SECONDS = 60.0
"""What nothing has asked for so long is not kept any more."""


class TableCache:
    """The tables used of late. `now` gives unix seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._kept: OrderedDict[str, tuple[Table, float]] = OrderedDict()
        """With when each was used; the latest used is the last."""

    def __iter__(self) -> Iterator[Table]:
        """All that are kept."""
        return (table for table, _ in self._kept.values())

    def get(self, table_id: str) -> Table | None:
        """The table, if it is kept; then it has been used now."""
        kept = self._kept.get(table_id)
        return None if kept is None else self.keep(kept[0])

    def keep(self, table: Table) -> Table:
        """Keep a table's state in place of an earlier one; the same table."""
        self._kept[table.id] = table, self._now()
        self._kept.move_to_end(table.id)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return table

    def forget(self, table_id: str) -> None:
        """Keep a table no longer."""
        self._kept.pop(table_id, None)

    def forget_idle(self) -> None:
        """Keep no table that has not been used of late."""
        until = self._now() - IDLE_SECONDS
        for table_id, (_, used_at) in list(self._kept.items()):
            if used_at >= until:
                break
            self.forget(table_id)
