"""``--data``: stores the world on disk, so that it survives a restart or a kill.

One SQLite file with a row per record. The changes of one turn of the event loop are written in one
transaction before the next. Unanswered presses, the webhook and the list of notifications are not stored.
"""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

from sandbox.dataclass_json import from_json, to_json
from sandbox.events import Deleted, Edited, Event, Posted, WasReset
from sandbox.model import Bot, Chat, File, Message, User
from sandbox.state import Sandbox

FILE_NAME = "world.sqlite3"
VERSION = 2
SCHEMA = """
CREATE TABLE record (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    content BLOB,
    PRIMARY KEY (kind, key)
)
"""
WRITE = """
INSERT INTO record VALUES (?, ?, ?, ?)
ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body, content = excluded.content
"""
"""Unlike REPLACE, an update keeps a record's position: records are ordered by creation."""
COUNTERS = ("id", "box_message_id", "last_user_id", "last_group_id", "last_supergroup_id")
"""The world's counters and its id."""
NOT_IN_CHAT = frozenset({"messages"})
NOT_IN_BODY = frozenset({"content"})

Key = tuple[str, str]


class StoreError(Exception):
    """The folder can't be used; the message says why."""


class Store:
    """A sandbox's world in a folder. Loads it on construction, and writes its changes from then on."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._sandbox = sandbox
        self._connection = _open(folder / FILE_NAME)
        self._written: dict[Key, str] = {}
        """The small records as they are on disk, to detect changes."""
        self._messages: dict[Key, Message | None] = {}
        """Messages that have changed (None: deleted) since the last write."""
        self._is_due = False
        self._read()
        sandbox.world.listeners.append(self._on_event)

    def close(self) -> None:
        """Write pending changes, and close the file."""
        self.write()
        self._connection.close()

    # --------------------------------------------------------------------------------------------------
    # reading

    def _read(self) -> None:
        rows = self._connection.execute(
            "SELECT kind, key, body, content FROM record ORDER BY rowid"
        ).fetchall()
        world = self._sandbox.world
        messages: list[Message] = []
        updates: list[dict[str, Any]] = []
        for kind, key, body, content in rows:
            values = json.loads(body)
            match kind:
                case "bot":
                    world.bot = from_json(Bot, values)
                    self._sandbox.adopts_token = False
                case "user":
                    world.users[int(key)] = from_json(User, values)
                case "chat":
                    world.chats[int(key)] = from_json(Chat, values)
                case "message":
                    messages.append(from_json(Message, values))
                case "file":
                    world.files[key] = from_json(File, {**values, "content": content})
                case "update":
                    updates.append(values)
                case "counters":
                    self._sandbox.updates.next_id = values.pop("next_update_id")
                    for name, value in values.items():
                        setattr(world, name, value)
            if kind != "message":
                self._written[kind, key] = body
        for message in messages:
            world.chats[message.chat].messages[message.message_id] = message
        self._sandbox.updates.restore(updates)

    # --------------------------------------------------------------------------------------------------
    # writing

    def _on_event(self, event: Event) -> None:
        match event:
            case Posted(message) | Edited(message):
                self._messages[_message_key(message.chat, message.message_id)] = message
            case Deleted(chat, message_ids):
                self._messages |= dict.fromkeys(_message_key(chat, number) for number in message_ids)
            case WasReset():
                self._messages.clear()
                self._connection.execute("DELETE FROM record WHERE kind = 'message'")
            case _:
                pass
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self.write)

    def write(self) -> None:
        """Write everything that has changed in one transaction."""
        self._is_due = False
        records = self._small_records()
        changed = [key for key, body in records.items() if self._written.get(key) != body]
        gone: list[Key] = [key for key in self._written if key not in records]
        gone += [key for key, message in self._messages.items() if message is None]
        rows = [(*key, records[key], self._content(key)) for key in changed]
        for key, message in self._messages.items():
            if message is not None:
                rows.append((*key, _dump(to_json(message)), None))
        if rows or gone:
            with self._connection:
                self._connection.execute("BEGIN")
                self._connection.executemany("DELETE FROM record WHERE kind = ? AND key = ?", gone)
                self._connection.executemany(WRITE, rows)
        self._written = records
        self._messages.clear()

    def _small_records(self) -> dict[Key, str]:
        world, updates = self._sandbox.world, self._sandbox.updates
        counters = {name: getattr(world, name) for name in COUNTERS} | {"next_update_id": updates.next_id}
        records: dict[Key, str] = {("counters", ""): _dump(counters)}
        if not self._sandbox.adopts_token:
            records["bot", ""] = _dump(to_json(world.bot))
        for user in world.users.values():
            records["user", str(user.id)] = _dump(to_json(user))
        for chat in world.chats.values():
            records["chat", str(chat.id)] = _dump(to_json(chat, without=NOT_IN_CHAT))
        for file in world.files.values():
            records["file", file.file_id] = _dump(to_json(file, without=NOT_IN_BODY))
        for update in updates.pending:
            records["update", str(update["update_id"])] = _dump(update)
        return records

    def _content(self, key: Key) -> bytes | None:
        kind, name = key
        return self._sandbox.world.files[name].content if kind == "file" else None


def _message_key(chat: int, message_id: int) -> Key:
    return "message", f"{chat}/{message_id}"


def _dump(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False)


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=1)
        # One sandbox per file. The operating system writes its cache after a kill; only a power failure could
        # lose it.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise StoreError(f"{path} was written by another version of the sandbox; choose another folder")
        if version == 0:
            connection.execute(SCHEMA)
            connection.execute(f"PRAGMA user_version = {VERSION}")
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {error}; is another sandbox running on it?") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: {error}") from error
    return connection
