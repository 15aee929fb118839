"""Reads ``botapi.json``, and finds errors in a request's parameters or in a whole answer.

Checks types only. Lengths, counts and permissions are checked elsewhere.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, assert_never

SCALARS = frozenset({"Integer", "String", "Boolean", "Float", "InputFile"})


@dataclass(frozen=True, slots=True)
class Scalar:
    """One of :data:`SCALARS`."""

    name: str


@dataclass(frozen=True, slots=True)
class Tag:
    """One particular string, such as a union's discriminator."""

    value: str


@dataclass(frozen=True, slots=True)
class Array:
    """A list of values of one type."""

    item: "Expression"


@dataclass(frozen=True, slots=True)
class Reference:
    """A type of the table, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """A union of types."""

    options: tuple["Expression", ...]


Expression = Scalar | Tag | Array | Reference | OneOf


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a type, or a parameter of a method."""

    type: Expression
    required: bool


@dataclass(frozen=True, slots=True)
class Method:
    """A method: its parameters by name, and its result type."""

    name: str
    parameters: Mapping[str, Field]
    returns: Expression


@dataclass(frozen=True, slots=True)
class Problem:
    """The first error, in ``field`` of the type ``owner``; both are empty at the top level."""

    kind: Literal["missing", "unknown", "mistyped"]
    owner: str
    field: str
    expected: str

    def __str__(self) -> str:
        where = f"{self.owner}.{self.field}" if self.owner else "the value"
        return f"{where} is {self.kind}" + (f": {self.expected} expected" if self.expected else "")


def parse_expression(text: str) -> Expression:
    """Parse a type in the grammar of :mod:`sandbox.schema.build`.

    Raises:
        ValueError: if it is not in the grammar.
    """
    options = text.split(" | ")
    if len(options) > 1 and not text.startswith("["):
        return OneOf(tuple(parse_expression(option) for option in options))
    if text.startswith("[") and text.endswith("]"):
        return Array(parse_expression(text[1:-1]))
    if text.startswith("'") and text.endswith("'"):
        return Tag(text[1:-1])
    if text in SCALARS:
        return Scalar(text)
    if re.fullmatch(r"[A-Z]\w*", text):
        return Reference(text)
    raise ValueError(f"not a type: {text!r}")


def _parse_field(text: str) -> Field:
    return Field(parse_expression(text.removeprefix("!")), text.startswith("!"))


def describe(expression: Expression) -> str:
    """Return a type in the documentation's notation."""
    match expression:
        case Scalar(name) | Reference(name):
            return name
        case Tag(value):
            return f'"{value}"'
        case Array(item):
            return f"Array of {describe(item)}"
        case OneOf(options):
            return " or ".join(describe(option) for option in options)
        case _:
            assert_never(expression)


