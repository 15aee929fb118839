"""Toasts and alerts: one's own cards, why others don't fit, refusals."""

from __future__ import annotations

import re

import pytest

from bot.locales import Translator
from bot.screens.answers import MAX_UNITS, Done, done, explain_refusal, fault, fitted, peek, refusal
from bot.tables.refusals import Refused
from engine import Reason
from tests.bot.screens.gallery_computers import FINISHED
from tests.bot.screens.scenes import EN, LANGUAGES, RU, Scene, lobby_of, scene
from tests.bot.screens.telegram_html import units

IN_PLAY = scene("p1: 7S 6S KD AS 10H | p2: 10C 9C | p3 [104 out]: | stock: 9H | discard: JS")


def test_peeking_shows_ones_own_cards_by_suit() -> None:
    assert peek(IN_PLAY.seen_by("p1"), RU) == "♠️\u00a06\u00a07\u00a0Т · ♥️\u00a010 · ♦️\u00a0К"
    assert peek(IN_PLAY.seen_by("p1"), EN) == "♠️\u00a06\u00a07\u00a0A · ♥️\u00a010 · ♦️\u00a0K"


@pytest.mark.parametrize(
    ("moment", "player", "text"),
    [
        (IN_PLAY, "p3", "У вас сейчас нет карт."),
        (IN_PLAY, "p9", "Вы не за этим столом. Сесть со следующего раунда: /join"),
        (lobby_of(2), "p1", "Карты ещё не сданы."),
    ],
)
def test_peeking_without_cards_says_why(moment: Scene, player: str, text: str) -> None:
    assert peek(moment.seen_by(player), RU) == text


@pytest.mark.parametrize(
    ("moment", "player", "russian", "english"),
    [
        (
            IN_PLAY,
            "p1",
            "Нельзя 10♥️ К♦️: нужны ♠️, валет или дама.",
            "10♥️ K♦️ will not do: it takes ♠️, a jack or a queen.",
        ),
        (IN_PLAY, "p2", "Сейчас ходит Аня", "It is Аня’s turn"),
        (
            scene("p1: QS KD | p2: 9C 9H | stock: 9D | discard: JS", "p1 QS:H"),
            "p2",
            "Нельзя 9♣️: нужны ♥️ или дама.",
            "9♣️ will not do: it takes ♥️ or a queen.",
        ),
        (
            scene("p1: 8S KD QH 9S | p2: 9C | stock: 9D | discard: JS", "p1 8S", cover_by_wild=False),
            "p1",
            "Нельзя Д♥️ К♦️: накрыть могут ♠️ или восьмёрка.",
            "Q♥️ K♦️ will not do: only ♠️ or an eight will cover.",
        ),
        (
            scene("p1: 7S KD | p2: 7H 9C | stock: 9D | discard: JS", "p1 7S", transfer=["7"]),
            "p2",
            "Нельзя 9♣️: ответить можно только семёркой.",
            "9♣️ will not do: only a seven is an answer.",
        ),
        (
            scene("p1: 7S KD | p2: 9C | stock: 9D", opening="last_dealt"),
            "p1",
            "Нельзя 7♠️: заходят картой, сданной последней.",
            "7♠️ will not do: the card dealt last has to lead.",
        ),
        (scene("p1: 7S KD | p2: 9C | stock: 9D"), "p1", "Идут все ваши карты.", "All your cards fit."),
        (
            scene("p1: 7S 9D | p2: 9C | stock: 9D | discard: QS", effects={"Q": "none", "KD": "wild"}),
            "p1",
            "Нельзя 9♦️: нужны ♠️, дама или К♦️.",
            "9♦️ will not do: it takes ♠️, a queen or K♦️.",
        ),
        (lobby_of(2), "p1", "Раунд сейчас не идёт", "No round is running"),
    ],
)
def test_the_question_mark_says_why(moment: Scene, player: str, russian: str, english: str) -> None:
    assert explain_refusal(moment.seen_by(player), RU) == russian
    assert explain_refusal(moment.seen_by(player), EN) == english


def test_a_refusal_says_whose_turn_it_is_and_what_would_fit() -> None:
    assert refusal(Reason.NOT_YOUR_TURN, RU, IN_PLAY.seen_by("p2")) == "Сейчас ходит Аня"
    assert refusal(Refused.NOT_YOUR_TURN, RU, IN_PLAY.seen_by("p2")) == "Сейчас ходит Аня"
    mismatch = refusal(Reason.CARD_DOES_NOT_MATCH, RU, IN_PLAY.seen_by("p1"))
    assert mismatch == "Эта карта не подходит: нужны ♠️, валет или дама"


def test_a_refusal_without_a_view_is_words_enough() -> None:
    assert refusal(Refused.TABLE_OVER, RU, IN_PLAY.seen_by("p2")).endswith("/game в группе")
    assert refusal(Refused.TABLE_OVER, RU, FINISHED.seen_by("p1")).endswith("/play")
    assert refusal(Reason.NOT_YOUR_TURN, RU) == "Сейчас не ваш ход"
    assert refusal(Reason.CARD_DOES_NOT_MATCH, RU) == "Эта карта не подходит"
    assert refusal(Refused.TABLE_OVER, RU) == "Этот стол уже закончен. Новый: /game в группе"


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
