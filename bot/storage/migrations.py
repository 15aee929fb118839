"""The schema, as a sequence of numbered migrations.

A released migration is never edited, since databases have been through it. To change the schema, append one.
Each runs in one transaction that also sets the new version (`PRAGMA user_version`), so a database is always
at exactly one version.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import aiosqlite

from bot.storage.errors import MigrationFailed, storage_error

APPLICATION_ID = 0x101CA4D5
"""In the file's header it says whose database this is (https://www.sqlite.org/fileformat.html#application_id)."""


@dataclass(frozen=True, slots=True)
class Migration:
    """The step to `version` from the one before, as single statements: a script would commit half-way."""

    version: int
    statements: tuple[str, ...]


_FIRST = Migration(
    version=1,
    statements=(
        f"PRAGMA application_id = {APPLICATION_ID}",
        # The document comes last, so that reading the columns before it need not read through it.
        """
        CREATE TABLE tables (
            id TEXT PRIMARY KEY NOT NULL,
            chat_id INTEGER NOT NULL,
            thread_id INTEGER NOT NULL,
            phase TEXT NOT NULL,
            running INTEGER NOT NULL CHECK (running IN (0, 1)),
            revision INTEGER NOT NULL,
            deadline_at REAL,
            vote_at REAL,
            settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            people TEXT NOT NULL,
            document TEXT NOT NULL
        ) STRICT
        """,
        "CREATE UNIQUE INDEX tables_running ON tables (chat_id, thread_id) WHERE running = 1",
        "CREATE INDEX tables_place ON tables (chat_id, thread_id, created_at)",
        "CREATE INDEX tables_deadline ON tables (deadline_at, id) WHERE deadline_at IS NOT NULL",
        "CREATE INDEX tables_vote ON tables (vote_at, id) WHERE vote_at IS NOT NULL",
        "CREATE INDEX tables_unsettled ON tables (created_at) WHERE settled = 0",
        # Who sits where: an index over `tables.people`, written only by the triggers below.
        """
        CREATE TABLE table_people (
            table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            user_id INTEGER NOT NULL,
            running INTEGER NOT NULL,
            PRIMARY KEY (table_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX table_people_user ON table_people (user_id, running)",
        """
        CREATE TRIGGER tables_created AFTER INSERT ON tables BEGIN
            INSERT INTO table_people (table_id, user_id, running)
            SELECT DISTINCT NEW.id, value, NEW.running FROM json_each(NEW.people);
        END
        """,
        """
        CREATE TRIGGER tables_people_changed AFTER UPDATE OF people, running ON tables
        WHEN NEW.people <> OLD.people OR NEW.running <> OLD.running BEGIN
            DELETE FROM table_people WHERE table_id = NEW.id;
            INSERT INTO table_people (table_id, user_id, running)
            SELECT DISTINCT NEW.id, value, NEW.running FROM json_each(NEW.people);
        END
        """,
        """
        CREATE TABLE table_moves (
            table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
            n INTEGER NOT NULL,
            at REAL NOT NULL,
            actor INTEGER,
            revision INTEGER NOT NULL,
            move TEXT NOT NULL,
            PRIMARY KEY (table_id, n)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE shown (
            table_id TEXT NOT NULL,
            key TEXT NOT NULL,
            chat_id INTEGER NOT NULL,
            message_id INTEGER NOT NULL,
            digest TEXT NOT NULL,
            mode TEXT NOT NULL,
            shown_at REAL NOT NULL,
            recalls INTEGER NOT NULL,
            PRIMARY KEY (table_id, key)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX shown_message ON shown (chat_id, message_id)",
        """
        CREATE TABLE pins (
            chat_id INTEGER NOT NULL,
            thread_id INTEGER NOT NULL,
            table_id TEXT NOT NULL,
            key TEXT NOT NULL,
            message_id INTEGER NOT NULL,
            PRIMARY KEY (chat_id, thread_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE replies (
            chat_id INTEGER NOT NULL,
            thread_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            message_id INTEGER NOT NULL,
            PRIMARY KEY (chat_id, thread_id, kind)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE people (
            user_id INTEGER PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            language TEXT,
            language_code TEXT,
            reachable INTEGER NOT NULL DEFAULT 0 CHECK (reachable IN (0, 1)),
            sound INTEGER NOT NULL DEFAULT 1 CHECK (sound IN (0, 1)),
            forced_moves INTEGER NOT NULL DEFAULT 1 CHECK (forced_moves IN (0, 1)),
            hand_order TEXT NOT NULL DEFAULT 'suit'
        ) STRICT
        """,
        """
        CREATE TABLE chats (
            chat_id INTEGER PRIMARY KEY NOT NULL,
            title TEXT NOT NULL,
            username TEXT,
            kind TEXT NOT NULL,
            language TEXT,
            settings TEXT,
            may_pin INTEGER NOT NULL DEFAULT 0 CHECK (may_pin IN (0, 1))
        ) STRICT
        """,
        """
        CREATE TABLE rule_sets (
            token TEXT PRIMARY KEY NOT NULL,
            chat_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            rules TEXT NOT NULL,
            saved_at REAL NOT NULL,
            UNIQUE (chat_id, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE bells (
            user_id INTEGER NOT NULL,
            chat_id INTEGER NOT NULL,
            rung_at REAL,
            PRIMARY KEY (chat_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE invites (
            token TEXT PRIMARY KEY NOT NULL,
            table_id TEXT NOT NULL,
            user_id INTEGER NOT NULL,
            expires_at REAL NOT NULL,
            UNIQUE (table_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX invites_expiry ON invites (expires_at)",
        """
        CREATE TABLE heartbeat (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            at REAL NOT NULL
        ) STRICT
        """,
    ),
)

_SECOND = Migration(
    version=2,
    statements=(
        """
        CREATE TABLE presented (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            digest TEXT NOT NULL
        ) STRICT
        """,
    ),
)

_THIRD = Migration(
    version=3,
    statements=(
        # The numbers are the order in which the matches ended.
        """
        CREATE TABLE matches (
            n INTEGER PRIMARY KEY,
            table_id TEXT NOT NULL UNIQUE,
            chat_id INTEGER NOT NULL,
            ended_at REAL NOT NULL,
            rounds INTEGER NOT NULL,
            seats INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX matches_chat ON matches (chat_id)",
        """
        CREATE TABLE match_places (
            match INTEGER NOT NULL REFERENCES matches (n) ON DELETE CASCADE,
            user_id INTEGER NOT NULL,
            is_computer INTEGER NOT NULL CHECK (is_computer IN (0, 1)),
            place INTEGER NOT NULL,
            fate TEXT NOT NULL,
            total INTEGER NOT NULL,
            rounds INTEGER NOT NULL,
            rounds_won INTEGER NOT NULL,
            points INTEGER NOT NULL,
            worst INTEGER,
            queens INTEGER NOT NULL,
            out_in INTEGER,
            PRIMARY KEY (match, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX match_places_user ON match_places (user_id, match)",
        """
        CREATE TABLE ratings (
            chat_id INTEGER NOT NULL,
            user_id INTEGER NOT NULL,
            mu REAL NOT NULL,
            sigma REAL NOT NULL,
            PRIMARY KEY (chat_id, user_id)
        ) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE people ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))",
    ),
)

_FOURTH = Migration(
    version=4,
    statements=(
        # The digest of the picture that a message carries; empty for a text.
        "ALTER TABLE shown ADD COLUMN picture TEXT NOT NULL DEFAULT ''",
        # The table to which the chat has refused pictures.
        "ALTER TABLE chats ADD COLUMN refused_pictures TEXT",
        """
        CREATE TABLE photos (
            digest TEXT PRIMARY KEY NOT NULL,
            file_id TEXT NOT NULL,
            uploaded_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX photos_age ON photos (uploaded_at)",
    ),
)

_FIFTH = Migration(
    5,
    (
        """
        CREATE TABLE topics (
            chat_id INTEGER NOT NULL,
            thread_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (chat_id, thread_id)
        ) STRICT, WITHOUT ROWID
        """,
    ),
)

_SIXTH = Migration(
    6,
    ("ALTER TABLE people ADD COLUMN telling TEXT NOT NULL DEFAULT 'ask'",),
)

_SEVENTH = Migration(7, ("ALTER TABLE invites ADD COLUMN used INTEGER NOT NULL DEFAULT 0",))

_EIGHTH = Migration(
    8,
    (
        # The table that a message is about (empty if none), and the stage it had reached.
        "ALTER TABLE replies ADD COLUMN table_id TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE replies ADD COLUMN stage TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX replies_table ON replies (table_id) WHERE table_id <> ''",
    ),
)

# The last round of a table whose deal has ended what it ends among other messages.
_NINTH = Migration(9, ("ALTER TABLE tables ADD COLUMN cleared_round INTEGER NOT NULL DEFAULT 0",))

MIGRATIONS: tuple[Migration, ...] = (
    _FIRST,
    _SECOND,
    _THIRD,
    _FOURTH,
    _FIFTH,
    _SIXTH,
    _SEVENTH,
    _EIGHTH,
    _NINTH,
)


async def schema_version(connection: aiosqlite.Connection) -> int:
    """Return the number of the last migration applied to this database; 0 for a new one."""
    ((version,),) = await connection.execute_fetchall("PRAGMA user_version")
    return int(version)


async def migrate(connection: aiosqlite.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    """Migrate the database to the last of these versions.

    Raises MigrationFailed (or the StorageError for a full disk, a read-only file and the like); earlier
    migrations stay applied.
    """
    version = await schema_version(connection)
    for migration in migrations:
        if migration.version > version:
            await _apply(connection, path, migration)


async def _apply(connection: aiosqlite.Connection, path: Path, migration: Migration) -> None:
    # Off while tables may be rebuilt (a dropped one would take its children along), and checked as a whole
    # before the commit; it cannot be switched inside a transaction
    # (https://www.sqlite.org/lang_altertable.html#otheralter).
    await connection.execute("PRAGMA foreign_keys = OFF")
    try:
        await connection.execute("BEGIN IMMEDIATE")
        for statement in migration.statements:
            await connection.execute(statement)
        if await connection.execute_fetchall("PRAGMA foreign_key_check"):
            raise MigrationFailed(f"{path}: migration {migration.version} leaves references to missing rows")
        await connection.execute(f"PRAGMA user_version = {migration.version:d}")
        await connection.execute("COMMIT")
    except sqlite3.Error as error:
        failed = MigrationFailed(f"{path}: migration {migration.version} failed ({error})")
        raise storage_error(error, path) or failed from error
    finally:
        await connection.rollback()
        await connection.execute("PRAGMA foreign_keys = ON")
