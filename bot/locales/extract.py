"""Keeps catalogues and code in sync: finds keys that a catalogue lacks and keys that no code uses.

A key is a dotted string (`hand.your_turn`) in one of the `SOURCES`; an f-string (`f"refusal.{reason}"`)
stands for a family of keys. The running bot does not use this module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.locales.catalogues import FOLDER, languages, messages_of, read_catalogue

SOURCES: Final = (FOLDER.parent / "screens", FOLDER.parent / "handlers", FOLDER / "translator.py")
"""The modules that use message keys."""

_KEY: Final = re.compile(r"[a-z_]+(\.[A-Za-z0-9_]+)+")
_FAMILY: Final = re.compile(r"[a-z_]+\.[A-Za-z0-9_.*]*")
_ANY_PART: Final = "[A-Za-z0-9_]+"


@dataclass(frozen=True, slots=True)
class Usage:
    """The keys used in code, and the families of keys as patterns."""

    keys: frozenset[str]
    families: tuple[re.Pattern[str], ...]

    def uses(self, key: str) -> bool:
        """Whether the code uses this key."""
        return key in self.keys or any(family.fullmatch(key) for family in self.families)


@dataclass(frozen=True, slots=True)
class Report:
    """The result for one catalogue: the keys added to it, and its keys that nothing uses."""

    language: str
    added: tuple[str, ...]
    unused: tuple[str, ...]


def usage(sources: Iterable[Path] = SOURCES) -> Usage:
    """Collect the keys used in these modules and in the modules of these folders."""
    keys: set[str] = set()
    families: set[str] = set()
    for source in sources:
        for path in sorted(source.glob("*.py")) if source.is_dir() else [source]:
            _collect(ast.parse(path.read_text(encoding="utf-8")), keys, families)
    return Usage(frozenset(keys), tuple(re.compile(family) for family in sorted(families)))


def extract(folder: Path = FOLDER, sources: Iterable[Path] = SOURCES) -> list[Report]:
    """Append missing keys to each catalogue, untranslated, and leave the rest of the file unchanged.

    A key is missing if the code uses it, or if it belongs to a family and another language has it.
    """
    used = usage(sources)
    catalogues = {code: read_catalogue(folder / f"{code}.po") for code in languages(folder)}
    by_language = {code: dict(messages_of(catalogue)) for code, catalogue in catalogues.items()}
    plural = {key for messages in by_language.values() for key in messages if messages[key].pluralizable}
    known = {key for messages in by_language.values() for key in messages}
    wanted = used.keys | {key for key in known if used.uses(key)}
    reports = []
    for code, messages in by_language.items():
        path = folder / f"{code}.po"
        added = tuple(sorted(wanted - messages.keys()))
        if added:
            forms = catalogues[code].num_plurals
            entries = "".join(_entry(key, forms if key in plural else None) for key in added)
            path.write_text(path.read_text(encoding="utf-8") + entries, encoding="utf-8")
        reports.append(Report(code, added, tuple(key for key in messages if not used.uses(key))))
    return reports


def _collect(tree: ast.AST, keys: set[str], families: set[str]) -> None:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if _KEY.fullmatch(text):
                keys.add(text)
            case ast.JoinedStr(values=values):
                pattern = "".join(_pattern(part) for part in values)
                if _FAMILY.fullmatch(pattern):
                    families.add(pattern.replace(".", r"\.").replace("*", _ANY_PART))
            case _:
                pass


def _pattern(part: ast.expr) -> str:
    """Return a literal part of an f-string unchanged, and a replacement field as an asterisk."""
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "*"


def _entry(key: str, forms: int | None) -> str:
    if forms is None:
        return f'\nmsgid "{key}"\nmsgstr ""\n'
    empty = "".join(f'msgstr[{form}] ""\n' for form in range(forms))
    return f'\nmsgid "{key}"\nmsgid_plural "{key}"\n{empty}'
