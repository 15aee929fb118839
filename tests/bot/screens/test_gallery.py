"""Every screen of the gallery in every language: accepted by Telegram and equal to its golden file."""

from __future__ import annotations

import re

import pytest

from bot.locales import Translator
from bot.screens.screen import Screen
from tests.bot.screens.exhibits import Draw
from tests.bot.screens.gallery import GOLDEN, PARTS, pages
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CATALOGUES, NAMES
from tests.bot.screens.telegram_html import units

PAGES = pages()
DRAWN = [
    pytest.param(exhibit.draw, tr, id=f"{part}, {exhibit.title}, {tr.language}")
    for part, exhibits in PARTS
    for exhibit in exhibits
    for tr in CATALOGUES.values()
]


def test_every_part_has_a_page_of_its_own_and_no_other_page_lies_there() -> None:
    assert len(PAGES) == len(PARTS)
    assert {path.name for path in GOLDEN.iterdir()} == PAGES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_the_golden_pages_show_the_screens_as_they_are(name: str) -> None:
    assert (GOLDEN / name).read_text(encoding="utf-8") == PAGES[name], "run `make golden`"


@pytest.mark.parametrize(("draw", "tr"), DRAWN)
def test_telegram_would_take_it(draw: Draw, tr: Translator) -> None:
    drawn = draw(tr)
    if isinstance(drawn, str):
        assert (
            0 < units(drawn) <= 1024
        )  # a menu of commands whole; what has narrower limits is in `test_sizes`
    else:
        check(drawn)
    assert not re.search(r"\{[a-z_]+\}", drawn if isinstance(drawn, str) else drawn.text), "not filled in"


@pytest.mark.parametrize("tr", CATALOGUES.values(), ids=CATALOGUES)
def test_who_is_away_is_marked_before_the_name_on_every_screen(tr: Translator) -> None:
    drawn = [exhibit.draw(tr) for _, exhibits in PARTS for exhibit in exhibits]
    texts = [it if isinstance(it, str) else it.text for it in drawn]
    marked = [line for text in texts for line in text.splitlines() if "💤" in line]
    assert marked
    assert [line for line in marked if not re.match(r"(?:<\w+>)*(?:▶️ )?(?:<\w+>)*💤 ", line)] == []


def test_every_language_shows_the_same_buttons() -> None:
    for _, exhibits in PARTS:
        for exhibit in exhibits:
            drawn = [exhibit.draw(tr) for tr in CATALOGUES.values()]
            screens = [screen for screen in drawn if isinstance(screen, Screen)]
            does = {
                tuple((button.data, button.url, button.copy) for row in screen.rows for button in row)
                for screen in screens
            }
            assert len(does) <= 1, exhibit.title


GIVEN = {*NAMES, "Лёва", "Ада", "Фома", *"АБВГ", "Книжный", "клуб", "Дача", "Вечер", "По", "нашему", "восемь"}
GIVEN |= {"Ко", "держись", "Русский"}
"""The Russian in the gallery that is not the bot's: people, groups, topics, names of rules, what is said."""


def test_who_reads_english_is_shown_no_russian_but_what_people_call_things() -> None:
    """So no words of the bot's stand in the code: they would be the same in every language."""
    found = set()
    for _, exhibits in PARTS:
        for exhibit in exhibits:
            drawn = exhibit.draw(CATALOGUES["en"])
            labels = [] if isinstance(drawn, str) else [button.text for row in drawn.rows for button in row]
            text = drawn if isinstance(drawn, str) else drawn.text
            found |= set(re.findall("[А-Яа-яЁё]+", " ".join([text, *labels])))
    assert found - GIVEN == set()
