"""Stores groups: what Telegram says about them, and their settings."""

from __future__ import annotations

from dataclasses import dataclass

import aiosqlite

from bot.storage.database import Database
from bot.storage.errors import StorageError


class UnknownChat(StorageError):
    """This chat is unknown: it must be seen before anything can be set for it."""


@dataclass(frozen=True, slots=True)
class StoredChat:
    """A chat. `title`, `username` and `kind` are Telegram's.

    `language` is the one chosen for it, `settings` those set for it (JSON, opaque here); None: the default
    counts. `may_pin`: the bot may pin messages there, as far as is known. `refused_pictures`: the table for
    which the chat has last refused pictures; None if it takes them, as far as is known.
    """

    chat_id: int
    title: str
    username: str | None
    kind: str
    language: str | None = None
    settings: str | None = None
    may_pin: bool = False
    refused_pictures: str | None = None


class ChatStore:
    """The repository of chats."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, chat_id: int) -> StoredChat | None:
        """The chat with this id; None if it has never been seen."""
        row = await self._database.fetch_one(
            "SELECT chat_id, title, username, kind, language, settings, may_pin, refused_pictures"
            " FROM chats WHERE chat_id = ?",
            (chat_id,),
        )
        if row is None:
            return None
        id_, title, username, kind, language, settings, may_pin, refused_pictures = row
        return StoredChat(id_, title, username, kind, language, settings, bool(may_pin), refused_pictures)

    async def see(self, chat_id: int, title: str, username: str | None, kind: str) -> StoredChat:
        """Store what Telegram says about a chat, if it is new; return all that is known."""
        known = await self.get(chat_id)
        if known is not None and (known.title, known.username, known.kind) == (title, username, kind):
            return known
        await self._database.execute(
            "INSERT INTO chats (chat_id, title, username, kind) VALUES (?, ?, ?, ?) ON CONFLICT (chat_id)"
            " DO UPDATE SET title = excluded.title, username = excluded.username, kind = excluded.kind",
            (chat_id, title, username, kind),
        )
        seen = await self.get(chat_id)
        assert seen is not None
        return seen

    async def set_language(self, chat_id: int, language: str | None) -> None:
        """Set the language of a chat; None: the default. Raises UnknownChat."""
        await self._update("UPDATE chats SET language = ? WHERE chat_id = ?", language, chat_id)

    async def set_settings(self, chat_id: int, settings: str | None) -> None:
        """Set a chat's settings for its tables, as JSON; None: the default. Raises UnknownChat."""
        await self._update("UPDATE chats SET settings = ? WHERE chat_id = ?", settings, chat_id)

    async def set_may_pin(self, chat_id: int, may_pin: bool) -> None:
        """Set whether the bot may pin messages there. Raises UnknownChat."""
        await self._update("UPDATE chats SET may_pin = ? WHERE chat_id = ?", may_pin, chat_id)

    async def set_refused_pictures(self, chat_id: int, table_id: str | None) -> None:
        """Set for which table the chat has refused pictures; None: it may take them. Raises UnknownChat."""
        await self._update("UPDATE chats SET refused_pictures = ? WHERE chat_id = ?", table_id, chat_id)

    async def move(self, old_chat_id: int, new_chat_id: int) -> None:
        """Move a chat's settings and saved rules to its new id; idempotent.

        Whatever is already stored for the new id stays.
        """

        async def move(connection: aiosqlite.Connection) -> None:
            await connection.execute(
                "INSERT INTO chats (chat_id, title, username, kind, language, settings)"
                " SELECT ?, title, username, kind, language, settings FROM chats WHERE chat_id = ?"
                " ON CONFLICT (chat_id) DO UPDATE SET language = coalesce(language, excluded.language),"
                " settings = coalesce(settings, excluded.settings)",
                (new_chat_id, old_chat_id),
            )
            await connection.execute("DELETE FROM chats WHERE chat_id = ?", (old_chat_id,))
            # Where both ids have rules of one name, those of the new id stay.
            await connection.execute(
                "UPDATE rule_sets SET chat_id = ? WHERE chat_id = ? AND name NOT IN"
                " (SELECT name FROM rule_sets WHERE chat_id = ?)",
                (new_chat_id, old_chat_id, new_chat_id),
            )

            await connection.execute(
                "INSERT INTO bells (user_id, chat_id, rung_at)"
                " SELECT user_id, ?, rung_at FROM bells WHERE chat_id = ? AND true ON CONFLICT DO NOTHING",
                (new_chat_id, old_chat_id),
            )
            await connection.execute("DELETE FROM bells WHERE chat_id = ?", (old_chat_id,))

        await self._database.write(move)

    async def _update(self, sql: str, value: str | bool | None, chat_id: int) -> None:
        if await self._database.execute(sql, (value, chat_id)) == 0:
            raise UnknownChat(f"no chat with the id {chat_id} has been seen")
