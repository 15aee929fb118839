"""Shuffling from a seed, so that anybody can recompute a deal.

A seed is 32 bytes. Its hash is published before the deal and the seed itself after the round; with both,
anyone can check that the deck was fixed beforehand. The algorithm is deliberately plain (SHA-256 in counter
mode, rejection sampling, Fisher-Yates): it takes twenty lines in any language.
"""

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Final

from engine.cards import Card

SEED_BYTES: Final = 32
_WORDS: Final = 2**32
_EIGHT_WORDS: Final = Struct(">8I")


class WordStream:
    """An endless stream of 32-bit words from a seed: the big-endian words of SHA-256(seed + counter).

    >>> stream = WordStream(bytes(32))
    >>> stream.below(6), stream.shuffled(range(5))
    (1, (4, 1, 0, 3, 2))
    """

    __slots__ = ("_block", "_seed", "_words")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A uniform number from 0 to n - 1; words past the last multiple of n are skipped."""
        bound = _WORDS - _WORDS % n
        while True:
            if not self._words:
                self._refill()
            word = self._words.pop()
            if word < bound:
                return word % n

    def shuffled(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards shuffled (Fisher-Yates, from the last place down)."""
        order, words = list(cards), self._words
        never_skipped = _WORDS - len(order)
        for n in range(len(order), 1, -1):
            # `other = self.below(n)`, inlined for all but the highest words; takes half the time.
            if not words:
                self._refill()
            word = words.pop()
            if word < never_skipped:
                other = word % n
            else:
                words.append(word)
                other = self.below(n)
            order[n - 1], order[other] = order[other], order[n - 1]
        return tuple(order)

    def _refill(self) -> None:
        """Make the next eight words, the first of them last in the list."""
        block = sha256(self._seed + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        self._words.extend(reversed(_EIGHT_WORDS.unpack(block)))


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed in hex, to be published before the deal."""
    return sha256(seed).hexdigest()


def cut_deck(deck: tuple[Card, ...], at: int) -> tuple[Card, ...]:
    """The deck with its first `at` cards moved to the end."""
    return deck[at:] + deck[:at]


def lead_and_deck(
    seed: bytes, seats: Sequence[int], leader: int | None, pack: Sequence[Card], cut: int
) -> tuple[int, tuple[Card, ...]]:
    """The leader of a round, drawn first from `seats` if None, and the deck to deal, shuffled and cut.

    `pack` is the deck before the shuffle; the first card of the result is dealt first.
    """
    words = WordStream(seed)
    if leader is None:
        leader = seats[words.below(len(seats))]
    return leader, cut_deck(words.shuffled(pack), cut)


def recycled(seed: bytes, number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The `number`-th shuffle (from 1) of a round's discard pile into a new stock.

    `cards` come oldest first, as if turned over; the first card of the result is the top of the stock.
    """
    return WordStream(sha256(seed + b"recycle" + number.to_bytes(8, "big")).digest()).shuffled(cards)
