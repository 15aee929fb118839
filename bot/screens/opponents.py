"""The choice of opponents for a solo match, in private."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.buttons import OpenAlone, PlayAlone
from bot.locales import Translator
from bot.screens.layout import callback_button, page, rows
from bot.screens.screen import Button, Screen, Style
from bot.screens.settings_layout import option, options
from bot.tables.player import MARK
from bot.tables.view import TableView
from engine import PRESETS
from engine.players import Level

MOST_OPPONENTS: Final = 3


@dataclass(frozen=True, slots=True)
class Opponents:
    """A solo match's opponents: their number and level, and the preset of rules."""

    count: int = 2
    level: Level = Level.NORMAL
    preset: str = "classic"


def opponents_at(view: TableView) -> Opponents:
    """The opponents at a solo table."""
    levels = [player.level for player in view.players if player.level is not None]
    return Opponents(len(levels), levels[0], view.rules.preset)


def choice(chosen: Opponents, tr: Translator) -> Screen:
    """The choice, with a button that starts the match as chosen."""
    text = page(
        tr("alone.title"),
        "",
        tr("alone.about"),
    )
    counts = [
        _option(MARK * n, replace(chosen, count=n), is_chosen=n == chosen.count)
        for n in range(1, MOST_OPPONENTS + 1)
    ]
    levels = [
        _option(tr.plain(f"level.{it}"), replace(chosen, level=it), is_chosen=it is chosen.level)
        for it in Level
    ]
    presets = [
        _option(tr.plain(f"preset.{it}"), replace(chosen, preset=it), is_chosen=it == chosen.preset)
        for it in PRESETS
    ]
    begin = callback_button(
        tr.plain("button.begin"), PlayAlone(chosen.count, chosen.level.value, chosen.preset), Style.PRIMARY
    )
    return Screen(text, (*rows((begin,), counts, levels), *options(presets)))


def play_button(tr: Translator, style: Style = Style.SUCCESS) -> Button:
    """The button that opens the choice with the default opponents."""
    return callback_button(tr.plain("button.play_alone"), _open(Opponents()), style)


def other_opponents_button(chosen: Opponents, tr: Translator) -> Button:
    """The button that opens the choice with these opponents selected."""
    return callback_button(tr.plain("button.other_opponents"), _open(chosen))


def _option(text: str, chosen: Opponents, *, is_chosen: bool) -> Button:
    return option(text, _open(chosen), is_chosen=is_chosen)


def _open(chosen: Opponents) -> OpenAlone:
    return OpenAlone(chosen.count, chosen.level.value, chosen.preset)
