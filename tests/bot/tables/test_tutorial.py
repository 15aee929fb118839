"""The tutorial's positions: judged by the engine, and solved by exactly the requested cards."""

from __future__ import annotations

import pytest

from bot.tables.refusals import Refusal, Refused
from bot.tables.tutorial import TutorialStep, try_card, tutorial_view
from engine import Play, Reason, card_code, parse_card

ASKED: dict[TutorialStep, list[tuple[str, int | None]]] = {
    TutorialStep.MATCH: [("JH", None), ("9C", None)],
    TutorialStep.QUEEN: [("QD", suit) for suit in (None, 0, 1, 2, 3)],
    TutorialStep.EIGHT: [("8S", None)],
    TutorialStep.COVER: [("JS", None)],
}


@pytest.mark.parametrize("step", TutorialStep)
def test_the_cards_that_are_asked_for_lead_to_the_next_step(step: TutorialStep) -> None:
    following = None if step is TutorialStep.COVER else TutorialStep(step + 1)
    for card, suit in ASKED[step]:
        assert try_card(step, parse_card(card), suit) == following


@pytest.mark.parametrize("step", TutorialStep)
def test_every_other_card_of_the_hand_is_refused_by_the_engine_or_kept_for_later(step: TutorialStep) -> None:
    view = tutorial_view(step)
    assert view.hand is not None
    legal = {move.card for move in view.legal if isinstance(move, Play)}
    asked = {parse_card(card) for card, _ in ASKED[step]}
    assert asked <= legal
    for card in set(view.hand) - asked:
        with pytest.raises(Refusal) as refusal:
            try_card(step, card, None)
        assert refusal.value.reason is (Refused.KEEP_IT if card in legal else Reason.CARD_DOES_NOT_MATCH)


def test_nothing_but_the_queen_fits_where_she_is_taught() -> None:
    legal = {
        card_code(move.card) for move in tutorial_view(TutorialStep.QUEEN).legal if isinstance(move, Play)
    }
    assert legal == {"QD"}


def test_the_eight_that_was_laid_has_to_be_covered_with_the_last_card() -> None:
    view = tutorial_view(TutorialStep.COVER)
    assert view.round is not None
    assert view.round.must_cover
    assert [card_code(card) for card in view.hand or ()] == ["JS"]


@pytest.mark.parametrize(
    ("card", "suit", "reason"),
    [("AS", None, Reason.CARD_NOT_IN_HAND), ("JH", 1, Reason.SUIT_NOT_ALLOWED)],
)
def test_what_is_no_move_is_refused_as_in_any_match(card: str, suit: int | None, reason: Reason) -> None:
    with pytest.raises(Refusal) as refusal:
        try_card(TutorialStep.MATCH, parse_card(card), suit)
    assert refusal.value.reason is reason
