"""What a message looks like, in our own words: text, rows of buttons, whether its arrival may ring.

Screens are values. The reconciler compares them by digest and turns them into Telegram's calls; nothing here
knows Telegram's library.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum

from bot.screens.picture import Picture
from bot.settings import HandOrder, Look

_MOMENT = re.compile(r'(?<=<tg-time unix=")\d+')


class Style(StrEnum):
    """The colour of a button, where the client knows colours."""

    PLAIN = ""
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button; exactly one of `data` (callback data), `url` and `copy` (to the clipboard) set."""

    text: str
    data: str | None = None
    url: str | None = None
    copy: str | None = None
    style: Style = Style.PLAIN

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.data, self.url, self.copy)) != 1:
            raise ValueError(f"a button does exactly one thing: {self!r}")


Rows = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """A message: `text` in Telegram's HTML, and its buttons; with a `picture` the text is its caption.

    `rings`: its reader wants to know; `recalls`: how often he has been called about the same thing before, so
    that each call can be a message of its own.
    """

    text: str
    rows: Rows = ()
    notifies: bool = False
    recalls: int = 0
    picture: Picture | None = None

    @property
    def digest(self) -> str:
        """Equal for screens that look equal, whether they ring or not."""
        return self._digest_with(self.text)

    @property
    def timeless_digest(self) -> str:
        """Equal also for screens that differ in nothing but the moments they name."""
        return self._digest_with(_MOMENT.sub("", self.text))

    def _digest_with(self, text: str) -> str:
        drawn = () if self.picture is None else (self.picture.digest,)
        return hashlib.sha256(repr((text, self.rows, *drawn)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Context:
    """What screens need beside the view.

    `table_url`: the address of the group's table message, where such addresses exist; `unreachable`: the user
    ids of those whom the bot cannot write to, because they have not started it or have blocked it;
    `hand_order` is the reader's wish, `look` the group's; it is text where the group takes no pictures.
    """

    bot_username: str
    table_url: str | None = None
    unreachable: frozenset[int] = frozenset()
    hand_order: HandOrder = HandOrder.SUIT
    look: Look = Look.TEXT
