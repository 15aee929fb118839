"""`Translator`: one language's catalogue, with what varies filled in.

A message is either *Telegram HTML* (called, or by `plural`: parameters are escaped) or *plain text* for
buttons, toasts and parts of larger messages (`plain`, `plain_plural`: nothing is escaped). `Html` marks the
first kind, so that it is neither escaped twice nor shown with its tags.
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
"""By suit; with the emoji selector, so that they look alike everywhere."""

_TITLE_GRAPHEMES: Final = 24
_LINE_GRAPHEMES: Final = 100


class Html(str):
    """Text that is Telegram HTML already."""

    __slots__ = ()


def escape(text: str) -> Html:
    """`text` as Telegram HTML that shows just it; not for attributes, since quotes stay as they are."""
    return text if isinstance(text, Html) else Html(html.escape(text, quote=False))


class Translator:
    """The messages of one language. An unknown key is a KeyError: a slip that tests find."""

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
        """The same language, with people's names in at most so many graphemes."""
        return Translator(self.language, self._translations, self.keys, graphemes)

    def __call__(self, key: str, /, **params: object) -> Html:
        """The message as Telegram HTML; parameters that are not `Html` are escaped."""
        return Html(
            self._message(key).format_map({name: escape(str_of(value)) for name, value in params.items()})
        )

    def plural(self, key: str, n: int, /, **params: object) -> Html:
        """The message in the form for `n`, which is a parameter too, as Telegram HTML."""
        values = {name: escape(str_of(value)) for name, value in params.items()}
        return Html(self._plural(key, n).format_map({**values, "n": str(n)}))

    def plain(self, key: str, /, **params: object) -> str:
        """The message as plain text."""
        return self._message(key).format_map({name: _plain(value) for name, value in params.items()})

    def plain_plural(self, key: str, n: int, /, **params: object) -> str:
        """The message in the form for `n`, which is a parameter too, as plain text."""
        return self._plural(key, n).format_map({**{k: _plain(v) for k, v in params.items()}, "n": str(n)})

    def card(self, card: Card) -> str:
        """A card as players read it: «Д♠️», "Q♠️"."""
        return self.rank(rank_of(card)) + self.suit(suit_of(card))

    def cards(self, cards: Sequence[Card]) -> str:
        """Cards side by side."""
        return " ".join(self.card(card) for card in cards)

    def rank(self, rank: int) -> str:
        """A rank's sign: «Д», "Q", "10"."""
        return self._message(f"rank.sign.{RANKS[rank]}")

    def suit(self, suit: int) -> str:
        """A suit's sign."""
        return _SUIT_SIGNS[suit]

    def name(self, raw: str) -> str:
        """A person's name, plain and short; other words where nothing of it can be seen.

        The small number that tells it apart stays whole.
        """
        name, number = split_number(raw)
        return (tidy_name(name, self._name_graphemes - len(number)) or self._message("name.unseen")) + number

    def title(self, raw: str) -> str:
        """A group's title, plain and short; other words where nothing of it can be seen."""
        return tidy_name(raw, _TITLE_GRAPHEMES) or self._message("title.unseen")

    def line(self, raw: str) -> str:
        """What somebody has written, plain, as a line of at most 100 graphemes; empty if nothing is seen."""
        return tidy_name(raw, _LINE_GRAPHEMES)

    def decimal(self, value: float) -> str:
        """A number with one digit behind the point, as this language writes it."""
        return format_decimal(value, "0.0", locale=self.language).replace("-", "−")

    def all_of(self, items: Sequence[str]) -> str:
        """«a, b и c»."""
        return self._listed(items, "list.and")

    def any_of(self, items: Sequence[str]) -> str:
        """«a, b или c»."""
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
    """Text stays as it is (`Html` too); numbers get a true minus sign."""
    return value if isinstance(value, str) else str(value).replace("-", "−")


def _plain(value: object) -> str:
    if isinstance(value, Html):
        raise TypeError(f"HTML in plain text: {value!r}")
    return str_of(value)
