"""One's own settings, in the private chat: all on one page, each with its answers side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.callbacks import (
    ChooseForcedMoves,
    ChooseHandOrder,
    ChooseHidden,
    ChooseSound,
    ChooseTelling,
    SetLanguage,
)
from bot.locales import Words
from bot.screens.layout import page, rows
from bot.screens.screen import HandOrder, Screen
from bot.screens.settings_layout import option, options
from bot.tables.company import Telling


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


def own_settings(own: OwnSettings, words: Words, catalogues: Mapping[str, Words]) -> Screen:
    """The page, in the language chosen."""
    sounds = [
        option(
            words.plain(f"answer.sound.{str(sound).lower()}"),
            ChooseSound(sound),
            is_chosen=sound is own.sound,
        )
        for sound in (True, False)
    ]
    forced = [
        option(
            words.plain(f"answer.forced_moves.{str(made).lower()}"),
            ChooseForcedMoves(made),
            is_chosen=made is own.forced_moves,
        )
        for made in (True, False)
    ]
    orders = [
        option(
            words.plain(f"answer.hand_order.{order}"),
            ChooseHandOrder(order),
            is_chosen=order is own.hand_order,
        )
        for order in HandOrder
    ]
    lists = [
        option(
            words.plain(f"answer.hidden.{str(hidden).lower()}"),
            ChooseHidden(hidden),
            is_chosen=hidden is own.hidden,
        )
        for hidden in (False, True)
    ]
    tellings = [
        option(
            words.plain(f"answer.telling.{telling}"),
            ChooseTelling(telling),
            is_chosen=telling is own.telling,
        )
        for telling in Telling
    ]
    languages = [
        option(other.plain("language.name"), SetLanguage(code), is_chosen=code == words.language)
        for code, other in catalogues.items()
    ]
    text = page(
        words("settings.own_title"),
        "",
        words("about.sound"),
        words("about.forced_moves"),
        words("about.hand_order"),
        words("about.hidden"),
        words("about.telling"),
    )
    return Screen(text, rows(sounds, forced, orders, lists, *options(tellings), languages))
