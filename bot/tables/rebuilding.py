"""Rebuilds the records of matches from their evidence, the logs of moves.

Used by `python -m bot rebuild-records`, while the bot is stopped. The resulting rows equal the old ones,
unless something was wrong with those.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.records.values import MatchRecord
from bot.storage import Storage
from bot.storage.tables import LoggedMove
from bot.tables.codec import load_table
from bot.tables.export import at_start
from bot.tables.model import Table
from bot.tables.record import match_record
from bot.tables.refusals import Refusal
from bot.tables.transitions.playing import moved
from engine import Illegal, new_match
from engine.codec import load_move

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The number of recorded matches, and the ids of tables whose logs could not be replayed."""

    matches: int
    unreadable: tuple[str, ...]


async def rebuild_records(storage: Storage) -> Rebuilt:
    """Replay every match that is over, and replace all records by the results.

    A record stays as it is if there is nothing to rebuild it from: if the table is gone, or its log does not
    lead to the stored match.
    """
    kept = {match.table_id: match for match in await storage.records.matches()}
    made: dict[str, MatchRecord] = {}
    unreadable = []
    over = await storage.tables.over_ids()
    for table_id in over:
        try:
            record = await _replayed(storage, table_id)
        except (ValueError, KeyError, IndexError, Illegal, Refusal) as error:
            log.error("table %s: its match cannot be replayed (%s)", table_id, type(error).__name__)
            unreadable.append(table_id)
            record = kept.get(table_id)
        if record is not None:
            made[table_id] = record
    for table_id in kept.keys() - set(over):
        made[table_id] = kept[table_id]
    await storage.records.replace(_in_order(list(kept), made))
    return Rebuilt(len(made), tuple(unreadable))


async def _replayed(storage: Storage, table_id: str) -> MatchRecord | None:
    """Return the record of a table's match, from the log alone except for players and rules."""
    row = await storage.tables.load(table_id)
    moves = await storage.tables.move_log(table_id)
    if row is None or not moves:
        return None
    return match_record(_replay(load_table(row), moves))


def _replay(table: Table, logged: Sequence[LoggedMove]) -> Table:
    """Return the table with the match of its log. Raises ValueError if that is not the stored one."""
    moves = [load_move(json.loads(entry.move)) for entry in logged]
    begun = replace(
        table,
        match=new_match(table.settings.rules, at_start(table, moves)),
        history=(),
        rounds=(),
        dealt=(),
        finishes=(),
        ended_at=logged[-1].at,
    )
    replayed = moved(begun, moves)
    if replayed.match != table.match:
        raise ValueError("the log does not lead to the stored match")
    return replayed


def _in_order(kept: Sequence[str], made: dict[str, MatchRecord]) -> Iterator[MatchRecord]:
    """Sort matches by their end: recorded ones in their recorded order, the others by time among them.

    Time alone is not enough: the clock may have been set back, and two tables may have ended at the same
    time.
    """
    old = [made[table_id] for table_id in kept if table_id in made]
    new = sorted((made[it] for it in made.keys() - set(kept)), key=lambda it: (it.ended_at, it.table_id))
    for match in old:
        while new and new[0].ended_at < match.ended_at:
            yield new.pop(0)
        yield match
    yield from new
