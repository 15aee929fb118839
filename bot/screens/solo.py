"""A solo match against computers: board and hand in one message of the private chat, edited in place.

It never notifies, since the player is looking at it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.buttons import AskLeave, DealNext, Rematch, ShowScore
from bot.locales import Html, Translator
from bot.screens.cut import dealt_button, sealed_button
from bot.screens.layout import callback_button, page, rows
from bot.screens.opponents import opponents_at, other_opponents_button
from bot.screens.phrases import listed, on_top, seat_name
from bot.screens.premove import holds_wild, premove_buttons, premove_line, premove_suit_choice
from bot.screens.result import match_end, result, stopped
from bot.screens.screen import Context, Screen, Style
from bot.screens.table import about_round
from bot.screens.turn import may_order_suit, move_buttons, suit_choice, task_lines
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.view import TableView
from engine import Card, RoundView, Status, View


def solo(view: TableView, tr: Translator, ctx: Context, choosing: Card | None = None) -> Screen:
    """The solo match as its player sees it.

    `choosing` is the wild for which the player is choosing a suit; ignored if they may not play it.
    """
    game = view.game
    if game is None or game.seat is None:
        raise ValueError(f"table {view.id} is not a solo table")
    return replace(_solo(view, game, tr, ctx, choosing), notifies=False, recalls=0)


def _solo(view: TableView, game: View, tr: Translator, ctx: Context, choosing: Card | None) -> Screen:
    if view.phase is TablePhase.OVER:
        return _over(view, tr, ctx)
    now = game.round
    if now is None:
        return _between(view, game, tr, ctx)
    if game.seat is None or view.players[game.seat].status is not Status.IN:
        told = page(_head(view, game, now, tr), *about_round(view, game, now, tr))
        return Screen(told, rows((callback_button(tr.plain("button.leave"), AskLeave(view.id)),)))
    if now.turn == game.seat:
        if choosing is not None and may_order_suit(game, choosing):
            return suit_choice(view, game, now, choosing, tr, ctx)
        own: tuple[str | None, ...] = task_lines(view, game, now, tr, ctx)
        buttons = move_buttons(view, game, now, tr, ctx)
    else:
        if choosing is not None and holds_wild(game, choosing):
            return premove_suit_choice(view, game, now, choosing, tr)
        cards = tr.plain("hand.cards", cards=listed(game.hand or (), ctx.hand_order, tr))
        own = (cards, premove_line(view, tr))
        buttons = (*premove_buttons(view, game, now, tr, ctx), *rows((dealt_button(now, tr),)))
    text = page(_head(view, game, now, tr), *about_round(view, game, now, tr), "", *own)
    return Screen(text, buttons)


def _head(view: TableView, game: View, now: RoundView, tr: Translator) -> Html:
    """The player to move and the top card."""
    if now.turn == game.seat:
        return tr("alone.your_turn", top=on_top(now, tr))
    return tr("alone.their_turn", name=seat_name(view, now.turn, tr), top=on_top(now, tr))


def _between(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    """The result of the round, with a button for the next deal."""
    shown = result(view, tr, ctx)
    buttons = rows(
        (
            callback_button(tr.plain("button.deal_next"), DealNext(view.id, game.number), Style.SUCCESS),
            callback_button(tr.plain("button.score"), ShowScore(view.id)),
        ),
        (sealed_button(view, tr), callback_button(tr.plain("button.leave"), AskLeave(view.id))),
    )
    return Screen(shown.text, buttons)


def _over(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """The result of the match and of its last round, with buttons for another match."""
    if view.ending is Ending.FINISHED:
        last = result(view, tr, ctx, final=True).text
        text = page(Html(match_end(view, tr, ctx).text), "", Html(last))
    else:
        text = stopped(view, tr, ctx).text
    again = (
        None
        if view.rematched
        else callback_button(tr.plain("button.rematch"), Rematch(view.id), Style.SUCCESS)
    )
    others = None if view.rematched else other_opponents_button(opponents_at(view), tr)
    return Screen(
        text, rows((again,), (others, callback_button(tr.plain("button.score"), ShowScore(view.id))))
    )
