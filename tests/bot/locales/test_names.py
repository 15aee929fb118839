"""Names in our texts: short, visible, harmless."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bot.locales import load_catalogues, tidy_name, unmarked
from bot.locales.names import MARKS, MAX_GRAPHEMES, MAX_UNITS, units
from bot.tables.player import MARK

FSI, PDI, WORD_JOINER = "\u2068", "\u2069", "\u2060"
FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("raw", "tidied"),
    [
        ("Аня", "Аня"),
        ("  Аня \t  Петрова\n", "Аня Петрова"),
        ("О’Нил-Смит", "О’Нил-Смит"),
        ("Йозеф", "Йозеф"),
        ("Nguyễn", "Nguyễn"),
        (FAMILY, FAMILY),
        ("🇷🇺 Аня 👩🏽‍🚀", "🇷🇺 Аня 👩🏽‍🚀"),
        ("1️⃣", "1️⃣"),
        ("<b>&amp;", "<b>&amp;"),
    ],
)
def test_an_ordinary_name_stays_as_it_is(raw: str, tidied: str) -> None:
    assert tidy_name(raw) == tidied


@pytest.mark.parametrize(
    "raw",
    ["", "   ", "\u200b\u200d\ufeff", "\u3164\u115f", "\u2800", "\u202e\u2066", "\n\r\x00", "\u0301\u0302"],
)
def test_a_name_without_anything_to_see_is_empty(raw: str) -> None:
    assert tidy_name(raw) == ""


def test_a_long_name_is_cut_to_sixteen_graphemes_with_an_ellipsis() -> None:
    assert tidy_name("Константин Константинович") == "Константин Конс…"
    assert tidy_name("Шестнадцать букв") == "Шестнадцать букв"


def test_graphemes_are_cut_whole_and_an_emoji_of_many_code_points_is_one() -> None:
    assert tidy_name("👍🏽" * 20) == "👍🏽" * 11 + "…"
    assert tidy_name(FAMILY * 20) == FAMILY * 4 + "…"


def test_letters_that_run_to_the_left_are_isolated() -> None:
    assert tidy_name("דוד") == f"{FSI}דוד{PDI}"
    assert tidy_name("Anna محمد") == f"{FSI}Anna محمد{PDI}"


def test_marks_that_turn_the_text_are_dropped() -> None:
    assert tidy_name("Аня\u202eбзик\u2066") == "Анябзик"


def test_towers_of_accents_are_pulled_down() -> None:
    assert tidy_name("Z" + "\u0335" * 40 + "a") == "Z\u0335\u0335a"
    assert tidy_name("😀" + "\u0335" * 40) == "😀"


def test_a_name_is_a_link_to_nothing() -> None:
    assert tidy_name("@durov") == f"@{WORD_JOINER}durov"
    assert tidy_name("t.me/spam") == f"t.{WORD_JOINER}me/{WORD_JOINER}spam"
    assert tidy_name("/stop #1") == f"/{WORD_JOINER}stop #{WORD_JOINER}1"
    assert tidy_name("А. С. Пушкин") == "А. С. Пушкин"


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("🤖 Ада", " Ада"),
        ("Аня 👑", "Аня "),
        ("▶️ Аня 💤", " Аня "),
        ("🧑\u200d🤖 Аня\u0301", " Аня\u0301"),
        ("🤖", ""),
        ("🌻 Аня 🇷🇺", "🌻 Аня 🇷🇺"),
    ],
)
def test_a_person_gives_himself_none_of_our_marks(raw: str, kept: str) -> None:
    assert unmarked(raw) == kept


@given(st.text(st.sampled_from(f"{MARKS}Ая \u200d\ufe0f\u0301"), max_size=40))
def test_no_mark_is_left_however_it_is_put_together(raw: str) -> None:
    assert not set(tidy_name(unmarked(raw))) & set(MARKS)


def test_whatever_stands_beside_names_in_lists_is_known_as_a_mark() -> None:
    keys = ("lobby.host", "seat.turn", "seat.turn_away", "seat.in_away", "seat.out", "seat.left")
    more = ("seat.unreachable", "hand.last_card", "score.winner", "score.out", "score.left")
    for words in load_catalogues().values():
        told = "".join(words._message(key) for key in (*keys, *more))
        beside = set(regex.findall(r"\p{Extended_Pictographic}", told))
        assert {MARK, *beside} == set(MARKS)


@given(st.text(max_size=129))
def test_whatever_it_holds_a_name_takes_one_short_line_and_turns_nothing_around_it(raw: str) -> None:
    name = tidy_name(raw)
    inner = name.removeprefix(FSI).removesuffix(PDI)
    assert name in (inner, f"{FSI}{inner}{PDI}")
    visible = inner.replace(WORD_JOINER, "")
    assert len(regex.findall(r"\X", visible)) <= MAX_GRAPHEMES
    assert units(visible) <= MAX_UNITS
    assert "\n" not in inner
    for character in visible:
        is_emoji_part = character in "\u200d\ufe0f" or "\U000e0020" <= character <= "\U000e007f"
        assert is_emoji_part or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), repr(
            name
        )
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in visible):
        assert name.startswith(FSI)
