"""Cards as integers, their codes, and the decks."""

from collections import Counter

import pytest

from engine import RANKS, SUITS, card_code, parse_card, parse_suit, rank_of, suit_code, suit_of
from engine.cards import CARDS, KING_OF_SPADES, QUEEN_OF_SPADES, sorted_deck


def test_every_card_is_its_suit_and_rank() -> None:
    assert [card_code(card) for card in CARDS] == [rank + suit for suit in "SHDC" for rank in RANKS]
    assert all(card == 13 * suit_of(card) + rank_of(card) for card in CARDS)
    assert (card_code(QUEEN_OF_SPADES), card_code(KING_OF_SPADES)) == ("QS", "KS")


def test_every_code_is_read_back() -> None:
    assert [parse_card(card_code(card)) for card in CARDS] == list(CARDS)
    assert [parse_suit(suit_code(suit)) for suit in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("code", ["", "S", "10", "1S", "11S", "SQ", "qs", "QS ", "QX", "Q♠"])
def test_what_is_no_card_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(code)


@pytest.mark.parametrize("code", ["", "s", "SH", "X", "♠"])
def test_what_is_no_suit_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="is not a suit"):
        parse_suit(code)


def test_the_small_deck_runs_from_six_to_ace_suit_by_suit() -> None:
    deck = [card_code(card) for card in sorted_deck(36)]
    assert deck == [rank + suit for suit in SUITS for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")]


def test_the_large_deck_has_every_card_in_order() -> None:
    assert sorted_deck(52) == tuple(CARDS)


def test_the_double_deck_is_the_small_one_twice() -> None:
    assert sorted_deck(72) == sorted_deck(36) * 2
    assert set(Counter(sorted_deck(72)).values()) == {2}
