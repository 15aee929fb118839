"""Assembles screens: lines into text, buttons into rows, times and durations into words."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.buttons import CallbackData, encode
from bot.locales import Html, Translator
from bot.locales.names import units
from bot.locales.translator import escape
from bot.screens.screen import Button, Context, Rows, Screen, Style
from bot.tables.lifecycle import Deadline, DeadlineKind
from bot.tables.view import TableView

MESSAGE_UNITS = 4096
"""The most UTF-16 units a message may have, its tags not counted (https://core.telegram.org/bots/api#sendmessage)."""

CAPTION_UNITS = 1024
"""The same for a picture's caption (https://core.telegram.org/bots/api#sendphoto)."""

_MINUTE, _DAY = 60, 86_400

_TAG = re.compile(r"<[^<>]*>")

_ROOM = {4: 6, 3: 9, 2: 15}
"""The longest label (UTF-16 units) that a phone shows uncut, by the number of buttons in a row.

More than four in a row are too narrow to tap.
"""


def page(*lines: str | None) -> str:
    """Join lines into HTML: plain text is escaped, None is skipped, "" makes an empty line.

    Consecutive empty lines are merged, and those at the beginning and the end are dropped.
    """
    kept: list[str] = []
    for line in lines:
        if line is None or (line == "" and (not kept or kept[-1] == "")):
            continue
        kept.append(escape(line))
    return "\n".join(kept).rstrip("\n")


def caption(variants: Iterable[str]) -> str:
    """Return the first of these HTML texts that fits into a caption; the last if none does."""
    text = ""
    for text in variants:
        if units(html.unescape(_TAG.sub("", text))) <= CAPTION_UNITS:
            break
    return text


def with_last_line(screen: Screen, line: str | None) -> Screen:
    """Append a line to the text, unless it is None."""
    return screen if line is None else replace(screen, text=page(Html(screen.text), "", line))


def shortened(text: str, limit: int) -> str:
    """Return `text` in at most `limit` UTF-16 units, cut at a space with an ellipsis."""
    if units(text) <= limit:
        return text
    kept = text
    while units(kept) > limit - 1:
        head, space, _ = kept.rpartition(" ")
        kept = head if space else kept[:-1]
    return f"{kept}…"


def callback_button(text: str, asked: CallbackData, style: Style = Style.PLAIN) -> Button:
    """A button with this request as its callback data."""
    return Button(text, data=encode(asked), style=style)


def rows(*groups: Iterable[Button | None]) -> Rows:
    """Return the groups as rows of buttons, skipping None and empty rows."""
    kept = (tuple(button for button in group if button is not None) for group in groups)
    return tuple(row for row in kept if row)


def grid(buttons: Sequence[Button], labels: Iterable[str] = ()) -> Rows:
    """Arrange buttons in rows of about equal length, as long as a phone shows all labels uncut.

    `labels` are other texts the buttons may get later, which have to fit as well.
    """
    if not buttons:
        return ()
    longest = max(units(label) for label in (*labels, *(button.text for button in buttons)))
    most = next((abreast for abreast, room in _ROOM.items() if longest <= room), 1)
    height = -(-len(buttons) // most)
    width = -(-len(buttons) // height)
    return tuple(tuple(buttons[start : start + width]) for start in range(0, len(buttons), width))


def to_table(tr: Translator, ctx: Context) -> Button | None:
    """A link from a private chat to the group's table; None where Telegram has no such links."""
    return None if ctx.table_url is None else Button(tr.plain("button.to_table"), url=ctx.table_url)


def local_time(unix: float, instead: str) -> Html:
    """A unix time that each reader sees in their own time zone; `instead` if the client cannot show it.

    Uses the tag of https://core.telegram.org/bots/api#html-style with format "T": hours, minutes, seconds.
    """
    return Html(f'<tg-time unix="{int(unix)}" format="T">{escape(instead)}</tg-time>')


def turn_deadline(view: TableView, tr: Translator) -> Html | None:
    """The deadline of the turn; None if the turn has no clock."""
    if view.turn_ends is None or view.turn_seconds is None:
        return None
    instead = tr.plain("turn.pace", time=span(view.turn_seconds, tr))
    return tr("turn.deadline", time=local_time(view.turn_ends, instead))


def span(seconds: int, tr: Translator) -> str:
    """A duration in the largest unit that is exact: «60 с», «2 мин», «1 день»."""
    if seconds % _DAY == 0:
        return tr.plain_plural("count.days", seconds // _DAY)
    if seconds % _MINUTE == 0 and seconds > _MINUTE:
        return tr.plain("span.minutes", n=seconds // _MINUTE)
    return tr.plain("span.seconds", n=seconds)


def pace(turn_seconds: int | None, tr: Translator) -> str:
    """The time limit for a turn: «ход 60 с», «без часов»."""
    if turn_seconds is None:
        return tr.plain("lobby.no_clock")
    return tr.plain("lobby.pace", time=span(turn_seconds, tr))


def next_deal(deadline: Deadline | None, tr: Translator) -> Html | None:
    """Say when the next round will be dealt automatically; None if that is not pending."""
    if deadline is None or deadline.kind is not DeadlineKind.NEXT_DEAL:
        return None
    return tr("result.next", time=local_time(deadline.at, tr.plain("result.soon")))
