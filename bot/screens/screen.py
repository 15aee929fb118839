"""The content of a message as a value: text, rows of buttons, and whether it notifies.

The reconciler compares screens by digest and turns them into API calls. Nothing here uses Telegram's library.
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
    """The colour of a button, in clients that support it."""

    PLAIN = ""
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button with exactly one of `data` (callback data), `url` and `copy` (for the clipboard)."""

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
    """A message: `text` in Telegram's HTML and rows of buttons; with a `picture` the text is its caption.

    `notifies`: the reader should be notified. `recalls` counts the reminders of the same thing so far, so
    that each reminder is sent as a new message.
    """

    text: str
    rows: Rows = ()
    notifies: bool = False
    recalls: int = 0
    picture: Picture | None = None

    @property
    def digest(self) -> str:
        """A hash of what the reader sees, regardless of notification."""
        return self._digest_with(self.text)

    @property
    def timeless_digest(self) -> str:
        """A hash like `digest` that also ignores the times in the text (`layout.local_time`)."""
        return self._digest_with(_MOMENT.sub("", self.text))

    def _digest_with(self, text: str) -> str:
        drawn = () if self.picture is None else (self.picture.digest,)
        return hashlib.sha256(repr((text, self.rows, *drawn)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Context:
    """The parameters of screens besides the view and the translator.

    `table_url` is the link to the group's table message, if Telegram has one. `unreachable` has the user ids
    of those who have not started the bot or have blocked it. `hand_order` is the reader's setting, `look` the
    group's, which is `TEXT` if the group does not accept pictures.
    """

    bot_username: str
    table_url: str | None = None
    unreachable: frozenset[int] = frozenset()
    hand_order: HandOrder = HandOrder.SUIT
    look: Look = Look.TEXT
