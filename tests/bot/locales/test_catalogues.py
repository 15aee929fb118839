"""Catalogues: errors in files, plural forms, choice of language, a third language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.locales import FOLDER, BadCatalogue, languages, load_catalogues, pick_language
from bot.locales.catalogues import forms_of, key_of, messages_of, read_catalogue
from tests.bot.locales.catalogues import Messages, with_third_language, write

GOOD: Messages = {
    "a.hello": "Hi {name}",
    "a.cards": ("{n} card", "{n} cards"),
    "list.and": "{head} and {last}",
}


def refused(folder: Path) -> str:
    with pytest.raises(BadCatalogue) as refusal:
        load_catalogues(folder)
    return str(refusal.value)


def test_a_message_without_a_translation_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "en", {**GOOD, "a.empty": ""})
    assert refused(tmp_path) == "en.po: a.empty is not translated"


def test_a_missing_plural_form_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "en", {**GOOD, "a.cards": ("{n} card", "")})
    assert refused(tmp_path) == "en.po: a.cards is not translated"


def test_a_fuzzy_message_counts_as_not_translated(tmp_path: Path) -> None:
    write(tmp_path, "en", GOOD, fuzzy=frozenset({"a.hello"}))
    assert refused(tmp_path) == "en.po: a.hello is not translated"


def test_languages_must_have_the_same_keys(tmp_path: Path) -> None:
    write(tmp_path, "en", GOOD)
    write(tmp_path, "ru", {"a.hello": "Привет, {name}", "a.cards": ("{n} карта", "{n} карты", "{n} карт")})
    assert refused(tmp_path) == "list.and is in one of en.po and ru.po only"


@pytest.mark.parametrize(
    "hello",
    ["Привет", "Привет, {nome}", "Привет, <b>{name}</b>", "Привет, {name} {name.secret}", "Привет, {name!r}"],
)
def test_languages_must_agree_in_parameters_and_tags(tmp_path: Path, hello: str) -> None:
    write(tmp_path, "en", {"a.hello": "Hi {name}"})
    write(tmp_path, "ru", {"a.hello": hello})
    assert "a.hello" in refused(tmp_path)


def test_every_plural_form_has_the_same_parameters(tmp_path: Path) -> None:
    write(tmp_path, "en", {"a.cards": ("one card", "{n} cards")})
    assert refused(tmp_path) == "en.po: a.cards has other parameters or tags than in en.po"


def test_what_is_plural_in_one_language_is_so_in_all(tmp_path: Path) -> None:
    write(tmp_path, "en", {"a.cards": ("{n} card", "{n} cards")})
    write(tmp_path, "ru", {"a.cards": "карт: {n}"})
    assert refused(tmp_path) == "a.cards has plural forms in one of en.po and ru.po only"


def test_a_file_that_is_no_catalogue_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "en.po").write_text("this is not a catalogue", encoding="utf-8")
    assert refused(tmp_path).startswith("en.po: ")


def test_a_folder_without_catalogues_is_refused(tmp_path: Path) -> None:
    assert "no catalogue" in refused(tmp_path)


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0 карт"),
        (1, "1 карта"),
        (2, "2 карты"),
        (4, "4 карты"),
        (5, "5 карт"),
        (11, "11 карт"),
        (12, "12 карт"),
        (21, "21 карта"),
        (22, "22 карты"),
        (25, "25 карт"),
        (101, "101 карта"),
        (111, "111 карт"),
    ],
)
def test_russian_plurals_are_right(n: int, text: str) -> None:
    assert load_catalogues()["ru"].plain_plural("count.cards", n) == text


@pytest.mark.parametrize(("n", "text"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (21, "21 cards")])
def test_english_plurals_are_right(n: int, text: str) -> None:
    assert load_catalogues()["en"].plain_plural("count.cards", n) == text


@pytest.mark.parametrize(
    ("chosen", "language_code", "picked"),
    [
        (None, None, "en"),
        (None, "", "en"),
        (None, "en", "en"),
        (None, "en-GB", "en"),
        (None, "ru", "ru"),
        (None, "ru-RU", "ru"),
        (None, "RU_ru", "ru"),
        (None, "uk", "ru"),
        (None, "be", "ru"),
        (None, "kk", "ru"),
        (None, "de", "en"),
        (None, "pt-br", "en"),
        ("ru", "en", "ru"),
        ("en", "ru", "en"),
        ("xx", "ru", "ru"),
    ],
)
def test_a_language_is_picked_for_everybody(
    chosen: str | None, language_code: str | None, picked: str
) -> None:
    assert pick_language(chosen, language_code) == picked


def test_a_third_language_is_a_file(tmp_path: Path) -> None:
    folder = with_third_language(tmp_path)
    assert languages(folder) == ("en", "eo", "ru")
    assert pick_language(None, "eo", folder) == "eo"
    words = load_catalogues(folder)["eo"]
    assert words.plain_plural("count.cards", 3) == "¡3 cards"
    assert words("lobby.title") == "¡🃏 One Hundred and One — who’s playing?"


def texts(language: str) -> list[tuple[str, str]]:
    """Every text of a catalogue with its key."""
    catalogue = read_catalogue(FOLDER / f"{language}.po")
    return [(key_of(message), text) for _, message in messages_of(catalogue) for text in forms_of(message)]


FOREIGN_WORDS = {
    "ru": r"соперник|компьютер|сумм[аыуе]|\bсдач[аиуе]|заход(ит|ят|ите|ом)\b|стол пуст",
    "en": r"\b(lays?|laid|stock|computers?|opponents?|shall|anew|his|he|one (may|draws|must|lays))\b",
}
"""Words that no player would use, each of which once stood for something that has a plain one."""


@pytest.mark.parametrize("language", sorted(FOREIGN_WORDS))
def test_players_read_the_words_that_players_use(language: str) -> None:
    for key, text in texts(language):
        if not key.startswith("ask."):  # what people may type
            words = re.sub(r"\{\w+\}", "", text)
            assert not re.search(FOREIGN_WORDS[language], words, re.IGNORECASE), (key, text)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_toasts_and_refusals_are_short_and_end_without_a_period(language: str) -> None:
    for key, text in texts(language):
        if key.startswith(("done.", "refusal.")) and not text.endswith("{reason}"):
            assert not text.endswith("."), (key, text)
            assert len(text) <= 76, (key, text)
