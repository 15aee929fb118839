"""The menu for inviting computer players to a group's table and removing them."""

from __future__ import annotations

from bot.buttons import CloseComputers, InviteComputer, OpenComputers, SendOff
from bot.locales import Html, Translator
from bot.screens.layout import callback_button, grid, page, rows
from bot.screens.rule_summaries import capital
from bot.screens.screen import Button, Screen, Style
from bot.tables.lifecycle import TablePhase
from bot.tables.view import PlayerView, TableView
from engine import Status
from engine.players import Level


def computers_button(view: TableView, tr: Translator) -> Button:
    """The button that opens the menu."""
    return callback_button(tr.plain("button.computers"), OpenComputers(view.id))


def computers(view: TableView, tr: Translator) -> Screen:
    """The menu: a button for each level, unless the table is full, and for each computer player to remove."""
    if view.phase is TablePhase.OVER:
        return Screen(page(tr("refusal.table_over")))
    there = removable_computers(view)
    text = page(
        tr("computers.title"),
        "",
        *(tr.plain("computers.seated", name=tr.name(it.name), level=level(it, tr)) for it in there),
        "",
        _question(view, tr),
    )
    invitations = [
        callback_button(capital(tr.plain(f"level.{it}")), InviteComputer(view.id, it.value), Style.PRIMARY)
        for it in Level
        if not view.is_full
    ]
    close = callback_button(tr.plain("button.close"), CloseComputers(view.id))
    removals = grid([send_off_button(view, it, tr) for it in there])
    return Screen(text, rows(invitations, *removals, (close,)))


def _question(view: TableView, tr: Translator) -> Html:
    if view.is_full:
        return tr("computers.full", n=view.rules.max_seats)
    return tr("computers.ask" if view.game is None else "computers.ask_next")


def removable_computers(view: TableView) -> list[PlayerView]:
    """The computer players in the lobby, in the match, or waiting for the next deal."""
    computers = [it for it in (*view.players, *view.waiting) if it.level is not None]
    return [it for it in computers if it.status in (None, Status.IN)]


def send_off_button(view: TableView, computer: PlayerView, tr: Translator) -> Button:
    """The button that removes this computer player."""
    text = tr.plain("button.send_off", name=tr.name(computer.name))
    return callback_button(text, SendOff(view.id, -computer.user_id), Style.DANGER)


def level(player: PlayerView, tr: Translator) -> str:
    """The name of a computer player's level."""
    assert player.level is not None
    return tr.plain(f"level.{player.level}")
