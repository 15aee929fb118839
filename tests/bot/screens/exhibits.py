"""Exhibits of the gallery: a screen or a toast at some moment, in any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.locales import Translator
from bot.screens.screen import Screen

Draw = Callable[[Translator], Screen | str]


@dataclass(frozen=True)
class Exhibit:
    """A screen, or a toast, of some moment."""

    title: str
    draw: Draw


Parts: TypeAlias = tuple[tuple[str, tuple[Exhibit, ...]], ...]
"""Exhibits under headings."""
