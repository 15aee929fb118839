"""What people, groups and tables can choose. Each setting is declared once: as a field of what it belongs to.

Storage, button data, screens, handlers and docs/SETTINGS.md follow these declarations. To add a setting, add
a field here, its words to the catalogues and, for a setting of a person, its column in a migration.

Two settings are not in this table: rules, which have pages of their own (`bot.screens.settings_rules`), and
languages, which are whatever catalogues there are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from engine import Rules

Value = bool | int | str | None
"""Yes or no; a number of seconds, None for no limit; or a member of a `StrEnum`."""

PACES: Final = (None, 30, 60, 120, 86_400)
"""Seconds for a turn that a group can choose; None: no clock."""

_NUMBER = re.compile(r"[1-9][0-9]{0,15}")


class Editors(StrEnum):
    """Who may choose for the group. Admins always may, and only they choose this."""

    HOST = "host"
    """The host of the table that runs here."""
    ADMINS = "admins"
    EVERYBODY = "everybody"


class Look(StrEnum):
    """How a group sees its tables."""

    TEXT = "text"
    PICTURE = "picture"
    FOUR_COLOURS = "four_colours"
    """A picture whose suits have a colour each."""


class HandOrder(StrEnum):
    """How a person wants their cards sorted."""

    SUIT = "suit"
    RANK = "rank"


class Telling(StrEnum):
    """Whether what a person writes to the bot in private is told at their table."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Owner(StrEnum):
    """Whose a setting is."""

    PERSON = "person"
    """Chosen by each person for themselves, in their private chat."""
    GROUP = "group"
    TABLE = "table"
    """Chosen by a group for its tables."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting that is one of a few values, with a button for each.

    `name` stands in button data's page names and in the keys of its words. `code` is what its buttons begin
    with; codes are never given to anything else, since old messages keep their buttons. `field` and `default`
    are those of the settings it belongs to. `values` are in the order of their buttons. `admins_only`: nobody
    else may choose. `next_match`: a running match keeps the value that it began with.
    """

    name: str
    code: str
    owner: Owner
    field: str
    default: Value
    values: tuple[Value, ...]
    admins_only: bool = False
    next_match: bool = False

    def value_code(self, value: Value) -> str:
        """A value as it stands in button data: `1`, `0`, `30`, `picture`."""
        return value if isinstance(value, str) else str(int(value or 0))

    def parse(self, code: str) -> Value:
        """The value that a code stands for. Raises ValueError.

        A number of seconds need not be among the values: the host of the bot may have set another.
        """
        for value in self.values:
            if self.value_code(value) == code:
                return value
        if not isinstance(self.default, bool | str) and _NUMBER.fullmatch(code):
            return int(code)
        raise ValueError(code)

    def load(self, stored: Any) -> Value:
        """The value that was stored, as JSON or in a column. Raises ValueError."""
        if isinstance(self.default, bool):
            return bool(stored)
        if isinstance(self.default, StrEnum):
            return type(self.default)(stored)
        seconds: int | None = stored
        return seconds


