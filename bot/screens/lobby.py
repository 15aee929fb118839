"""The group's message while players gather, and after the lobby has closed without a match."""

from __future__ import annotations

from bot.buttons import HouseRules, Sit, Stand, StartMatch
from bot.locales import Translator
from bot.screens.computers import computers_button, level
from bot.screens.cut import sealed_button
from bot.screens.layout import callback_button, pace, page, rows, with_last_line
from bot.screens.phrases import rules_name, talk_line, unreachable
from bot.screens.screen import Context, Screen, Style
from bot.screens.subscriptions import subscribe_button
from bot.tables.lifecycle import Ending
from bot.tables.view import PlayerView, TableView


def lobby(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """The lobby: the players, the rules and a button to sit down. Notifies, since it is an invitation.

    Everybody can copy the commitment of the first shuffle before any card is seen.
    """
    seated = [_seat_line(place, player, tr) for place, player in enumerate(view.players, start=1)]
    text = page(
        tr("lobby.title"),
        tr(
            "lobby.rules",
            rules=rules_name(view.rules, tr),
            deck=tr.plain_plural("count.cards", view.rules.deck),
            limit=view.rules.limit,
            pace=pace(view.turn_seconds, tr),
        ),
        "",
        *seated,
        tr("lobby.count", n=len(view.players), seats=view.rules.max_seats),
        tr("lobby.host_silent", name=tr.name(view.host_name)) if view.host_silent else None,
        unreachable(view, tr, ctx),
    )
    buttons = rows(
        (
            callback_button(tr.plain("button.sit"), Sit(view.id), Style.SUCCESS),
            callback_button(tr.plain("button.stand"), Stand(view.id)),
        ),
        (
            callback_button(tr.plain("button.rules"), HouseRules(view.id)),
            callback_button(tr.plain("button.start"), StartMatch(view.id), Style.PRIMARY),
        ),
        (computers_button(view, tr),),
        (sealed_button(view, tr),),
    )
    return with_last_line(Screen(text, buttons, notifies=True), talk_line(view, tr))


def _seat_line(place: int, player: PlayerView, tr: Translator) -> str:
    name = tr.name(player.name)
    if player.level is not None:
        return tr.plain("lobby.computer", n=place, name=name, level=level(player, tr))
    return tr.plain("lobby.host" if player.is_host else "lobby.seat", n=place, name=name)


def closed_lobby(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """A table that closed before its first deal: the reason, and how to open another."""
    match view.ending:
        case Ending.EXPIRED:
            key = "lobby.expired"
        case Ending.DESERTED:
            key = "lobby.deserted"
        case _:
            key = "lobby.stopped_by_vote" if view.is_ended_by_vote else "lobby.stopped"
    text = page(tr(key), tr("lobby.again", bot=ctx.bot_username))
    return Screen(text, rows((subscribe_button(view.id, tr),)))
