"""Converts dataclasses to JSON values and back, guided by their annotations."""

import dataclasses
import types
import typing
from typing import Any, TypeVar, cast

T = TypeVar("T")

_known_hints: dict[type, dict[str, Any]] = {}


def to_json(record: Any, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a dataclass as an object of JSON values, without the named fields."""
    fields = (field.name for field in dataclasses.fields(record) if field.name not in without)
    return {name: _value_to_json(getattr(record, name)) for name in fields}


def _value_to_json(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return to_json(value)
    if isinstance(value, dict):
        return {str(key): _value_to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_value_to_json(item) for item in value]
    return value


def from_json(kind: type[T], values: dict[str, Any]) -> T:
    """Rebuild a dataclass from the output of :func:`to_json`; missing fields get their defaults.

    Raises:
        TypeError: if there is an unknown field, or one without a default is missing.
    """
    hints = _hints(kind)
    return kind(**{name: _value_from_json(hints.get(name), value) for name, value in values.items()})


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _known_hints:
        _known_hints[kind] = typing.get_type_hints(kind)
    return _known_hints[kind]


def _value_from_json(hint: Any, value: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if value is None or hint is None:
        return value
    if origin in (types.UnionType, typing.Union):
        return _value_from_json(next(part for part in arguments if part is not types.NoneType), value)
    if dataclasses.is_dataclass(hint):
        return from_json(cast("type[Any]", hint), value)
    if origin is dict and isinstance(value, dict):
        key_type, item_type = arguments
        return {key_type(key): _value_from_json(item_type, item) for key, item in value.items()}
    if origin is list and isinstance(value, list):
        return [_value_from_json(arguments[0], item) for item in value]
    return value
