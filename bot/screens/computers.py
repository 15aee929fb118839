"""Asking computer players to a group's table and sending them off: one menu, open as long as it is of use."""

from __future__ import annotations

from bot.callbacks import CloseComputers, Invite, OpenComputers, SendOff
from bot.locales import Html, Words
from bot.screens.briefs import capital
from bot.screens.layout import grid, page, press, rows
from bot.screens.screen import Button, Screen, Style
from bot.tables.lifecycle import Phase
from bot.tables.view import PlayerView, TableView
from engine import Status
from engine.players import Level


def computers_button(view: TableView, words: Words) -> Button:
    """The way to the menu, for who sits at the table."""
    return press(words.plain("button.computers"), OpenComputers(view.id))


def computers(view: TableView, words: Words) -> Screen:
    """Which levels there are to be asked, and who of the computer players at the table can be sent off.

    Where all seats are taken it says so, and asks for nobody.
    """
    if view.phase is Phase.OVER:
        return Screen(page(words("refusal.table_over")))
    there = sent_off(view)
    text = page(
        words("computers.title"),
        "",
        *(words.plain("computers.seated", name=words.name(it.name), level=level(it, words)) for it in there),
        "",
        _question(view, words),
    )
    invitations = [
        press(capital(words.plain(f"level.{it}")), Invite(view.id, it.value), Style.PRIMARY)
        for it in Level
        if not view.is_full
    ]
    close = press(words.plain("button.close"), CloseComputers(view.id))
    farewells = grid([send_off_button(view, it, words) for it in there])
    return Screen(text, rows(invitations, *farewells, (close,)))


def _question(view: TableView, words: Words) -> Html:
    if view.is_full:
        return words("computers.full", n=view.rules.max_seats)
    return words("computers.ask" if view.game is None else "computers.ask_next")


def sent_off(view: TableView) -> list[PlayerView]:
    """The computer players that can be sent off: in the lobby, in the match, or waiting for the next deal."""
    there = [it for it in (*view.players, *view.waiting) if it.level is not None]
    return [it for it in there if it.status in (None, Status.IN)]


def send_off_button(view: TableView, computer: PlayerView, words: Words) -> Button:
    """What sends it off."""
    text = words.plain("button.send_off", name=words.name(computer.name))
    return press(text, SendOff(view.id, -computer.user_id), Style.DANGER)


def level(player: PlayerView, words: Words) -> str:
    """How well a computer player plays."""
    assert player.level is not None
    return words.plain(f"level.{player.level}")
