"""The settings of people, groups and tables, each declared once as a field of its owner's class.

Storage, button data, screens, handlers and docs/SETTINGS.md are derived from these declarations. To add a
setting, add a field here, its texts to the catalogues and, for a person's setting, its column in a migration.

Two settings are not declared here: rules, which have their own pages (`bot.screens.settings_rules`), and
languages, which are given by the catalogues.
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
"""A flag; a number of seconds, None for no limit; or a member of a `StrEnum`."""

PACES: Final = (None, 30, 60, 120, 86_400)
"""The paces that a group can choose, in seconds per turn; None for no clock."""

_NUMBER = re.compile(r"[1-9][0-9]{0,15}")


class Editors(StrEnum):
    """The people who may change a group's settings. Admins always may, and only they may change this one."""

    HOST = "host"
    """The host of the running table."""
    ADMINS = "admins"
    EVERYBODY = "everybody"


class Look(StrEnum):
    """The display of a group's tables."""

    TEXT = "text"
    PICTURE = "picture"
    FOUR_COLOURS = "four_colours"
    """A picture with a different colour for each suit."""


class HandOrder(StrEnum):
    """The sort order of a person's cards."""

    SUIT = "suit"
    RANK = "rank"


class Telling(StrEnum):
    """Whether a person's private texts to the bot are posted at their table."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Owner(StrEnum):
    """The owner of a setting."""

    PERSON = "person"
    """A person's own, changed in the private chat."""
    GROUP = "group"
    TABLE = "table"
    """A group's, for its tables."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting with a few values and a button for each.

    `name` is part of page names in button data and of message keys. `code` is the code of its buttons, which
    is never reused for anything else, since old messages keep their buttons. `field` and `default` are those
    of the owner's class. `values` are in the order of their buttons. `admins_only`: only admins may change
    it. `next_match`: a running match keeps the value that it began with.
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
        """Return a value's code in button data: `1`, `0`, `30`, `picture`."""
        return value if isinstance(value, str) else str(int(value or 0))

    def parse(self, code: str) -> Value:
        """Return the value with this code. Raises ValueError.

        A number of seconds need not be among the values: the bot's configuration may have another.
        """
        for value in self.values:
            if self.value_code(value) == code:
                return value
        if not isinstance(self.default, bool | str) and _NUMBER.fullmatch(code):
            return int(code)
        raise ValueError(code)

    def load(self, stored: Any) -> Value:
        """Convert a value stored as JSON or in a column. Raises ValueError."""
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
    """Return the metadata that declares a field as a `Choice`.

    `name` defaults to the field's name; `values` to both flags, or to all members of the enum.
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
    """A group's settings for its tables.

    A table copies them when its lobby opens and follows later changes at once, except that a running match
    keeps its rules and the choices marked `next_match`.

    `turn_seconds`: None for no clock. `cut`: the player before the leader cuts the deck. `stand_in`: a
    computer player of the middle level plays for those who are away; otherwise the minimal move is made for
    them. `hints`: the player to move may ask what that computer player would do. `talk`: players can post
    private texts to the bot at the table.
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
        """Return these settings with those that a match keeps taken from the ones it began with."""
        kept = {it.field: getattr(begun, it.field) for it in choices_of(Owner.TABLE) if it.next_match}
        return replace(self, rules=begun.rules, **kept)

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-compatible document, from which `from_document` restores equal settings."""
        return {"rules": self.rules.to_document(), **_dumped(self, Owner.TABLE)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> TableSettings:
        """Restore settings written by `to_document` of this or an earlier version. Raises BadRules."""
        return cls(Rules.from_document(document["rules"]), **_loaded(document, Owner.TABLE))


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """All settings of a group: those for its tables, how tables look, and who may change settings."""

    table: TableSettings = field(default_factory=TableSettings)
    look: Look = field(default=Look.TEXT, metadata=_choice("sl"))
    editors: Editors = field(default=Editors.HOST, metadata=_choice("sw", admins_only=True))

    def value(self, choice: Choice) -> Value:
        """Return the value of a choice."""
        chosen: Value = getattr(self.table if choice.owner is Owner.TABLE else self, choice.field)
        return chosen

    def choosing(self, choice: Choice, value: Value) -> GroupSettings:
        """Return these settings with another value of a choice."""
        changed: dict[str, Any] = {choice.field: value}
        if choice.owner is Owner.TABLE:
            return replace(self, table=replace(self.table, **changed))
        return replace(self, **changed)

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-compatible document, from which `from_document` restores equal settings."""
        return {**self.table.to_document(), **_dumped(self, Owner.GROUP)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> GroupSettings:
        """Restore settings written by `to_document` of this or an earlier version. Raises BadRules."""
        return cls(TableSettings.from_document(document), **_loaded(document, Owner.GROUP))


@dataclass(frozen=True, slots=True)
class PersonalSettings:
    """A person's own settings.

    `sound`: messages about their turns notify with sound. `forced_moves`: moves without an alternative are
    made for them. `hidden`: they are not listed on leaderboards.
    """

    sound: bool = field(default=True, metadata=_choice("os"))
    forced_moves: bool = field(default=True, metadata=_choice("of"))
    hand_order: HandOrder = field(default=HandOrder.SUIT, metadata=_choice("oh"))
    hidden: bool = field(default=False, metadata=_choice("ov"))
    telling: Telling = field(default=Telling.ASK, metadata=_choice("ot"))

    @classmethod
    def from_columns(cls, stored: Mapping[str, Any]) -> PersonalSettings:
        """Create the settings from database columns."""
        return cls(**_loaded(stored, Owner.PERSON))


def look_in(settings: str | None) -> Look:
    """Return a group's look from its stored settings (JSON; None: the default)."""
    return Look.TEXT if settings is None else Look(json.loads(settings).get("look", Look.TEXT))


def _declared(owner: Owner, kind: type[TableSettings | GroupSettings | PersonalSettings]) -> list[Choice]:
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
"""All choices by name, in the order in which they are offered."""

_BY_OWNER: Final = {owner: tuple(it for it in CHOICES.values() if it.owner is owner) for owner in Owner}


def choices_of(*owners: Owner) -> tuple[Choice, ...]:
    """The choices of these owners."""
    return tuple(choice for owner in owners for choice in _BY_OWNER[owner])


def _dumped(settings: TableSettings | GroupSettings, owner: Owner) -> dict[str, Any]:
    return {choice.field: getattr(settings, choice.field) for choice in choices_of(owner)}


def _loaded(stored: Mapping[str, Any], owner: Owner) -> dict[str, Any]:
    """Convert stored values; a choice without one keeps its default."""
    return {it.field: it.load(stored[it.field]) for it in choices_of(owner) if it.field in stored}