class Schema:
    """The Bot API's methods and types, parsed lazily, because most are never used."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.source: str = raw["source"]
        self.version: str = raw["bot_api"]
        self._raw_methods: dict[str, Any] = raw["methods"]
        self._raw_types: dict[str, Any] = raw["types"]
        self._names = {name.lower(): name for name in self._raw_methods}
        self._methods: dict[str, Method] = {}
        self._types: dict[str, dict[str, Field] | Expression] = {}

    @property
    def method_names(self) -> tuple[str, ...]:
        """All methods, spelt as in the documentation."""
        return tuple(self._raw_methods)

    @property
    def type_names(self) -> tuple[str, ...]:
        """All types."""
        return tuple(self._raw_types)

    def method(self, name: str) -> Method | None:
        """Return a method by its name, ignoring case as Telegram does (Bot API, «Making requests»)."""
        proper = self._names.get(name.lower())
        if proper is None:
            return None
        if proper not in self._methods:
            raw = self._raw_methods[proper]
            parameters = {key: _parse_field(value) for key, value in raw["parameters"].items()}
            self._methods[proper] = Method(proper, parameters, parse_expression(raw["returns"]))
        return self._methods[proper]

    def type(self, name: str) -> dict[str, Field] | Expression:
        """Return a type's fields, or what an alias stands for.

        Raises:
            KeyError: if there is no such type.
        """
        if name not in self._types:
            raw = self._raw_types[name]
            if isinstance(raw, str):
                self._types[name] = parse_expression(raw)
            else:
                self._types[name] = {key: _parse_field(value) for key, value in raw.items()}
        return self._types[name]

    def problem(self, expression: Expression, value: Any, owner: str = "", field: str = "") -> Problem | None:
        """Return what is wrong with a JSON value of this type, or None."""
        match expression:
            case Scalar(name):
                return None if _is_scalar(name, value) else Problem("mistyped", owner, field, name)
            case Tag(tag):
                return None if value == tag else Problem("mistyped", owner, field, f'"{tag}"')
            case Array(item):
                if not isinstance(value, list):
                    return Problem("mistyped", owner, field, describe(expression))
                found = (self.problem(item, element, owner, field) for element in value)
                return next((problem for problem in found if problem), None)
            case Reference(name):
                fields = self.type(name)
                if not isinstance(fields, dict):
                    return self.problem(fields, value, owner, field)
                if not isinstance(value, dict):
                    return Problem("mistyped", owner, field, name)
                return self._problem_in_object(name, fields, value)
            case OneOf(options):
                return self._problem_in_choice(options, value, owner, field)
            case _:
                assert_never(expression)

    def _problem_in_object(
        self, name: str, fields: dict[str, Field], value: dict[str, Any]
    ) -> Problem | None:
        for key, spec in fields.items():
            if spec.required and key not in value:
                return Problem("missing", name, key, describe(spec.type))
        for key, element in value.items():
            if key not in fields:
                return Problem("unknown", name, key, "")
            problem = self.problem(fields[key].type, element, name, key)
            if problem:
                return problem
        return None

    def _problem_in_choice(
        self, options: tuple[Expression, ...], value: Any, owner: str, field: str
    ) -> Problem | None:
        # Skip options that a tag rules out: nested types have many options each.
        problems = [
            Problem("mistyped", owner, field, describe(option))
            if self._is_ruled_out(option, value)
            else self.problem(option, value, owner, field)
            for option in options
        ]
        if None in problems:
            return None
        # Report the problem of the option that the value resembles most.
        likeness = [self._likeness(option, value) for option in options]
        likest = max(likeness)
        if likest > 0:
            return problems[likeness.index(likest)]
        return Problem("mistyped", owner, field, describe(OneOf(options)))

    def _is_ruled_out(self, option: Expression, value: Any) -> bool:
        fields = self._fields(option)
        return isinstance(value, dict) and any(
            key in value and value[key] != tag for key, tag in _tags(fields).items()
        )

    def _likeness(self, option: Expression, value: Any) -> int:
        """Rate how much an object resembles an option: by its tags, then required fields, then known ones."""
        fields = self._fields(option)
        if not fields or not isinstance(value, dict) or self._is_ruled_out(option, value):
            return 0
        tags = sum(key in value for key in _tags(fields))
        required = sum(spec.required and key in value for key, spec in fields.items())
        return 100 * tags + 10 * required + len(fields.keys() & value.keys())

    def _fields(self, option: Expression) -> dict[str, Field]:
        """Return an option's fields; empty if it is not an object."""
        fields = self.type(option.name) if isinstance(option, Reference) else None
        return fields if isinstance(fields, dict) else {}


def _tags(fields: Mapping[str, Field]) -> dict[str, str]:
    return {key: spec.type.value for key, spec in fields.items() if isinstance(spec.type, Tag)}


def _is_scalar(name: str, value: Any) -> bool:
    match name:
        case "Integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "Float":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "Boolean":
            return isinstance(value, bool)
        case _:
            return isinstance(value, str)


@lru_cache(maxsize=1)
def load() -> Schema:
    """Load the table next to this module."""
    return Schema(json.loads(Path(__file__).with_name("botapi.json").read_text(encoding="utf-8")))
