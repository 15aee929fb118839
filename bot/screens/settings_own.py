"""One's own settings, in the private chat: all on one page, each with its answers side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.buttons import (
    ChooseForcedMoves,
    ChooseHandOrder,
    ChooseHidden,
    ChooseSound,
    ChooseTelling,
    SetLanguage,
)
from bot.locales import Translator
from bot.screens.layout import page, rows
from bot.screens.screen import HandOrder, Screen
from bot.screens.settings_layout import option, options
from bot.tables.table_talk import Telling


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What somebody has chosen for himself, apart from his language.

    `sound`: his turns ring. `forced_moves`: moves that leave nothing to decide are made for him.
    `hidden`: he stands in no list of players. `telling`: what he writes in private is told at his table.
    """

    sound: bool
    forced_moves: bool
    hand_order: HandOrder
    hidden: bool
    telling: Telling


def own_settings(own: OwnSettings, tr: Translator, catalogues: Mapping[str, Translator]) -> Screen:
    """The page, in the language chosen."""
    sounds = [
        option(
            tr.plain(f"answer.sound.{str(sound).lower()}"),
            ChooseSound(sound),
            is_chosen=sound is own.sound,
        )
        for sound in (True, False)
    ]
    forced = [
        option(
            tr.plain(f"answer.forced_moves.{str(made).lower()}"),
            ChooseForcedMoves(made),
            is_chosen=made is own.forced_moves,
        )
        for made in (True, False)
    ]
    orders = [
        option(
            tr.plain(f"answer.hand_order.{order}"),
            ChooseHandOrder(order),
            is_chosen=order is own.hand_order,
        )
        for order in HandOrder
    ]
    lists = [
        option(
            tr.plain(f"answer.hidden.{str(hidden).lower()}"),
            ChooseHidden(hidden),
            is_chosen=hidden is own.hidden,
        )
        for hidden in (False, True)
    ]
    tellings = [
        option(
            tr.plain(f"answer.telling.{telling}"),
            ChooseTelling(telling),
            is_chosen=telling is own.telling,
        )
        for telling in Telling
    ]
    languages = [
        option(other.plain("language.name"), SetLanguage(code), is_chosen=code == tr.language)
        for code, other in catalogues.items()
    ]
    text = page(
        tr("settings.own_title"),
        "",
        tr("about.sound"),
        tr("about.forced_moves"),
        tr("about.hand_order"),
        tr("about.hidden"),
        tr("about.telling"),
    )
    return Screen(text, rows(sounds, forced, orders, lists, *options(tellings), languages))
