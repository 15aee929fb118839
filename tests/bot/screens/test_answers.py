"""Toasts and alerts: one's own cards, why others don't fit, refusals."""

from __future__ import annotations

import re

from bot.locales import Translator
from bot.screens.answers import MAX_UNITS, Done, done, fault, fitted, refusal
from bot.tables.refusals import Refused
from engine import Reason
from tests.bot.screens.gallery_computers import FINISHED
from tests.bot.screens.scenes import LANGUAGES, RU, scene
from tests.bot.screens.telegram_html import units

IN_PLAY = scene("p1: 7S 6S KD AS 10H | p2: 10C 9C | p3 [104 out]: | stock: 9H | discard: JS")


def test_a_refusal_without_a_view_is_words_enough() -> None:
    assert refusal(Refused.TABLE_OVER, RU, IN_PLAY.seen_by("p2")).endswith("/game в группе")
    assert refusal(Refused.TABLE_OVER, RU, FINISHED.seen_by("p1")).endswith("/play")
    assert refusal(Reason.NOT_YOUR_TURN, RU) == "Сейчас не ваш ход"
    assert refusal(Reason.CARD_DOES_NOT_MATCH, RU) == "Эта карта не подходит"
    assert refusal(Refused.TABLE_OVER, RU) == "Партия за этим столом окончена. Новая: /game в группе"


@LANGUAGES
def test_every_toast_is_short_and_says_something(tr: Translator) -> None:
    toasts = [
        *(refusal(reason, tr) for reason in (*Reason, *Refused)),
        *(done(what, tr) for what in Done),
        fault(tr),
    ]
    assert all(0 < units(toast) <= MAX_UNITS for toast in toasts)


@LANGUAGES
def test_who_hurries_too_soon_is_told_no_time_since_that_is_a_setting(tr: Translator) -> None:
    assert not re.search(r"\d|minute|минут", refusal(Refused.NO_NUDGE, tr))


def test_what_is_too_long_is_cut_at_a_word() -> None:
    assert fitted("раз два три", 7) == "раз…"
    assert fitted("раз два", 7) == "раз два"
    assert fitted("абракадабра", 5) == "абра…"
    assert fitted("👀👀👀", 5) == "👀👀…"
