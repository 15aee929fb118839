"""People: what Telegram told of them, and what they have chosen for themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.storage.database import Database
from bot.storage.errors import StorageError


class UnknownPerson(StorageError):
    """Nothing is known of this person: he must be seen before anything is set for him."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person.

    `name` (without marks of ours) and `language_code` (an IETF tag) are Telegram's; `language` is the one he
    has chosen, if any. `reachable`: he has started the bot and not blocked it since, so it can write to him.
    `sound`: his turns may ring. `forced_moves`: a move without an alternative is made for him. `hand_order`:
    how his cards are sorted, a word that is opaque here. `hidden`: he wants to stand in no list of players.
    `telling`: whether what he writes in private is told at his table, a word that is opaque here, too.
    """

    user_id: int
    name: str
    language: str | None
    language_code: str | None
    reachable: bool
    sound: bool = True
    forced_moves: bool = True
    hand_order: str = "suit"
    hidden: bool = False
    telling: str = "ask"


_SELECT = (
    "SELECT user_id, name, language, language_code, reachable, sound, forced_moves, hand_order, hidden,"
    " telling"
    " FROM people"
)


class PeopleStore:
    """The repository of people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: int) -> Person | None:
        """The person with this id; None if he has never been seen."""
        row = await self._database.fetch_one(_SELECT + " WHERE user_id = ?", (user_id,))
        return None if row is None else _person(row)

    async def get_many(self, user_ids: Iterable[int]) -> dict[int, Person]:
        """Those of these people who have been seen, by id."""
        ids = json.dumps(list(user_ids))
        rows = await self._database.fetch_all(_SELECT + " JOIN json_each(?) ON user_id = value", (ids,))
        return {person.user_id: person for person in map(_person, rows)}

    async def see(self, user_id: int, name: str, language_code: str | None) -> Person:
        """Take down what Telegram says of a person, if it is new; return all that is known."""
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
        """Say whether the bot can write to this person. Raises UnknownPerson."""
        if (await self._known(user_id)).reachable != reachable:
            await self._database.execute(
                "UPDATE people SET reachable = ? WHERE user_id = ?", (reachable, user_id)
            )

    async def set_language(self, user_id: int, language: str | None) -> None:
        """Set the language he has chosen; None: Telegram's counts again. Raises UnknownPerson."""
        if (await self._known(user_id)).language != language:
            await self._database.execute(
                "UPDATE people SET language = ? WHERE user_id = ?", (language, user_id)
            )

    async def set_sound(self, user_id: int, sound: bool) -> None:
        """Say whether his turns may ring. Raises UnknownPerson."""
        if (await self._known(user_id)).sound != sound:
            await self._database.execute("UPDATE people SET sound = ? WHERE user_id = ?", (sound, user_id))

    async def set_forced_moves(self, user_id: int, forced_moves: bool) -> None:
        """Say whether moves without an alternative are made for him. Raises UnknownPerson."""
        if (await self._known(user_id)).forced_moves != forced_moves:
            await self._database.execute(
                "UPDATE people SET forced_moves = ? WHERE user_id = ?", (forced_moves, user_id)
            )

    async def set_hand_order(self, user_id: int, hand_order: str) -> None:
        """Say how his cards are sorted. Raises UnknownPerson."""
        if (await self._known(user_id)).hand_order != hand_order:
            await self._database.execute(
                "UPDATE people SET hand_order = ? WHERE user_id = ?", (hand_order, user_id)
            )

    async def set_hidden(self, user_id: int, hidden: bool) -> None:
        """Say whether he wants to stand in no list of players. Raises UnknownPerson."""
        if (await self._known(user_id)).hidden != hidden:
            await self._database.execute("UPDATE people SET hidden = ? WHERE user_id = ?", (hidden, user_id))

    async def set_telling(self, user_id: int, telling: str) -> None:
        """Say whether what he writes in private is told at his table. Raises UnknownPerson."""
        if (await self._known(user_id)).telling != telling:
            await self._database.execute(
                "UPDATE people SET telling = ? WHERE user_id = ?", (telling, user_id)
            )

    async def who_moves_by_hand(self) -> frozenset[int]:
        """The ids of those for whom no move is made."""
        rows = await self._database.fetch_all("SELECT user_id FROM people WHERE forced_moves = 0")
        return frozenset(user_id for (user_id,) in rows)

    async def _known(self, user_id: int) -> Person:
        person = await self.get(user_id)
        if person is None:
            raise UnknownPerson(f"nobody with the id {user_id} has been seen")
        return person


def _person(row: tuple[Any, ...]) -> Person:
    user_id, name, language, language_code, reachable, sound, forced_moves, hand_order, hidden, telling = row
    return Person(
        user_id=user_id,
        name=name,
        language=language,
        language_code=language_code,
        reachable=bool(reachable),
        sound=bool(sound),
        forced_moves=bool(forced_moves),
        hand_order=hand_order,
        hidden=bool(hidden),
        telling=telling,
    )
