"""`Translator`: formats the messages of one language.

A message is either *Telegram HTML* (calling the translator, or `plural`: parameters are escaped) or *plain
text* for buttons, toasts and parts of larger messages (`plain`, `plain_plural`: nothing is escaped). HTML has
the type `Html`, so that it is neither escaped twice nor shown with its tags.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from gettext import GNUTranslations
from typing import Final

from babel.numbers import format_decimal

from bot.locales.names import MAX_GRAPHEMES, split_number, tidy_name
from engine import RANKS, Card, rank_of, suit_of

_SUIT_SIGNS: Final = ("♠️", "♥️", "♦️", "♣️")
"""By suit; with the emoji variation selector, so that they look the same in all clients."""

_TITLE_GRAPHEMES: Final = 24
_LINE_GRAPHEMES: Final = 100


class Html(str):
    """Text that is already Telegram HTML."""

    __slots__ = ()


def escape(text: str) -> Html:
    """Escape `text` for Telegram HTML, unless it is `Html`. Not for attributes: quotes are not escaped."""
    return text if isinstance(text, Html) else Html(html.escape(text, quote=False))


class Translator:
    """The messages of one language. All methods that take a key raise KeyError for an unknown one."""

    def __init__(
        self,
        language: str,
        translations: GNUTranslations,
        keys: frozenset[str],
        name_graphemes: int = MAX_GRAPHEMES,
    ) -> None:
        self.language = language
        self.keys = keys
        self._translations = translations
        self._name_graphemes = name_graphemes

    def with_short_names(self, graphemes: int) -> Translator:
        """Return a translator of the same language that cuts people's names at this many graphemes."""
        return Translator(self.language, self._translations, self.keys, graphemes)

    def __call__(self, key: str, /, **params: object) -> Html:
        """Return the message as Telegram HTML; parameters that are not `Html` are escaped."""
        return Html(
            self._message(key).format_map({name: escape(str_of(value)) for name, value in params.items()})
        )

    def plural(self, key: str, n: int, /, **params: object) -> Html:
        """Return the message in the plural form for `n` as Telegram HTML; `n` is a parameter as well."""
        values = {name: escape(str_of(value)) for name, value in params.items()}
        return Html(self._plural(key, n).format_map({**values, "n": str(n)}))

    def plain(self, key: str, /, **params: object) -> str:
        """Return the message as plain text. Raises TypeError for a parameter that is `Html`."""
        return self._message(key).format_map({name: _plain(value) for name, value in params.items()})

    def plain_plural(self, key: str, n: int, /, **params: object) -> str:
        """Return the message in the plural form for `n` as plain text; `n` is a parameter as well."""
        return self._plural(key, n).format_map({**{k: _plain(v) for k, v in params.items()}, "n": str(n)})

    def card(self, card: Card) -> str:
        """Return a card's symbol: «Д♠️», "Q♠️"."""
        return self.rank(rank_of(card)) + self.suit(suit_of(card))

    def cards(self, cards: Sequence[Card]) -> str:
        """Return the symbols of these cards, separated by spaces."""
        return " ".join(self.card(card) for card in cards)

    def rank(self, rank: int) -> str:
        """Return a rank's symbol: «Д», "Q", "10"."""
        return self._message(f"rank.sign.{RANKS[rank]}")

    def suit(self, suit: int) -> str:
        """Return a suit's symbol."""
        return _SUIT_SIGNS[suit]

    def name(self, raw: str) -> str:
        """Return a person's name, sanitized and cut, as plain text; a placeholder if nothing visible is left.

        The superscript number after a duplicate name is never cut.
        """
        name, number = split_number(raw)
        return (tidy_name(name, self._name_graphemes - len(number)) or self._message("name.unseen")) + number

    def title(self, raw: str) -> str:
        """Return a group's title like `name`."""
        return tidy_name(raw, _TITLE_GRAPHEMES) or self._message("title.unseen")

    def line(self, raw: str) -> str:
        """Return a person's text as one line of at most 100 graphemes; empty if nothing visible is left."""
        return tidy_name(raw, _LINE_GRAPHEMES)

    def decimal(self, value: float) -> str:
        """Return a number with one decimal place, in this language's notation."""
        return format_decimal(value, "0.0", locale=self.language).replace("-", "−")

    def all_of(self, items: Sequence[str]) -> str:
        """Join the items: «a, b и c»."""
        return self._listed(items, "list.and")

    def any_of(self, items: Sequence[str]) -> str:
        """Join the items: «a, b или c»."""
        return self._listed(items, "list.or")

    def _listed(self, items: Sequence[str], joint: str) -> str:
        if len(items) < 2:
            return "".join(items)
        return self._message(joint).format(head=", ".join(items[:-1]), last=items[-1])

    def _message(self, key: str) -> str:
        self._require(key)
        return self._translations.gettext(key)

    def _plural(self, key: str, n: int) -> str:
        self._require(key)
        return self._translations.ngettext(key, key, n)

    def _require(self, key: str) -> None:
        if key not in self.keys:
            raise KeyError(f"{self.language}.po has no {key!r}")


def str_of(value: object) -> str:
    """Return text unchanged (`Html` stays `Html`), and a number as text with a true minus sign."""
    return value if isinstance(value, str) else str(value).replace("-", "−")


def _plain(value: object) -> str:
    if isinstance(value, Html):
        raise TypeError(f"HTML in plain text: {value!r}")
    return str_of(value)
