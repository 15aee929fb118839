"""Screens of solo tables and of computers at a group's table, and their limits."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.buttons import (
    AskLeave,
    DealNext,
    InviteComputer,
    OpenAlone,
    PlayAlone,
    Rematch,
    SendOff,
)
from bot.locales import Translator
from bot.screens.answers import MAX_UNITS, hint
from bot.screens.computers import computers
from bot.screens.opponents import Opponents, choice
from bot.screens.screen import Screen
from bot.screens.solo import solo
from bot.screens.vote import ask_kick
from bot.tables.lifecycle import TablePhase
from engine import PRESETS, Play, parse_card
from engine.players import Advice, Level, MoveReason
from tests.bot.screens.gallery_computers import (
    FINISHED,
    MY_TURN,
    OUT,
    ROUND_OVER,
    alone_at,
    invited,
)
from tests.bot.screens.limits import check
from tests.bot.screens.scenes import (
    CTX,
    EN,
    LANGUAGES,
    RU,
    Scene,
    asked,
    dealt,
    lobby_of,
    scene,
)
from tests.bot.screens.telegram_html import units
from tests.bot.screens.test_secrecy import with_hidden_cards_dealt_anew


def shown(moment: Scene, tr: Translator = RU) -> Screen:
    return solo(moment.seen_by("p1"), tr, CTX)


@settings(max_examples=40, deadline=None)
@given(
    preset=st.sampled_from(list(PRESETS)),
    players=st.integers(2, 3),
    moves=st.integers(0, 40),
    chance=st.randoms(use_true_random=False),
)
def test_who_plays_alone_sees_no_card_that_he_may_not_and_nothing_rings(
    preset: str, players: int, moves: int, chance: random.Random
) -> None:
    moment = dealt(players, preset=preset)
    for _ in range(moves):
        if moment.table.phase is not TablePhase.OVER:
            moment = moment.moved(chance.randrange(100))
    moment = alone_at(moment)
    otherwise = Scene(with_hidden_cards_dealt_anew(moment.table, "p1", chance), moment.now)
    for tr in (RU, EN):
        screen = shown(moment, tr)
        check(screen)
        assert screen == shown(otherwise, tr)
        assert not screen.notifies


def test_between_rounds_and_at_the_end_there_is_the_way_on() -> None:
    assert DealNext in {type(it) for it in asked(shown(ROUND_OVER))}
    over = asked(shown(FINISHED))
    assert isinstance(over[0], Rematch)
    assert OpenAlone(2, "normal", "classic") in over


def test_who_is_out_has_a_way_to_leave_while_the_others_play_on() -> None:
    assert AskLeave(OUT.table.id) in asked(solo(OUT.seen_by("p1"), RU, CTX))


@LANGUAGES
@pytest.mark.parametrize("level", Level)
def test_one_tap_begins_with_what_is_chosen(tr: Translator, level: Level) -> None:
    for count in (1, 2, 3):
        for preset in PRESETS:
            screen = choice(Opponents(count, level, preset), tr)
            check(screen)
            assert asked(screen)[0] == PlayAlone(count, level.value, preset)
            ticked = [button.text for row in screen.rows for button in row if button.text.startswith("✅")]
            assert len(ticked) == 3


@LANGUAGES
def test_every_hint_fits_an_alert(tr: Translator) -> None:
    view = MY_TURN.seen_by("p1")
    assert view.game is not None
    for why in MoveReason:
        for move in view.game.legal:
            assert 0 < units(hint(Advice(move, why), view, tr)) <= MAX_UNITS
    wild = next(move for move in view.game.legal if isinstance(move, Play) and move.suit is not None)
    assert "Д♠️, заказ" in hint(Advice(wild, MoveReason.FINISH), view, RU)


@pytest.mark.parametrize(
    ("rules", "card", "why", "told"),
    [
        ({}, "KS", MoveReason.HIT, "Вера берёт 4 и пропускает ход"),
        ({}, "AS", MoveReason.HIT, "Вера пропускает ход"),
        ({}, "7S", MoveReason.STING_THE_LAST_CARD, "Вера вот-вот выйдет: пусть берёт 2 и пропускает ход"),
        ({"effects": {"7": "load2"}}, "7S", MoveReason.HIT, "Вера берёт 2"),
        ({"transfer": ["7"]}, "7S", MoveReason.HIT, "Вера берёт 2 и пропускает ход, если не переведёт"),
    ],
)
def test_a_hint_says_whom_a_card_hits_and_what_it_costs(
    rules: dict[str, Any], card: str, why: MoveReason, told: str
) -> None:
    """Вера follows: the turn goes the other way about."""
    moment = scene("p1: KS AS 7S | p2: KD 10C | p3: 9C | stock: 9H 6D | discard: 7D | direction: -1", **rules)
    move = Play(0, parse_card(card))
    assert hint(Advice(move, why), moment.seen_by("p1"), RU) == f"💡 {RU.card(parse_card(card))}: {told}."


def test_a_hint_to_pass_an_attack_on_adds_up_what_is_owed() -> None:
    before = "p1: KS 7S | p2: KD 7H | p3: 9C 8S | stock: 9H 6D | discard: 7D | turn: p2 | direction: -1"
    attacked = scene(before, "p2 7H", transfer=["7"]).seen_by("p1")
    told = hint(Advice(Play(0, parse_card("7S")), MoveReason.PASS_IT_ON), attacked, RU)
    assert told == "💡 7♠️: штраф уходит дальше: Вера берёт 4 и пропускает ход, если не переведёт."


@LANGUAGES
def test_a_table_full_of_computers_can_be_shown_and_emptied(tr: Translator) -> None:
    lobby = invited(lobby_of(1, deck=52, hand_size=3), *[Level.STRONG] * 5)
    view = lobby.seen_by()
    screen = computers(view, tr)
    check(screen)
    table = view.id
    assert asked(screen)[:3] == [InviteComputer(table, level.value) for level in Level]
    assert [it for it in asked(screen) if isinstance(it, SendOff)] == [SendOff(table, n) for n in range(1, 6)]
    check(ask_kick(view, tr, 1))


def test_the_seats_of_who_is_in_or_waits_are_taken_and_that_of_who_has_left_is_free() -> None:
    full = dealt(3, hand_size=8)
    one_left = full.then("p3 leave")
    for moment, seats_are_taken in ((full, True), (one_left, False), (one_left.then("p4 sit"), True)):
        offered = any(isinstance(it, InviteComputer) for it in asked(computers(moment.seen_by(), RU)))
        assert offered is not seats_are_taken
