"""Loads the `.po` catalogues, rejects broken ones, and picks the language for a reader."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from bot.locales.translator import Translator

FOLDER: Final = Path(__file__).parent

_FALLBACK: Final = "en"
_READ_RUSSIAN: Final = frozenset(
    ["ab", "av", "az", "ba", "be", "ce", "cv", "hy", "kk", "ky", "os", "ru", "tg", "tk", "tt", "uk", "uz"]
)
"""Languages whose speakers get Russian rather than English if there is no catalogue in their own."""

_TAG: Final = re.compile(r"</?[a-z-]+")


class BadCatalogue(Exception):
    """A `.po` file cannot be used; the text names the file, the key and the reason."""


def load_catalogues(folder: Path = FOLDER) -> dict[str, Translator]:
    """Load every language in `folder`, by code.

    Raises BadCatalogue for an unreadable file, an untranslated message, and for catalogues that differ in
    their keys or in a message's plural forms, parameters or tags.
    """
    catalogues = {code: read_catalogue(folder / f"{code}.po") for code in languages(folder)}
    if not catalogues:
        raise BadCatalogue(f"no catalogue in {folder}")
    untranslated = [problem for code, found in catalogues.items() for problem in _untranslated(code, found)]
    problems = untranslated or list(_disagreements(catalogues))
    if problems:
        raise BadCatalogue("\n".join(problems))
    return {code: _translator(code, catalogue) for code, catalogue in catalogues.items()}


@cache
def languages(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the codes of the available languages in alphabetical order."""
    return tuple(sorted(path.stem for path in folder.glob("*.po")))


def pick_language(chosen: str | None, language_code: str | None, folder: Path = FOLDER) -> str:
    """Return the code of the language to use for a reader.

    `chosen` is the reader's own choice, which may no longer exist; `language_code` is the IETF tag of their
    app. Either may be None.
    """
    spoken = languages(folder)
    if chosen in spoken:
        return chosen
    primary = (language_code or "").replace("_", "-").split("-")[0].lower()
    if primary in spoken:
        return primary
    return "ru" if primary in _READ_RUSSIAN and "ru" in spoken else _FALLBACK


def read_catalogue(path: Path) -> Catalog:
    """Parse one `.po` file. Raises BadCatalogue."""
    try:
        with path.open("rb") as file:
            return read_po(file, locale=path.stem, abort_invalid=True)
    except (OSError, ValueError, PoFileError) as error:
        raise BadCatalogue(f"{path.name}: {error}") from error


def messages_of(catalogue: Catalog) -> Iterator[tuple[str, Message]]:
    """Yield every message with its key in file order, without the header."""
    for message in catalogue:
        if message.id:
            yield key_of(message), message


def key_of(message: Message) -> str:
    """Return a message's key; a plural message has the same key twice."""
    return message.id if isinstance(message.id, str) else message.id[0]


def forms_of(message: Message) -> tuple[str, ...]:
    """Return a message's translations: one, or one for each plural form."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def params_of(text: str) -> frozenset[str]:
    """Return the parameters used in a message. Raises ValueError for anything but a plain `{name}`."""
    found = set()
    for _, name, spec, conversion in Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"{{{name}}} is not a plain parameter")
        found.add(name)
    return frozenset(found)


def _translator(code: str, catalogue: Catalog) -> Translator:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translator(code, GNUTranslations(compiled), frozenset(key for key, _ in messages_of(catalogue)))


def _untranslated(code: str, catalogue: Catalog) -> Iterator[str]:
    for key, message in messages_of(catalogue):
        forms = forms_of(message)
        wanted = catalogue.num_plurals if message.pluralizable else 1
        if message.fuzzy or len(forms) != wanted or not all(forms):
            yield f"{code}.po: {key} is not translated"


def _disagreements(catalogues: dict[str, Catalog]) -> Iterator[str]:
    """Yield every difference between the languages in keys, plural forms, parameters or tags."""
    by_code = {code: dict(messages_of(catalogue)) for code, catalogue in catalogues.items()}
    first_code, first = next(iter(by_code.items()))
    for code, messages in by_code.items():
        for key in sorted(first.keys() ^ messages.keys()):
            yield f"{key} is in one of {first_code}.po and {code}.po only"
        for key in first.keys() & messages.keys():
            if first[key].pluralizable != messages[key].pluralizable:
                yield f"{key} has plural forms in one of {first_code}.po and {code}.po only"
            try:
                wanted = _shape(first[key])
                if any(shape != wanted for shape in map(_shape_of_text, forms_of(messages[key]))):
                    yield f"{code}.po: {key} has other parameters or tags than in {first_code}.po"
            except ValueError as error:
                yield f"{key}: {error}"


def _shape(message: Message) -> tuple[frozenset[str], tuple[str, ...]]:
    return _shape_of_text(forms_of(message)[0])


def _shape_of_text(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    return params_of(text), tuple(sorted(_TAG.findall(text)))
