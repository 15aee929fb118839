"""Parses JSON from requests and scripts, more strictly than Python's own parser.

Python accepts NaN, numbers of any size and escapes for half a character, and fails on deep nesting with its
own exception. Whatever passes here can be written again as JSON and UTF-8.
"""

import json
import math
from typing import Any, NoReturn

MAX_DEPTH = 100
"""Deepest allowed nesting (TDLib, ``td/utils/JsonBuilder.h``, DEFAULT_MAX_DEPTH)."""
MAX_INTEGER = (1 << 63) - 1


class NotUtf8Error(ValueError):
    """Bytes that are not UTF-8, or an escape for half a character."""


def parse(text: str | bytes) -> Any:
    """Parse a JSON text.

    Raises:
        NotUtf8Error: if a string in it can't be encoded as UTF-8.
        ValueError: if it is not JSON, is nested too deeply, or has a number out of range.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            raise NotUtf8Error("strings must be encoded in UTF-8") from None
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, parse_int=_in_range)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _is_deeper(value, MAX_DEPTH):
        raise ValueError("nested too deeply")
    if "\\u" in text and not is_utf8(json.dumps(value, ensure_ascii=False)):
        raise NotUtf8Error("strings must be encoded in UTF-8")
    return value


def is_utf8(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8; lone surrogates can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


def _in_range(digits: str) -> int:
    # Check the length first: Python refuses to parse numbers of thousands of digits.
    if len(digits) > 20 or abs(number := int(digits)) > MAX_INTEGER:
        raise ValueError("a number is out of range")
    return number


def _is_deeper(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [
            child for item in containers for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return True
