"""Small catalogues, and a third language, written for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.locales import FOLDER

_PLURAL_FORMS = {
    "en": "nplurals=2; plural=(n != 1)",
    "ru": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0"
        " : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"
    ),
}

Messages = Mapping[str, str | tuple[str, ...]]
"""By key: a text, or one for each plural form."""


def write(folder: Path, language: str, messages: Messages, *, fuzzy: frozenset[str] = frozenset()) -> Path:
    """Write a catalogue with these messages."""
    header = f'"Language: {language}\\n"\n"Plural-Forms: {_PLURAL_FORMS[language]};\\n"\n'
    entries = [f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n{header}']
    for key, text in messages.items():
        flag = "#, fuzzy\n" if key in fuzzy else ""
        if isinstance(text, str):
            entries.append(f'{flag}msgid "{key}"\nmsgstr "{text}"\n')
        else:
            forms = "".join(f'msgstr[{form}] "{form_text}"\n' for form, form_text in enumerate(text))
            entries.append(f'{flag}msgid "{key}"\nmsgid_plural "{key}"\n{forms}')
    path = folder / f"{language}.po"
    path.write_text("\n".join(entries), encoding="utf-8")
    return path


def with_third_language(folder: Path) -> Path:
    """The real catalogues and a third: English, each message begun with «¡», filed as Esperanto."""
    for path in FOLDER.glob("*.po"):
        (folder / path.name).write_bytes(path.read_bytes())
    english = (FOLDER / "en.po").read_text(encoding="utf-8")
    head, header_end, messages = english.partition('Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n')
    marked = (
        messages.replace('msgstr "', 'msgstr "¡')
        .replace('msgstr[0] "', 'msgstr[0] "¡')
        .replace('msgstr[1] "', 'msgstr[1] "¡')
    )
    third = head.replace("Language: en", "Language: eo") + header_end + marked
    (folder / "eo.po").write_text(third, encoding="utf-8")
    return folder
