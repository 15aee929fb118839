"""Every screen keeps its shape and Telegram's limits with ten people of long and strange names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.locales import Translator
from bot.screens import help as guide
from bot.screens.answers import MAX_UNITS, explain_refusal, peek, refusal
from bot.screens.chart import chart_screen
from bot.screens.cut import before_first_deal
from bot.screens.fair import fair
from bot.screens.hand import hand
from bot.screens.layout import CAPTION_UNITS
from bot.screens.lobby import closed_lobby, lobby
from bot.screens.result import match_end, result, stopped
from bot.screens.score import score
from bot.screens.screen import Screen
from bot.screens.table import table
from bot.settings import Look
from bot.tables.lifecycle import TablePhase
from bot.tables.view import TableView
from engine import Effect, Reason
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import CTX, EN, LANGUAGES, RU, Scene, dealt, lobby_of, scene
from tests.bot.screens.telegram_html import shown, units

NAMES = (
    "Ж" * 64,
    "👩🏽‍❤️‍💋‍👨🏻" * 6,
    "<b>&amp;</b>" * 5,
    "محمد" * 16,
    "\u202eслева\u2066направо" * 4,
    "\n\r\t\u200b\u2028" * 12,
    "Z" + "\u0335\u0336\u0337" * 21,
    "@durov t.me/x #" * 4,
    "🇷🇺" * 32,
    "{name} %s {0}" * 4,
)
BIG: dict[str, Any] = {"deck": 52, "hand_size": 3, "transfer": ["6", "7", "A"], "preset": "game_108"}


def moments() -> Iterator[Scene]:
    """A match of ten from its lobby to its end: every one of its first turns, then every seventh."""
    yield lobby_of(10, NAMES, **BIG)
    moment = dealt(10, NAMES, **BIG)
    n = 0
    while moment.table.phase is not TablePhase.OVER:
        if n < 60 or n % 7 == 0:
            yield moment
        moment, n = moment.then("time"), n + 1
    yield moment


MOMENTS = tuple(moments())


@LANGUAGES
def test_every_message_of_a_match_of_ten_can_be_sent(tr: Translator) -> None:
    for moment in MOMENTS:
        for screen in group_screens(moment.seen_by(), tr):
            check(screen)
        for seat in (1, 4, 10):
            view = moment.seen_by(f"p{seat}")
            check(hand(view, tr, CTX))
            assert units(peek(view, tr)) <= MAX_UNITS
            assert units(explain_refusal(view, tr)) <= MAX_UNITS
            assert units(refusal(Reason.NOT_YOUR_TURN, tr, view)) <= MAX_UNITS


def group_screens(view: TableView, tr: Translator) -> Iterator[Screen]:
    """Yield everything that a group could be shown at that moment."""
    unreachable = replace(CTX, unreachable=frozenset(range(1, 11)))
    pictured = replace(unreachable, look=Look.PICTURE)
    yield score([view], tr)
    yield score([view] * 4, tr)
    yield fair(view, tr)
    match view.phase:
        case TablePhase.LOBBY:
            yield lobby(view, tr, unreachable)
            yield before_first_deal(view, tr, unreachable)
        case TablePhase.PLAYING | TablePhase.CUTTING | TablePhase.ASLEEP:
            yield table(view, tr, unreachable)
            yield table(view, tr, pictured)
            if view.rounds:
                yield result(view, tr, unreachable, final=True)
                yield result(view, tr, pictured, final=True)
        case TablePhase.BETWEEN:
            yield result(view, tr, unreachable)
            yield result(view, tr, pictured)
        case TablePhase.OVER:
            yield result(view, tr, unreachable, final=True)
            yield match_end(view, tr, unreachable)
            yield match_end(view, tr, replace(unreachable, look=Look.PICTURE))
            yield chart_screen(view, tr)
            yield stopped(view, tr, unreachable)
            yield stopped(view, tr, pictured)
            yield closed_lobby(view, tr, unreachable)


@LANGUAGES
@pytest.mark.parametrize("name", ["Ж" * 64, "👩🏽‍❤️‍💋‍👨🏻" * 6])
def test_a_caption_is_shortened_until_it_fits_and_says_what_matters(name: str, tr: Translator) -> None:
    """Ten people with such names, three more waiting, and a long word: far more than a caption may have."""
    moment = dealt(10, (name,) * 10, **BIG).then(*["time"] * 24)
    waiting = moment.seen_by().players[:3]
    said = moment.then(f"p1 says {name * 4}").seen_by().said
    view = replace(moment.seen_by(), waiting=waiting, said=said)
    context = replace(CTX, unreachable=frozenset(range(1, 11)))
    text, pictured = table(view, tr, context), table(view, tr, replace(context, look=Look.PICTURE))
    check(pictured)
    assert units(shown(text.text)) > CAPTION_UNITS
    assert pictured.picture is not None
    assert pictured.rows == text.rows
    assert shown(pictured.text).count("❗") == shown(text.text).count("❗")


@LANGUAGES
def test_what_fits_under_a_picture_is_the_whole_text(tr: Translator) -> None:
    moment = dealt(4).then("time", "time")
    pictured = replace(CTX, look=Look.PICTURE)
    assert table(moment.seen_by(), tr, pictured).text == table(moment.seen_by(), tr, CTX).text


@LANGUAGES
@pytest.mark.parametrize("name", NAMES)
def test_no_name_changes_the_shape_of_a_message(name: str, tr: Translator) -> None:
    plain, strange = (("A",) * 4, (name,) * 4)
    for moment in ("p1 start",), ("p1 start", "time", "time"):
        for player in (None, "p1", "p2"):
            views = [lobby_of(4, names).then(*moment).seen_by(player) for names in (plain, strange)]
            for shapes in zip(*(list(outlines(view, tr)) for view in views), strict=True):
                assert shapes[0] == shapes[1]


def outlines(view: TableView, tr: Translator) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of lines, tags and rows of buttons of each message."""
    screens = [
        table(view, tr, CTX),
        hand(view, tr, CTX),
        score([view], tr),
        guide.ask_leave(view, tr, 2**52, view.players[0].name),
        guide.open_private_chat(tr, view.players[0].name, "https://t.me/x"),
    ]
    for screen in screens:
        yield shown(screen.text).count("\n"), len(re.findall("<[^>]*>", screen.text)), len(screen.rows)


