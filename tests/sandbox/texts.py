"""Parameters for texts, in each of the ways to mark a part of one."""

from typing import Any

from tests.e2e.telegram import Json


def html(source: str) -> Json:
    return {"text": source, "parse_mode": "HTML"}


def markdown(source: str) -> Json:
    return {"text": source, "parse_mode": "MarkdownV2"}


def entity(kind: str, offset: int, length: int, **more: Any) -> Json:
    return {"type": kind, "offset": offset, "length": length, **more}


def marked(text: str, kind: str, offset: int, length: int, **more: Any) -> Json:
    return {"text": text, "entities": [entity(kind, offset, length, **more)]}
