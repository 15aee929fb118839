"""Every screen of the gallery in every language: Telegram would take it, and the page is up to date."""

from __future__ import annotations

import re

import pytest

from bot.locales import Translator
from bot.screens.screen import Screen
from tests.bot.screens.exhibits import Draw
from tests.bot.screens.gallery import PAGE, PARTS, page
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CATALOGUES
from tests.bot.screens.telegram_html import units

DRAWN = [
    pytest.param(exhibit.draw, tr, id=f"{part}, {exhibit.title}, {tr.language}")
    for part, exhibits in PARTS
    for exhibit in exhibits
    for tr in CATALOGUES.values()
]


def test_the_page_of_screens_in_the_documentation_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.bot.screens.gallery --write"


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