@LANGUAGES
def test_a_hand_of_fifty_cards_can_be_played_peeked_at_and_asked_about(tr: Translator) -> None:
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
    cards = [rank + suit for suit in "SHDC" for rank in ranks][:50]
    for top in ("AC", "KC"):
        view = scene(f"p1: {' '.join(cards)} | p2: KC | stock: AC | discard: {top}", deck=52).seen_by("p1")
        check(hand(view, tr, CTX))
        assert units(peek(view, tr)) <= MAX_UNITS
        assert units(explain_refusal(view, tr)) <= MAX_UNITS
    everything_fits = scene(f"p1: {' '.join(cards)} | p2: KC | stock: AC", deck=52).seen_by("p1")
    check(hand(everything_fits, tr, CTX))


def test_the_keys_of_rounds_under_the_longest_rules_fit_a_message() -> None:
    codes = [rank + suit for suit in "SHDC" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]
    effects = {code: list(Effect)[place % 12].value for place, code in enumerate(codes)}
    moment = dealt(3, limit=1000, effects=effects)
    while len(moment.seen_by().rounds) < 5:
        moment = moment.then("time")
    for tr in (RU, EN):
        screen = fair(moment.seen_by(), tr)
        check(screen)
        assert "<code>" in screen.text


@LANGUAGES
def test_what_is_said_once_has_its_limits_too(tr: Translator) -> None:
    assert units(guide.description(tr)) <= 512
    assert units(guide.short_description(tr)) <= 120
    for scope in guide.Scope:
        menu = guide.commands(tr, scope)
        assert len(menu) <= 32
        assert len({name for name, _ in menu}) == len(menu)
        assert all(re.fullmatch("[a-z0-9_]{1,32}", name) for name, _ in menu)
        assert all(1 <= units(text) <= 256 for _, text in menu)


def test_names_are_told_in_at_most_sixteen_graphemes() -> None:
    view = lobby_of(1, NAMES).seen_by()
    assert "1. " + "Ж" * 15 + "… 👑" in shown(lobby(view, RU, CTX).text)
    assert "1. " + "Ж" * 15 + "… 👑" in shown(lobby(view, EN, CTX).text)
