"""Stores people: what Telegram says about them, and their own settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from bot.settings import Choice, Owner, PersonalSettings, Value, choices_of
from bot.storage.database import Database
from bot.storage.errors import StorageError


class UnknownPerson(StorageError):
    """This person is unknown: they must be seen before anything can be set for them."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person.

    `name` (without marks of ours) and `language_code` (an IETF tag) are Telegram's; `language` is the one
    they have chosen, if any. `reachable`: they have started the bot and not blocked it since, so it can write
    to them.
    """

    user_id: int
    name: str
    language: str | None
    language_code: str | None
    reachable: bool
    settings: PersonalSettings = field(default_factory=PersonalSettings)


_CHOICES: Final = tuple(choice.field for choice in choices_of(Owner.PERSON))
"""The columns of what people have chosen; each is called what its setting is."""

_COLUMNS: Final = ", ".join(("user_id", "name", "language", "language_code", "reachable", *_CHOICES))
_SELECT: Final = f"SELECT {_COLUMNS} FROM people"  # noqa: S608 - names that stand in the code


class PeopleStore:
    """The repository of people."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._by_hand: frozenset[int] | None = None

    async def get(self, user_id: int) -> Person | None:
        """The person with this id; None if they have never been seen."""
        row = await self._database.fetch_one(_SELECT + " WHERE user_id = ?", (user_id,))
        return None if row is None else _person(row)

    async def get_many(self, user_ids: Iterable[int]) -> dict[int, Person]:
        """Return those of these people who have been seen, by id."""
        ids = json.dumps(list(user_ids))
        rows = await self._database.fetch_all(_SELECT + " JOIN json_each(?) ON user_id = value", (ids,))
        return {person.user_id: person for person in map(_person, rows)}

    async def see(self, user_id: int, name: str, language_code: str | None) -> Person:
        """Store what Telegram says about a person, if it is new; return all that is known."""
        known = await self.get(user_id)
        if known is not None and (known.name, known.language_code) == (name, language_code):
            return known
        await self._database.execute(
            "INSERT INTO people (user_id, name, language_code) VALUES (?, ?, ?) ON CONFLICT (user_id)"
            " DO UPDATE SET name = excluded.name, language_code = excluded.language_code",
            (user_id, name, language_code),
        )
        seen = await self.get(user_id)
        assert seen is not None
        return seen

    async def set_reachable(self, user_id: int, reachable: bool) -> None:
        """Set whether the bot can write to this person. Raises UnknownPerson."""
        # Compared in the transaction: what was read before it may be about to change.
        sql = "UPDATE people SET reachable = ?1 WHERE user_id = ?2 AND reachable != ?1"
        if await self._database.execute(sql, (reachable, user_id)) == 0:
            await self._known(user_id)

    async def set_language(self, user_id: int, language: str | None) -> None:
        """Set a person's chosen language; None: use Telegram's again. Raises UnknownPerson."""
        if (await self._known(user_id)).language != language:
            await self._database.execute(
                "UPDATE people SET language = ? WHERE user_id = ?", (language, user_id)
            )

    async def choose(self, user_id: int, choice: Choice, value: Value) -> None:
        """Set one of a person's own settings. Raises UnknownPerson."""
        if getattr((await self._known(user_id)).settings, choice.field) == value:
            return
        await self.who_moves_by_hand()
        sql = f"UPDATE people SET {choice.field} = ? WHERE user_id = ?"  # noqa: S608 - a declared name
        await self._database.execute(sql, (value, user_id))
        if choice.field == "forced_moves":
            assert self._by_hand is not None
            self._by_hand = self._by_hand - {user_id} if value else self._by_hand | {user_id}

    async def who_moves_by_hand(self) -> frozenset[int]:
        """Return the ids of those for whom no move is made; cached, since every change of a table asks."""
        if self._by_hand is None:
            rows = await self._database.fetch_all("SELECT user_id FROM people WHERE forced_moves = 0")
            if self._by_hand is None:  # unless another task was quicker, and it may have changed since
                self._by_hand = frozenset(user_id for (user_id,) in rows)
        return self._by_hand

    async def _known(self, user_id: int) -> Person:
        person = await self.get(user_id)
        if person is None:
            raise UnknownPerson(f"nobody with the id {user_id} has been seen")
        return person


def _person(row: tuple[Any, ...]) -> Person:
    user_id, name, language, language_code, reachable, *chosen = row
    settings = PersonalSettings.from_columns(dict(zip(_CHOICES, chosen, strict=True)))
    return Person(user_id, name, language, language_code, bool(reachable), settings)
