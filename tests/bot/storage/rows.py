"""Rows to store: a table in one line, with the columns that matter to a test."""

import dataclasses
from typing import Any

from bot.storage.tables import MoveToLog, TableRow

_LOBBY = TableRow(
    id="t1",
    chat_id=-100,
    thread_id=0,
    phase="lobby",
    running=True,
    revision=0,
    deadline_at=None,
    document='{"cards": "all of them"}',
    people=(1, 2),
    created_at=1000.0,
    updated_at=1000.0,
)


def table(**columns: Any) -> TableRow:
    return dataclasses.replace(_LOBBY, **columns)


def move(text: str, actor: int | None = 1, at: float = 1000.0) -> MoveToLog:
    return MoveToLog(at=at, actor=actor, move=text)
