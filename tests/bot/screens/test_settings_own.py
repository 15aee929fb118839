"""Personal settings, and the order of the hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.buttons import (
    Choose,
    Lay,
    PickSuit,
    SetLanguage,
    decode,
)
from bot.locales import Translator
from bot.screens.answers import peek
from bot.screens.hand import hand
from bot.screens.screen import Context, Style
from bot.screens.settings_own import own_settings
from bot.settings import HandOrder, PersonalSettings, Telling
from engine import card_code, parse_card
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CATALOGUES, CTX, LANGUAGES, RU, lines, scene

BY_RANK = replace(CTX, hand_order=HandOrder.RANK)
AT_FIRST = PersonalSettings()
OTHERWISE = PersonalSettings(False, False, HandOrder.RANK, True, Telling.NEVER)
MINE = scene("p1: 9S KD 9H QC 6D | p2: 10C 8H | stock: 9D | discard: 9C")


@LANGUAGES
@pytest.mark.parametrize("own", [AT_FIRST, OTHERWISE], ids=["at first", "otherwise"])
def test_each_answer_is_offered_and_the_one_chosen_is_marked(own: PersonalSettings, tr: Translator) -> None:
    screen = own_settings(own, tr, CATALOGUES)
    check(screen)
    buttons = [button for row in screen.rows for button in row]
    assert [decode(button.data or "") for button in buttons] == [
        *(Choose("sound", it) for it in (True, False)),
        *(Choose("forced_moves", it) for it in (True, False)),
        *(Choose("hand_order", it) for it in HandOrder),
        *(Choose("hidden", it) for it in (False, True)),
        *(Choose("telling", it) for it in Telling),
        *(SetLanguage(it) for it in CATALOGUES),
    ]
    assert [decode(button.data or "") for button in buttons if button.style is Style.SUCCESS] == [
        Choose("sound", own.sound),
        Choose("forced_moves", own.forced_moves),
        Choose("hand_order", own.hand_order),
        Choose("hidden", own.hidden),
        Choose("telling", own.telling),
        SetLanguage(tr.language),
    ]


def test_the_buttons_of_a_hand_are_in_the_order_its_holder_wants() -> None:
    open_table = scene("p1: 9S KD 9H QC 6D | p2: 10C 8H | stock: 9D")

    def cards(ctx: Context) -> list[str]:
        screen = hand(open_table.seen_by("p1"), RU, ctx)
        asked = [decode(button.data or "") for row in screen.rows for button in row]
        return [card_code(it.card) for it in asked if isinstance(it, Lay | PickSuit)]

    assert cards(CTX) == ["9S", "9H", "6D", "KD", "QC"]
    assert cards(BY_RANK) == ["6D", "9S", "9H", "QC", "KD"]


def test_a_hand_that_waits_and_one_that_is_peeked_at_are_listed_in_that_order() -> None:
    view = MINE.seen_by("p2")
    assert "Ваши карты: ♥️ 8 · ♣️ 10" in lines(hand(view, RU, CTX))
    assert "Ваши карты: 8♥️ 10♣️" in lines(hand(view, RU, BY_RANK))
    mine = MINE.seen_by("p1")
    assert peek(mine, RU) == "♠️\u00a09 · ♥️\u00a09 · ♦️\u00a06\u00a0К · ♣️\u00a0Д"
    assert peek(mine, RU, HandOrder.RANK) == "6♦️ 9♠️ 9♥️ Д♣️ К♦️"


def test_what_does_not_fit_and_what_stays_are_told_in_that_order() -> None:
    screen = hand(MINE.seen_by("p1"), RU, BY_RANK)
    assert "Не подходят: 6♦️ К♦️" in lines(screen)
    choosing = hand(MINE.seen_by("p1"), RU, BY_RANK, choosing=parse_card("QC"))
    assert "Останутся: 6♦️ 9♠️ 9♥️ К♦️" in lines(choosing)
