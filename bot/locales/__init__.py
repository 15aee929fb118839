"""The texts shown to players: one `.po` catalogue per language, and `Translator`, which fills in parameters.

Adding `<code>.po` to this folder adds a language. Message ids are dotted keys (`hand.your_turn`), so wording
can change without touching code. Nothing here knows about screen layout.
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
