"""From what came over HTTP to a method's parameters: typed by the Bot API's own description, or refused.

Telegram ignores a parameter or a field that it does not know. The sandbox refuses it, in words of its own: a
misspelt name that is silently ignored is a bug nobody sees.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.errors import ApiError, bad_request
from sandbox.schema.table import (
    Array,
    Choice,
    Expression,
    Method,
    Problem,
    Reference,
    Scalar,
    Table,
    Tag,
    describe,
)

MISSING = {
    "chat_id": "chat_id is empty",
    "text": "message text is empty",
    "message_id": "message identifier is not specified",
    "message_ids": "message identifiers are not specified",
    "user_id": "invalid user_id specified",
    "photo": "there is no photo in the request",
    "document": "there is no document in the request",
    "media": "input media is not specified",
    "action": "wrong parameter action in request",
}
"""How Telegram says that a parameter is not there, where it has words of its own for it."""

INTEGER = re.compile(r"\s*-?\d{1,19}\s*")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a multipart request."""

    name: str
    mime_type: str
    content: bytes


def read(table: Table, method: Method, raw: Mapping[str, Any], files: Mapping[str, Upload]) -> dict[str, Any]:
    """Check and convert parameters: integers, booleans and objects from text, an uploaded file as an Upload.

    Raises:
        ApiError: 400, for the first parameter that is missing, unknown or of the wrong type.
    """
    referenced = {name.removeprefix("attach://") for name in _attachments(raw)}
    for name in [*raw, *files]:
        if name not in method.parameters and name not in referenced:
            raise bad_request(f'unknown parameter "{name}"')
    result: dict[str, Any] = {}
    for name, field in method.parameters.items():
        if name in files:
            result[name] = files[name]
        elif name in raw and raw[name] is not None:
            result[name] = _value(table, name, field.type, raw[name])
        elif field.required:
            raise missing(name)
    return result


def missing(name: str) -> ApiError:
    """What Telegram answers when this parameter is not there."""
    return bad_request(MISSING.get(name, f'parameter "{name}" is required'))


def _attachments(raw: Mapping[str, Any]) -> list[str]:
    return [name for value in raw.values() for name in re.findall(r"attach://[^\"]+", str(value))]


def _value(table: Table, name: str, expected: Expression, raw: Any) -> Any:
    value = _from_text(expected, raw) if isinstance(raw, str) else raw
    if value is _UNREADABLE:
        raise bad_request(
            f"can't parse {name} JSON object" if _is_structure(expected) else _mistyped(name, expected)
        )
    problem = table.problem(expected, value)
    if problem:
        raise bad_request(_words(name, expected, problem))
    return value


_UNREADABLE = object()


def _from_text(expected: Expression, text: str) -> Any:
    options = expected.options if isinstance(expected, Choice) else (expected,)
    names = {option.name for option in options if isinstance(option, Scalar)}
    if "Integer" in names and INTEGER.fullmatch(text):
        return int(text)
    if "String" in names or "InputFile" in names:
        return text
    if "Boolean" in names:
        # Whatever is not one of the three is false: telegram-bot-api, Client.cpp, to_bool().
        return text.strip().lower() in {"true", "yes", "1"}
    if "Float" in names and re.fullmatch(r"\s*-?\d+(\.\d+)?\s*", text):
        return float(text)
    if any(isinstance(option, Tag) for option in options):
        return text
    if not _is_structure(expected):
        return _UNREADABLE
    try:
        return json.loads(text)
    except ValueError:
        return _UNREADABLE


def _is_structure(expected: Expression) -> bool:
    options = expected.options if isinstance(expected, Choice) else (expected,)
    return any(isinstance(option, Array | Reference) for option in options)


def _mistyped(name: str, expected: Expression) -> str:
    return f'parameter "{name}" must be of type {describe(expected)}'


JSON_NAMES = {"Integer": "Number", "Float": "Number"}


def _words(name: str, expected: Expression, problem: Problem) -> str:
    if not problem.owner:
        return _mistyped(name, expected)
    if problem.kind == "missing":
        return f"can't parse {problem.owner}: Can't find field \"{problem.field}\""
    if problem.kind == "unknown":
        return f'can\'t parse {problem.owner}: unknown field "{problem.field}"'
    json_name = JSON_NAMES.get(problem.expected, problem.expected)
    return f'can\'t parse {problem.owner}: Field "{problem.field}" must be of type {json_name}'
