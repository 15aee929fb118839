"""Parses JSON from outside, however deeply it is nested and whatever bytes it contains.

`json.loads` recurses, so a text nested deeper than Python's stack could not be read at all, and everything
sent along with it would be lost.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST = 100
"""The number of levels that are read if a text is too deep for `json.loads`."""

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
"""A bracket, or a string, whose brackets do not count."""


def parse(payload: bytes | bytearray) -> Any:
    """Return the value; parts below `DEEPEST` levels may be null instead. Raises ValueError for invalid JSON.

    Bytes that are not UTF-8 are replaced.
    """
    text = payload.decode("utf-8", errors="replace")
    try:
        return json.loads(text)
    except RecursionError:
        return json.loads(_cut(text))


def is_deeper(value: Any, levels: int) -> bool:
    """Return whether arrays and objects are nested deeper than `levels` in the value."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            item
            for part in layer
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not layer:
            return False
    return True


def _cut(text: str) -> str:
    """Replace each array and object below `DEEPEST` levels by null."""
    kept: list[str] = []
    level, end = 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            if level == DEEPEST:
                kept += text[end : token.start()], "null"
            level += 1
        elif token[0] in ("]", "}"):
            level -= 1
            if level == DEEPEST:
                end = token.end()
    kept.append(text[end:])
    return "".join(kept)
