"""The group's message while a table is being gathered, and when it has closed without a match."""

from __future__ import annotations

from bot.callbacks import HouseRules, Sit, Stand, StartMatch
from bot.locales import Words
from bot.screens.bell import bell_button
from bot.screens.computers import computers_button, level
from bot.screens.cut import sealed_button
from bot.screens.layout import pace, page, press, rows, with_last_line
from bot.screens.phrases import rules_name, talk_line, unreachable
from bot.screens.screen import Context, Screen, Style
from bot.tables.lifecycle import Ending
from bot.tables.view import PlayerView, TableView


def lobby(view: TableView, words: Words, ctx: Context) -> Screen:
    """Who sits at the table, which rules they will play, and how to sit down. Rings: it is an invitation.

    The commitment of the first shuffle is there to be copied by everybody, long before anybody sees a card.
    """
    seated = [_seat_line(place, player, words) for place, player in enumerate(view.players, start=1)]
    text = page(
        words("lobby.title"),
        words(
            "lobby.rules",
            rules=rules_name(view.rules, words),
            deck=words.plain_plural("count.cards", view.rules.deck),
            limit=view.rules.limit,
            pace=pace(view.turn_seconds, words),
        ),
        "",
        *seated,
        words("lobby.count", n=len(view.players), seats=view.rules.max_seats),
        words("lobby.host_silent", name=words.name(view.host_name)) if view.host_silent else None,
        unreachable(view, words, ctx),
    )
    buttons = rows(
        (
            press(words.plain("button.sit"), Sit(view.id), Style.SUCCESS),
            press(words.plain("button.stand"), Stand(view.id)),
        ),
        (
            press(words.plain("button.rules"), HouseRules(view.id)),
            press(words.plain("button.start"), StartMatch(view.id), Style.PRIMARY),
        ),
        (computers_button(view, words),),
        (sealed_button(view, words),),
    )
    return with_last_line(Screen(text, buttons, rings=True), talk_line(view, words))


def _seat_line(place: int, player: PlayerView, words: Words) -> str:
    name = words.name(player.name)
    if player.level is not None:
        return words.plain("lobby.computer", n=place, name=name, level=level(player, words))
    return words.plain("lobby.host" if player.is_host else "lobby.seat", n=place, name=name)


def closed_lobby(view: TableView, words: Words, ctx: Context) -> Screen:
    """A table that closed before its first deal: why, and how to open another."""
    match view.ending:
        case Ending.EXPIRED:
            key = "lobby.expired"
        case Ending.DESERTED:
            key = "lobby.deserted"
        case _:
            key = "lobby.stopped_by_vote" if view.is_ended_by_vote else "lobby.stopped"
    text = page(words(key), words("lobby.again", bot=ctx.bot_username))
    return Screen(text, rows((bell_button(view.id, words),)))
