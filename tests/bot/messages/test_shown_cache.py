"""What is stored of shown messages, also after a failed write and while an edit is uncertain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages.desired import DesiredMessage
from bot.messages.rate_limit import Priority
from bot.messages.shown_cache import ShownCache
from bot.messages.table_messages import UNKNOWN, TableMessages
from bot.screens.screen import Screen
from bot.storage import Storage
from bot.storage.database import Database
from bot.storage.errors import ReadOnlyDatabase
from bot.storage.shown import Shown

NOW = 1000.0


def message(table_id: str, key: str, message_id: int) -> Shown:
    return Shown(table_id, key, 5, message_id, "abc", "plain", NOW)


async def test_what_could_not_be_written_is_known_and_goes_into_the_next_commit(database: Database) -> None:
    """Else a message that was sent while the disk was full would be sent again, and the first one stay."""
    store = Storage(database).shown
    shown_cache, first, second = (
        ShownCache(store),
        TableMessages("t1", shown={}),
        TableMessages("t2", shown={}),
    )
    old, new = message("t1", "hand:5", 7), message("t1", "hand:5", 8)
    await shown_cache.put(first, old)

    await database._writer._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(ReadOnlyDatabase):
        await shown_cache.replace(first, new)
    with pytest.raises(ReadOnlyDatabase):
        await shown_cache.drop(first, "old:hand:5:7")
    again = TableMessages("t1")
    await shown_cache.load(again)
    assert again.shown == first.shown == {"hand:5": new}

    await database._writer._connection.execute("PRAGMA query_only = OFF")
    await shown_cache.put(second, message("t2", "hand:6", 9))
    assert await store.of_table("t1") == {"hand:5": new}


async def test_what_an_earlier_edit_may_undo_is_unknown_on_record_until_it_is_shown_once_more(
    database: Database,
) -> None:
    """The process may be killed in between: the next one would take it to be right, and leave it so."""
    store = Storage(database).shown
    shown_cache, table_messages = ShownCache(store), TableMessages("t1", shown={})
    screen = Screen("one")
    table_messages.set_desired({"hand:5": DesiredMessage(5, 0, screen, Priority.WATCHER, silent=True)}, 1)
    shown = replace(message("t1", "hand:5", 7), digest=screen.digest)
    await shown_cache.put(table_messages, shown)
    assert await store.of_table("t1") == {"hand:5": shown}

    await shown_cache.doubt(table_messages, "hand:5")  # an edit is made, and not answered
    assert await store.of_table("t1") == {"hand:5": replace(shown, digest=UNKNOWN)}
    table_messages.mark_uncertain("hand:5", NOW)
    await shown_cache.put(table_messages, shown)  # the next one is
    assert await store.of_table("t1") == {"hand:5": replace(shown, digest=UNKNOWN)}

    (step,) = table_messages.steps(NOW, {})
    table_messages.begin(step, step.due_at, {})
    await shown_cache.put(table_messages, shown)
    assert await store.of_table("t1") == {"hand:5": shown}
