"""Converts HTTP parameters to a method's typed parameters, using the Bot API's own description.

Telegram ignores unknown parameters and fields. The sandbox refuses them, with messages of its own, because
otherwise a misspelt name goes unnoticed. All other messages are those of ``telegram-bot-api``
(``Client.cpp``; ``td/utils/JsonBuilder.cpp``) for the same error.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sandbox import jsontext
from sandbox.errors import ApiError, bad_request
from sandbox.jsontext import NotUtf8Error
from sandbox.schema.table import Array, Expression, Method, OneOf, Problem, Reference, Scalar, Schema, Tag
from sandbox.schema.table import describe as type_name

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
"""Telegram's own messages for missing parameters."""

BEFORE = {
    "InlineKeyboardButton": "inline keyboard button",
    "KeyboardButton": "keyboard button",
    "MessageEntity": "MessageEntity",
    "BotCommandScope": "BotCommandScope",
    "BotCommand": "BotCommand",
    "InputMedia": "InputMedia",
    "MenuButton": "MenuButton",
    "ReactionType": "ReactionType",
}
"""What Telegram says it could not parse, by the beginning of the type's name; otherwise it names only the
field.
"""
IN_BUTTONS = frozenset({"CopyTextButton", "LoginUrl", "SwitchInlineQueryChosenChat", "CallbackGame"})

UNREADABLE = {"reply_markup": "can't parse reply keyboard markup JSON object"}
NO_OBJECT = {"reply_markup": "object expected as reply markup"}

INTEGER = re.compile(r"\s*-?\d{1,19}\s*")
FLOAT = re.compile(r"\s*-?\d+(\.\d+)?\s*")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file from a multipart request."""

    name: str
    mime_type: str
    content: bytes


def read(
    schema: Schema, method: Method, raw: Mapping[str, Any], files: Mapping[str, Upload]
) -> dict[str, Any]:
    """Check and convert parameters: integers, booleans and objects from text, an uploaded file to an Upload.

    Raises:
        ApiError: 400 for the first parameter that is missing, unknown or of the wrong type.
    """
    attached = {name for value in raw.values() for name in re.findall(r"attach://([^\"]+)", str(value))}
    for name in [*raw, *files]:
        if name not in method.parameters and name not in attached:
            raise bad_request(f'unknown parameter "{name}"')
    result: dict[str, Any] = {}
    lacking: list[str] = []
    for name, field in method.parameters.items():
        if name in files:
            result[name] = files[name]
        elif name in raw and raw[name] is not None:
            result[name] = _value(schema, name, field.type, raw[name])
        elif field.required:
            lacking.append(name)
    if lacking:
        # The content is checked before the chat (Client.cpp, process_send_message_query).
        raise missing(next((name for name in lacking if name != "chat_id"), "chat_id"))
    return result


def missing(name: str) -> ApiError:
    """Return Telegram's error for a missing parameter."""
    return bad_request(MISSING.get(name, f'parameter "{name}" is required'))


def _value(schema: Schema, name: str, expected: Expression, raw: Any) -> Any:
    value = _from_text(expected, raw) if isinstance(raw, str) else raw
    if value is _UNREADABLE:
        if _is_structure(expected):
            raise bad_request(UNREADABLE.get(name, f"can't parse {name} JSON object"))
        raise bad_request(_mistyped(name, expected))
    problem = schema.problem(expected, value)
    if problem:
        raise bad_request(_words(name, expected, problem))
    return value


_UNREADABLE = object()


def _from_text(expected: Expression, text: str) -> Any:
    options = expected.options if isinstance(expected, OneOf) else (expected,)
    names = {option.name for option in options if isinstance(option, Scalar)}
    if "Integer" in names and INTEGER.fullmatch(text):
        return int(text)
    if names & {"String", "InputFile"} or any(isinstance(option, Tag) for option in options):
        return text
    if "Boolean" in names:
        # Anything else is false (telegram-bot-api, Client.cpp, to_bool).
        return text.strip().lower() in {"true", "yes", "1"}
    if "Float" in names and FLOAT.fullmatch(text):
        return float(text)
    if not _is_structure(expected):
        return _UNREADABLE
    try:
        return jsontext.parse(text)
    except NotUtf8Error as error:
        raise bad_request(str(error)) from None
    except ValueError:
        return _UNREADABLE


def _is_structure(expected: Expression) -> bool:
    options = expected.options if isinstance(expected, OneOf) else (expected,)
    return any(isinstance(option, Array | Reference) for option in options)


def _mistyped(name: str, expected: Expression) -> str:
    return NO_OBJECT.get(name, f'parameter "{name}" must be of type {type_name(expected)}')


def _words(name: str, expected: Expression, problem: Problem) -> str:
    if not problem.owner:
        return _mistyped(name, expected)
    match problem.kind:
        case "missing":
            complaint = f'Can\'t find field "{problem.field}"'
        case "unknown":
            complaint = f'Unknown field "{problem.field}"'
        case _:
            complaint = f'Field "{problem.field}" must be of type {_json_type(problem.expected)}'
    before = _before(problem.owner)
    return f"can't parse {before}: {complaint}" if before else complaint[0].lower() + complaint[1:]


def _before(owner: str) -> str | None:
    if owner in IN_BUTTONS:
        return BEFORE["InlineKeyboardButton"]
    return next((words for start, words in BEFORE.items() if owner.startswith(start)), None)


def _json_type(expected: str) -> str:
    """Return the JSON type behind a type of the Bot API, as TDLib's parser names it."""
    if expected.startswith("Array"):
        return "Array"
    if expected.startswith('"'):
        return "String"
    names = {"Integer": "Number", "Float": "Number", "String": "String", "Boolean": "Boolean"}
    return names.get(expected, expected if " or " in expected else "Object")
