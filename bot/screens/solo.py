"""Playing alone against computers: table and hand in one message of the private chat, edited in place.

Nothing here rings: whoever plays is looking.
"""

from __future__ import annotations

from dataclasses import replace

from bot.buttons import AskLeave, DealNext, Rematch, ShowScore
from bot.locales import Html, Translator
from bot.screens.cut import dealt_button, sealed_button
from bot.screens.layout import callback_button, page, rows
from bot.screens.opponents import opponents_at, others_button
from bot.screens.phrases import listed, on_top, seat_name
from bot.screens.premove import aside_buttons, aside_line, aside_suits, may_be_put_aside
from bot.screens.result import match_end, result, stopped
from bot.screens.screen import Context, Screen, Style
from bot.screens.table import about_round
from bot.screens.turn import orders, suit_choice, what_is_asked, what_may_be_done
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.view import TableView
from engine import Card, RoundView, Status, View


def alone(view: TableView, tr: Translator, ctx: Context, choosing: Card | None = None) -> Screen:
    """The match as its one person plays it.

    `choosing` is the wild for which he is choosing a suit; without effect where he may not lay it.
    """
    game = view.game
    if game is None or game.seat is None:
        raise ValueError(f"table {view.id} is nobody's alone")
    return replace(_alone(view, game, tr, ctx, choosing), notifies=False, recalls=0)


def _alone(view: TableView, game: View, tr: Translator, ctx: Context, choosing: Card | None) -> Screen:
    if view.phase is TablePhase.OVER:
        return _over(view, tr, ctx)
    now = game.round
    if now is None:
        return _between(view, game, tr, ctx)
    if game.seat is None or view.players[game.seat].status is not Status.IN:
        told = page(_head(view, game, now, tr), *about_round(view, game, now, tr))
        return Screen(told, rows((callback_button(tr.plain("button.leave"), AskLeave(view.id)),)))
    if now.turn == game.seat:
        if choosing is not None and orders(game, choosing):
            return suit_choice(view, game, now, choosing, tr, ctx)
        own: tuple[str | None, ...] = what_is_asked(view, game, now, tr, ctx)
        buttons = what_may_be_done(view, game, now, tr, ctx)
    else:
        if choosing is not None and may_be_put_aside(game, choosing):
            return aside_suits(view, game, now, choosing, tr)
        cards = tr.plain("hand.cards", cards=listed(game.hand or (), ctx.hand_order, tr))
        own = (cards, aside_line(view, tr))
        buttons = (*aside_buttons(view, game, now, tr, ctx), *rows((dealt_button(now, tr),)))
    text = page(_head(view, game, now, tr), *about_round(view, game, now, tr), "", *own)
    return Screen(text, buttons)


def _head(view: TableView, game: View, now: RoundView, tr: Translator) -> Html:
    """Whose turn it is, and what lies on top."""
    if now.turn == game.seat:
        return tr("alone.your_turn", top=on_top(now, tr))
    return tr("alone.their_turn", name=seat_name(view, now.turn, tr), top=on_top(now, tr))


def _between(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    """How the round has ended, with the hands laid open, and the way on."""
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
    """How the match has ended, after how its last round has; and once more."""
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
    others = None if view.rematched else others_button(opponents_at(view), tr)
    return Screen(
        text, rows((again,), (others, callback_button(tr.plain("button.score"), ShowScore(view.id))))
    )
