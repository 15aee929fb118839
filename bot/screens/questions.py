"""Parses a question about the rules, a few typed words, into a rank, a card or a chapter.

The catalogues have the words people use (`ask.…`) as prefixes: «восьм» matches «восьмёрка» and «восьмёрку».
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.locales import Translator
from engine import RANKS, SUITS, parse_card, rank_of, suit_of

_SIGNS: Final = "♠♥♦♣"
"""The suits' symbols, by suit."""

_SIGN: Final = re.compile(f"[{_SIGNS}]")
_TOKEN: Final = re.compile(r"\w+")


class Chapter(StrEnum):
    """The chapters of the rules in reading order; the values are stored in button data."""

    CARDS = "cards"
    TURN = "turn"
    DRAW = "draw"
    DEAL = "deal"
    END = "end"
    POINTS = "points"
    MATCH = "match"
    DIFFERENCES = "differences"


@dataclass(frozen=True, slots=True)
class CardTopic:
    """A rank, or a single card if there is a suit."""

    rank: int
    suit: int | None


def topic_of(question: str, tr: Translator) -> CardTopic | Chapter | None:
    """Return what the question is about; None if no word is recognized."""
    asked = _folded(question)
    tokens = _TOKEN.findall(_SIGN.sub(" ", asked))
    signs = [_SIGNS.index(sign) for sign in _SIGN.findall(asked)]
    for token in tokens:
        card = _card_of_code(token)
        if card is not None:
            return card
    rank = _first(tokens, (f"ask.rank.{rank}" for rank in RANKS), tr)
    if rank is None and len(tokens) == 1:  # a single letter is a rank's symbol only if it stands alone
        rank = _rank_of_sign(tokens[0], tr)
    if rank is not None:
        suit = signs[0] if signs else _first(tokens, (f"ask.suit.{suit}" for suit in SUITS), tr)
        return CardTopic(rank, suit)
    chapter = _first(tokens, (f"ask.chapter.{chapter}" for chapter in Chapter), tr)
    return None if chapter is None else list(Chapter)[chapter]


def is_word_of(token: str, key: str, tr: Translator) -> bool:
    """Whether the token matches one of the words in the message with this key."""
    return _is_word(_folded(token), tuple(_folded(tr.plain(key)).split()))


def _folded(text: str) -> str:
    """Return the text in lower case without accents: «ё» is often typed as «е»."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _card_of_code(token: str) -> CardTopic | None:
    """Parse a card code such as "qs" or "10h"."""
    try:
        card = parse_card(token.upper())
    except ValueError:
        return None
    return CardTopic(rank_of(card), suit_of(card))


def _rank_of_sign(token: str, tr: Translator) -> int | None:
    signs = [{RANKS[rank].casefold(), tr.rank(rank).casefold()} for rank in range(len(RANKS))]
    return next((rank for rank, known in enumerate(signs) if token in known), None)


def _first(tokens: list[str], keys: Iterable[str], tr: Translator) -> int | None:
    """Return the index of the first of these keys that any of the tokens matches."""
    for place, key in enumerate(keys):
        if any(is_word_of(token, key, tr) for token in tokens):
            return place
    return None


def _is_word(token: str, prefixes: tuple[str, ...]) -> bool:
    """Match numbers as a whole, so that «80» does not match «8», and other words by prefix."""
    return token in prefixes if token.isdigit() else token.startswith(prefixes)
