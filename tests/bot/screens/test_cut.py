"""The cut: who cuts, and when the deck is dealt without a cut."""

from __future__ import annotations

import re

import pytest

from bot.locales import Translator
from bot.screens.cut import before_first_deal
from bot.screens.hand import hand
from tests.bot.screens.scenes import CTX, EN, LANGUAGES, RU, lobby_of
from tests.bot.screens.telegram_html import shown

CUTTING = lobby_of(3, cut=True).then("p1 start")


def lock_screen(text: str) -> str:
    """Return the text of a notification: the fallback words in place of times."""
    return shown(re.sub(r"</?tg-time[^>]*>", "", text))


@pytest.mark.parametrize(
    ("tr", "in_the_group", "to_the_cutter"),
    [
        (EN, "✂️ Аня cuts — dealing at 14:13:45", "⏳ dealing at 14:13:45"),
        (RU, "✂️ Снимает Аня — раздача в 14:13:45", "⏳ раздача в 14:13:45"),
    ],
)
def test_all_are_told_when_the_deal_comes_in_any_case(
    tr: Translator, in_the_group: str, to_the_cutter: str
) -> None:
    assert in_the_group in shown(before_first_deal(CUTTING.seen_by(), tr, CTX).text).split("\n")
    assert to_the_cutter in shown(hand(CUTTING.seen_by("p1"), tr, CTX).text).split("\n")


@LANGUAGES
def test_where_no_moment_can_be_shown_the_words_name_no_time_since_that_is_a_setting(tr: Translator) -> None:
    soon = tr.plain("result.soon")
    group = lock_screen(before_first_deal(CUTTING.seen_by(), tr, CTX).text)
    own = lock_screen(hand(CUTTING.seen_by("p1"), tr, CTX).text)
    assert tr.plain("cut.group", name="Аня", time=soon) in group.split("\n")
    assert tr.plain("cut.deadline", time=soon) in own.split("\n")
