"""Compares README.ru.md with README.md: headings, commands, links and items."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

import pytest

from sandbox.seed_data import PEOPLE

ROOT = Path(__file__).parent.parent
NAMES = ("README.md", "README.ru.md")
ENGLISH, RUSSIAN = ((ROOT / name).read_text("utf-8") for name in NAMES)


def prose(text: str) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def headings(text: str) -> list[str]:
    """The depth of each heading."""
    return re.findall(r"^#+(?= )", prose(text), re.MULTILINE)


def sections(text: str) -> list[str]:
    """Return the text under each heading, the introduction first."""
    return re.split(r"^#+ .*$", text, flags=re.MULTILINE)[1:]


def blocks(text: str) -> list[str]:
    """Commands and programs in blocks of code."""
    return re.findall(r"^```\w*\n.*?^```$", text, re.MULTILINE | re.DOTALL)


def inline_code(text: str) -> list[str]:
    """Commands, settings and files named in the text, each as often as it is, line breaks apart."""
    return sorted(" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(text)))


def links(text: str) -> list[str]:
    """Where its links and pictures lead, but for the other language's page."""
    return [target for target in re.findall(r"\]\(([^)]+)\)", prose(text)) if target not in NAMES]


def items(text: str) -> list[str]:
    """The kinds of the items of its lists and of the rows of its tables, in their order."""
    return re.findall(r"^(?:-|\d+\.|\|)(?= )", prose(text), re.MULTILINE)


def test_both_have_the_same_headings() -> None:
    assert headings(RUSSIAN) == headings(ENGLISH)


@pytest.mark.parametrize("part", [blocks, inline_code, links, items], ids=lambda part: part.__name__)
def test_each_section_has_the_same_commands_links_and_items_in_both(part: Callable[[str], list[str]]) -> None:
    for mine, theirs in zip_longest(sections(RUSSIAN), sections(ENGLISH), fillvalue=""):
        assert part(mine) == part(theirs)


def test_each_command_is_in_the_same_row_of_both_tables() -> None:
    for mine, theirs in zip_longest(
        *([row for row in text.splitlines() if row.startswith("| `/")] for text in (RUSSIAN, ENGLISH)),
        fillvalue="",
    ):
        assert mine.split("|")[1] == theirs.split("|")[1]


def test_each_leads_to_the_other() -> None:
    assert "](README.ru.md)" in ENGLISH
    assert "](README.md)" in RUSSIAN


def test_the_russian_page_is_in_russian() -> None:
    """A line of prose that holds no Cyrillic letter was left untranslated."""
    for paragraph in re.split(r"\n\s*\n", prose(RUSSIAN)):
        if "README.md" not in paragraph and paragraph.strip():
            assert re.search("[а-яё]", paragraph), paragraph


def test_both_say_who_in_the_sandbox_is_spoken_to_in_english() -> None:
    assert [name for name, _, language in PEOPLE if language != "ru"] == ["Grace"]
    assert "Grace" in sections(ENGLISH)[1]
    assert "Grace" in sections(RUSSIAN)[1]
