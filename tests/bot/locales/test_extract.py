"""Extraction of keys: finding them in code, adding missing ones, reporting unused ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.locales.__main__ import main
from bot.locales.catalogues import forms_of, messages_of, read_catalogue
from bot.locales.extract import Report, extract, usage
from tests.bot.locales.catalogues import write

CODE = '''
"""A docstring about a.docstring that is no key."""
def greet(words, reason, is_new):
    words("a.hello" if is_new else "a.again", name="x.y z")
    return words.plain(f"refusal.{reason}")
'''


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "screen.py").write_text(CODE, encoding="utf-8")
    return [folder]


def test_keys_are_found_wherever_they_stand_and_families_by_their_pattern(sources: list[Path]) -> None:
    used = usage(sources)
    assert used.keys == {"a.hello", "a.again"}
    assert used.uses("refusal.stale")
    assert not used.uses("refusal.stale.more")
    assert not used.uses("b.hello")


def test_missing_keys_are_added_at_the_end_and_nothing_else_is_touched(
    tmp_path: Path, sources: list[Path]
) -> None:
    english = write(tmp_path, "en", {"a.hello": "Hi", "a.again": "Hi again", "refusal.stale": "Too late"})
    russian = write(tmp_path, "ru", {"a.hello": "Привет"})
    before = russian.read_text(encoding="utf-8")
    assert extract(tmp_path, sources) == [
        Report("en", (), ()),
        Report("ru", ("a.again", "refusal.stale"), ()),
    ]
    assert russian.read_text(encoding="utf-8").startswith(before)
    added = dict(messages_of(read_catalogue(russian)))
    assert added.keys() == dict(messages_of(read_catalogue(english))).keys()
    assert extract(tmp_path, sources) == [Report("en", (), ()), Report("ru", (), ())]


def test_a_plural_message_is_added_with_all_the_forms_of_its_language(
    tmp_path: Path, sources: list[Path]
) -> None:
    write(tmp_path, "en", {"a.hello": "Hi", "a.again": ("{n} time", "{n} times")})
    russian = write(tmp_path, "ru", {"a.hello": "Привет"})
    extract(tmp_path, sources)
    assert forms_of(dict(messages_of(read_catalogue(russian)))["a.again"]) == ("", "", "")


def test_keys_that_nothing_uses_are_named_and_left_alone(tmp_path: Path, sources: list[Path]) -> None:
    write(tmp_path, "en", {"a.hello": "Hi", "a.again": "Again", "a.old": "Old"})
    assert extract(tmp_path, sources) == [Report("en", (), ("a.old",))]
    assert extract(tmp_path, sources) == [Report("en", (), ("a.old",))]


def test_the_projects_own_catalogues_lack_nothing_and_hold_nothing_in_vain(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["extract"]) == 0
    assert capsys.readouterr().out == "en.po: complete\nru.po: complete\n"
