"""No screen shows a card that its reader may not know.

The hidden cards are dealt anew (the others' hands and the stock, each as large as it was): whoever cannot see
them sees the same screens, letter by letter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.locales import Translator
from bot.screens.answers import explain_refusal, peek
from bot.screens.hand import hand
from bot.screens.result import stopped
from bot.screens.score import score
from bot.screens.screen import Screen
from bot.screens.table import table
from bot.settings import Look
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.view import TableView
from engine import PRESETS
from tests.bot.screens.scenes import CTX, EN, RU, Scene, dealt, scene
from tests.builders import replace_fields


@settings(max_examples=60, deadline=None)
@given(
    preset=st.sampled_from(list(PRESETS)),
    players=st.integers(2, 4),
    moves=st.integers(0, 25),
    viewer=st.integers(0, 4),
    chance=st.randoms(use_true_random=False),
)
def test_screens_do_not_depend_on_cards_their_reader_cannot_see(
    preset: str, players: int, moves: int, viewer: int, chance: random.Random
) -> None:
    moment = dealt(players, preset=preset)
    for _ in range(moves):
        if moment.table.phase is not TablePhase.OVER:
            moment = moment.moved(chance.randrange(100))
    player = f"p{viewer}" if 1 <= viewer <= players else None
    otherwise = Scene(with_hidden_cards_dealt_anew(moment.table, player, chance), moment.now)
    before, after = moment.seen_by(player), otherwise.seen_by(player)
    for tr in (RU, EN):
        assert list(everything(before, tr)) == list(everything(after, tr))


def with_hidden_cards_dealt_anew(table: Table, player: str | None, chance: random.Random) -> Table:
    """The same table to whoever sees only this player's cards: each pile is as large as it was."""
    match = table.match
    if match is None or match.round is None:
        return table
    running = match.round
    own = None if player is None else int(player[1:]) - 1
    hidden = [card for seat, cards in enumerate(running.piles.hands) if seat != own for card in cards]
    hidden += running.piles.stock
    chance.shuffle(hidden)
    hands = []
    for seat, cards in enumerate(running.piles.hands):
        hands.append(cards if seat == own else tuple(hidden.pop() for _ in cards))
    anew = replace_fields(running, hands=tuple(hands), stock=tuple(hidden))
    return replace(table, match=match._replace(round=anew))


def everything(view: TableView, tr: Translator) -> Iterator[Screen | str]:
    """Yield everything that is shown of a table while a round runs."""
    if view.phase is TablePhase.PLAYING:
        yield table(view, tr, CTX)
        yield table(view, tr, replace(CTX, look=Look.PICTURE))
        yield stopped(view, tr, replace(CTX, look=Look.PICTURE))
    yield hand(view, tr, CTX)
    yield score([view], tr)
    yield peek(view, tr)
    yield explain_refusal(view, tr)


def test_the_cards_of_a_draw_are_told_to_who_drew_them_alone() -> None:
    moment = scene("p1: 7S KD | p2: 10C JH | p3: 9C 9H | stock: 6C 8D KH | discard: JS", "p1 7S")
    for player in (None, "p1", "p3"):
        shown = "".join(map(str, everything(moment.seen_by(player), RU)))
        assert "6♣️" not in shown
        assert "8♦️" not in shown
    assert "вы берёте 6♣️ и 8♦️" in hand(moment.seen_by("p2"), RU, CTX).text
