"""What a press under an answer to a command may ask for: books and menus, which belong to a chat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadRules:
    """Open a chapter of the rules: the table's own, or the chat's where `table` is empty."""

    chapter: str
    table: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Choose the language of the chat (in a group) or one's own (in private)."""

    language: str