def _choice(
    code: str,
    *,
    name: str | None = None,
    values: tuple[Value, ...] = (),
    admins_only: bool = False,
    next_match: bool = False,
) -> dict[str, dict[str, Any]]:
    """A field's metadata that makes it a `Choice`.

    `name`: the field's own unless given. `values`: the default and its opposite, or all members of its enum,
    unless given.
    """
    return {
        "choice": {
            "name": name,
            "code": code,
            "values": values,
            "admins_only": admins_only,
            "next_match": next_match,
        }
    }


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a group has chosen for its tables.

    A table takes it over when its lobby opens, and whatever changes later at once; but a running match keeps
    its rules and the choices marked `next_match`.

    `turn_seconds`: None for no clock. `cut`: the player before the leader cuts the deck. `stand_in`: a
    computer player of the middle level plays for those who are away; otherwise the least move is made for
    them. `hints`: whose turn it is may ask what that player would do. `talk`: what players write to the bot
    in private is told at the table.
    """

    rules: Rules = field(default_factory=Rules)
    turn_seconds: int | None = field(
        default=60, metadata=_choice("sk", name="pace", values=PACES, next_match=True)
    )
    cut: bool = field(default=False, metadata=_choice("sc", next_match=True))
    stand_in: bool = field(default=False, metadata=_choice("sd"))
    hints: bool = field(default=False, metadata=_choice("sh"))
    talk: bool = field(default=True, metadata=_choice("sa"))

    def in_match(self, begun: TableSettings) -> TableSettings:
        """What these settings are for a match that began with others."""
        kept = {it.field: getattr(begun, it.field) for it in choices_of(Owner.TABLE) if it.next_match}
        return replace(self, rules=begun.rules, **kept)

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; `from_document` gives equal settings back."""
        return {"rules": self.rules.to_document(), **_dumped(self, Owner.TABLE)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TableSettings:
        """The settings that `to_document` wrote, of this version or an earlier one. Raises BadRules."""
        return cls(Rules.from_document(document["rules"]), **_loaded(document, Owner.TABLE))


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """All that a group has chosen: what its next table begins with, how it looks, and who may choose."""

    table: TableSettings = field(default_factory=TableSettings)
    look: Look = field(default=Look.TEXT, metadata=_choice("sl"))
    editors: Editors = field(default=Editors.HOST, metadata=_choice("sw", admins_only=True))

    def value(self, choice: Choice) -> Value:
        """What is chosen."""
        chosen: Value = getattr(self.table if choice.owner is Owner.TABLE else self, choice.field)
        return chosen

    def choosing(self, choice: Choice, value: Value) -> GroupSettings:
        """These settings with another value of one."""
        changed: dict[str, Any] = {choice.field: value}
        if choice.owner is Owner.TABLE:
            return replace(self, table=replace(self.table, **changed))
        return replace(self, **changed)

    def to_document(self) -> dict[str, Any]:
        """JSON-ready; `from_document` gives equal settings back."""
        return {**self.table.to_document(), **_dumped(self, Owner.GROUP)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> GroupSettings:
        """The settings that `to_document` wrote, of this version or an earlier one. Raises BadRules."""
        return cls(TableSettings.from_document(document), **_loaded(document, Owner.GROUP))


@dataclass(frozen=True, slots=True)
class PersonalSettings:
    """What a person has chosen for themselves.

    `sound`: their turns may ring. `forced_moves`: moves that leave nothing to decide are made for them.
    `hidden`: they are in no list of players.
    """

    sound: bool = field(default=True, metadata=_choice("os"))
    forced_moves: bool = field(default=True, metadata=_choice("of"))
    hand_order: HandOrder = field(default=HandOrder.SUIT, metadata=_choice("oh"))
    hidden: bool = field(default=False, metadata=_choice("ov"))
    telling: Telling = field(default=Telling.ASK, metadata=_choice("ot"))

    @classmethod
    def from_columns(cls, stored: Mapping[str, Any]) -> PersonalSettings:
        """The settings whose columns these are."""
        return cls(**_loaded(stored, Owner.PERSON))


def look_in(settings: str | None) -> Look:
    """How a group sees its tables, from what is stored for it (JSON; None: it has chosen nothing)."""
    return Look.TEXT if settings is None else Look(json.loads(settings).get("look", Look.TEXT))


def _declared(owner: Owner, kind: type[TableSettings | GroupSettings | PersonalSettings]) -> list[Choice]:
    """The fields of a class of settings that are choices."""
    found = []
    for it in fields(kind):
        if "choice" not in it.metadata:
            continue
        declared = dict(it.metadata["choice"])
        default: Any = it.default
        values = declared.pop("values")
        if isinstance(default, bool):
            values = (default, not default)
        elif isinstance(default, StrEnum):
            values = tuple(type(default))
        name = declared.pop("name") or it.name
        found.append(Choice(name, owner=owner, field=it.name, default=default, values=values, **declared))
    return found


CHOICES: Final[Mapping[str, Choice]] = {
    choice.name: choice
    for choice in (
        *_declared(Owner.TABLE, TableSettings),
        *_declared(Owner.GROUP, GroupSettings),
        *_declared(Owner.PERSON, PersonalSettings),
    )
}
"""Every choice there is, by its name, in the order in which they are offered."""

_BY_OWNER: Final = {owner: tuple(it for it in CHOICES.values() if it.owner is owner) for owner in Owner}


def choices_of(*owners: Owner) -> tuple[Choice, ...]:
    """The choices that belong to these."""
    return tuple(choice for owner in owners for choice in _BY_OWNER[owner])


def _dumped(settings: TableSettings | GroupSettings, owner: Owner) -> dict[str, Any]:
    return {choice.field: getattr(settings, choice.field) for choice in choices_of(owner)}


def _loaded(stored: Mapping[str, Any], owner: Owner) -> dict[str, Any]:
    """The values that are stored; what was stored before a choice existed leaves it at its default."""
    return {it.field: it.load(stored[it.field]) for it in choices_of(owner) if it.field in stored}
