"""Putting screens together: lines into text, buttons into rows."""

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
"""The same for what stands under a picture (https://core.telegram.org/bots/api#sendphoto)."""

_MINUTE, _DAY = 60, 86_400

_TAG = re.compile(r"<[^<>]*>")

_ROOM = {4: 6, 3: 9, 2: 15}
"""How long a label (UTF-16 units) a phone shows whole where so many buttons stand in a row.

More than four are too narrow for a thumb.
"""


def page(*lines: str | None) -> str:
    """The lines as one text of HTML: what is not HTML yet is escaped, None is left out, "" is an empty line.

    Empty lines do not pile up, and none is first or last.
    """
    kept: list[str] = []
    for line in lines:
        if line is None or (line == "" and (not kept or kept[-1] == "")):
            continue
        kept.append(escape(line))
    return "\n".join(kept).rstrip("\n")


def caption(variants: Iterable[str]) -> str:
    """The first of these texts of HTML that fits under a picture; the last if none does."""
    text = ""
    for text in variants:
        if units(html.unescape(_TAG.sub("", text))) <= CAPTION_UNITS:
            break
    return text


def with_last_line(screen: Screen, line: str | None) -> Screen:
    """The same message with one line more at its end."""
    return screen if line is None else replace(screen, text=page(Html(screen.text), "", line))


def shortened(text: str, limit: int) -> str:
    """`text` in at most so many UTF-16 units, cut at a space with an ellipsis."""
    if units(text) <= limit:
        return text
    kept = text
    while units(kept) > limit - 1:
        head, space, _ = kept.rpartition(" ")
        kept = head if space else kept[:-1]
    return f"{kept}…"


def callback_button(text: str, asked: CallbackData, style: Style = Style.PLAIN) -> Button:
    """A button that asks for something."""
    return Button(text, data=encode(asked), style=style)


def rows(*groups: Iterable[Button | None]) -> Rows:
    """The groups as rows of buttons, without what is None and without empty rows."""
    kept = (tuple(button for button in group if button is not None) for group in groups)
    return tuple(row for row in kept if row)


def grid(buttons: Sequence[Button], labels: Iterable[str] = ()) -> Rows:
    """Buttons in rows of about equal length: as many as a phone shows whole.

    `labels`: what may come to stand on them, where that is longer than what does.
    """
    if not buttons:
        return ()
    longest = max(units(label) for label in (*labels, *(button.text for button in buttons)))
    most = next((abreast for abreast, room in _ROOM.items() if longest <= room), 1)
    height = -(-len(buttons) // most)
    width = -(-len(buttons) // height)
    return tuple(tuple(buttons[start : start + width]) for start in range(0, len(buttons), width))


def to_table(tr: Translator, ctx: Context) -> Button | None:
    """The way from a private chat to the group's table, where Telegram has such links."""
    return None if ctx.table_url is None else Button(tr.plain("button.to_table"), url=ctx.table_url)


def moment(unix: float, instead: str) -> Html:
    """A moment that each reader sees in his own time zone; `instead` where the client cannot show that.

    The tag: https://core.telegram.org/bots/api#html-style, format "T": hours, minutes and seconds.
    """
    return Html(f'<tg-time unix="{int(unix)}" format="T">{escape(instead)}</tg-time>')


def turn_deadline(view: TableView, tr: Translator) -> Html | None:
    """Until when the player to move may think; None where no clock waits for him."""
    if view.turn_ends is None or view.turn_seconds is None:
        return None
    instead = tr.plain("turn.pace", time=span(view.turn_seconds, tr))
    return tr("turn.deadline", time=moment(view.turn_ends, instead))


def span(seconds: int, tr: Translator) -> str:
    """A length of time in the largest unit that is exact: «60 с», «2 мин», «1 день»."""
    if seconds % _DAY == 0:
        return tr.plain_plural("count.days", seconds // _DAY)
    if seconds % _MINUTE == 0 and seconds > _MINUTE:
        return tr.plain("span.minutes", n=seconds // _MINUTE)
    return tr.plain("span.seconds", n=seconds)


def pace(turn_seconds: int | None, tr: Translator) -> str:
    """How long a turn may last: «ход 60 с», «без часов»."""
    if turn_seconds is None:
        return tr.plain("lobby.no_clock")
    return tr.plain("lobby.pace", time=span(turn_seconds, tr))


def next_deal(deadline: Deadline | None, tr: Translator) -> Html | None:
    """When the next round is dealt by itself; None where nothing waits for that."""
    if deadline is None or deadline.kind is not DeadlineKind.NEXT_DEAL:
        return None
    return tr("result.next", time=moment(deadline.at, tr.plain("result.soon")))
