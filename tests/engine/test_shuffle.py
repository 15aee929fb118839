"""Shuffling, against a second implementation that shares nothing with the first."""

import hashlib
from collections import Counter

import pytest

from engine import WordStream, commitment, shuffle
from engine.cards import sorted_deck
from engine.shuffle import cut_deck, lead_and_deck, recycled

SEED = bytes(range(32))


def plain_words(seed: bytes, count: int) -> list[int]:
    """The first words of the stream, straight from the definition."""
    blocks = [hashlib.sha256(seed + k.to_bytes(8, "big")).digest() for k in range(count // 8 + 1)]
    joined = b"".join(blocks)
    return [int.from_bytes(joined[4 * at : 4 * at + 4], "big") for at in range(count)]


def test_the_stream_gives_eight_words_of_each_block_in_order() -> None:
    stream = WordStream(SEED)
    assert [stream.below(2**32) for _ in range(20)] == plain_words(SEED, 20)


def test_words_past_the_last_whole_multiple_are_passed_over() -> None:
    bound = 3 * 2**30
    accepted = [word % bound for word in plain_words(SEED, 60) if word < bound]
    stream = WordStream(SEED)
    assert len(accepted) < 60
    assert [stream.below(bound) for _ in accepted] == accepted


def test_a_word_at_the_bound_itself_is_passed_over() -> None:
    first, second = plain_words(SEED, 2)
    assert first > 2**31
    assert second < first
    assert WordStream(SEED).below(first) == second


def test_below_one_still_takes_a_word() -> None:
    stream = WordStream(SEED)
    assert stream.below(1) == 0
    assert stream.below(2**32) == plain_words(SEED, 2)[1]


@pytest.mark.parametrize("least_skipped", [2**32, 2**31])
def test_a_shuffle_is_fisher_yates_from_the_last_place_down(
    monkeypatch: pytest.MonkeyPatch, least_skipped: int
) -> None:
    """No seed is known whose shuffle skips a word, so the second case has every other word skipped."""
    monkeypatch.setattr(shuffle, "_WORDS", least_skipped)
    words = iter(plain_words(SEED, 100))
    expected = list(range(20))
    for n in range(20, 1, -1):
        other = next(word for word in words if word < least_skipped - least_skipped % n) % n
        expected[n - 1], expected[other] = expected[other], expected[n - 1]
    assert WordStream(SEED).shuffled(range(20)) == tuple(expected)


@pytest.mark.parametrize("cards", [(), (7,)])
def test_a_shuffle_of_fewer_than_two_cards_changes_nothing(cards: tuple[int, ...]) -> None:
    assert WordStream(SEED).shuffled(cards) == cards


def test_a_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_a_cut_puts_the_first_cards_last() -> None:
    assert cut_deck((1, 2, 3, 4, 5), 2) == (3, 4, 5, 1, 2)
    assert cut_deck((1, 2, 3), 0) == cut_deck((1, 2, 3), 3) == (1, 2, 3)


def test_a_leader_that_is_not_known_is_drawn_before_the_shuffle() -> None:
    pack = sorted_deck(36)
    words = WordStream(SEED)
    drawn = (2, 5, 7)[words.below(3)]
    assert lead_and_deck(SEED, (2, 5, 7), None, pack, 0) == (drawn, words.shuffled(pack))


def test_a_leader_that_is_known_takes_no_word() -> None:
    pack = sorted_deck(36)
    assert lead_and_deck(SEED, (2, 5, 7), 5, pack, 0) == (5, WordStream(SEED).shuffled(pack))


def test_each_recycling_of_a_round_has_a_stream_of_its_own() -> None:
    seed = hashlib.sha256(SEED + b"recycle" + (2).to_bytes(8, "big")).digest()
    assert recycled(SEED, 2, range(9)) == WordStream(seed).shuffled(range(9))
    assert recycled(SEED, 1, range(9)) != recycled(SEED, 2, range(9))


def test_every_order_of_three_cards_comes_about_as_often() -> None:
    orders = Counter(WordStream(k.to_bytes(32, "big")).shuffled((1, 2, 3)) for k in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 70
