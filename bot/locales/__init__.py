"""What players read, in every language: catalogues in `.po` files, and `Translator`, which fills in what
varies.

A language is a file in this folder, `<code>.po`: with it there the language is spoken. Message ids are dotted
keys (`hand.your_turn`), so that wording changes without code. Nothing here knows what a screen looks like.
"""

from __future__ import annotations

from bot.locales.catalogues import FOLDER, BadCatalogue, languages, load_catalogues, pick_language
from bot.locales.names import tidy_name, unmarked
from bot.locales.translator import Html, Translator

__all__ = [
    "FOLDER",
    "BadCatalogue",
    "Html",
    "Translator",
    "languages",
    "load_catalogues",
    "pick_language",
    "tidy_name",
    "unmarked",
]
