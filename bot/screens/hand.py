"""A player's private message: their own turn (see `turn`), or what they are waiting for.

The first line is what a lock screen shows.
"""

from __future__ import annotations

from bot.buttons import AskLeave, DealNext, Here
from bot.locales import Html, Translator
from bot.screens.cut import cut_hand, dealt_button, sealed_button, sealed_line
from bot.screens.layout import callback_button, next_deal, page, rows, to_table, with_last_line
from bot.screens.narration import consequences_for_viewer
from bot.screens.phrases import listed, on_top, place_name, round_line, seat_name, talk_line
from bot.screens.premove import holds_wild, premove_buttons, premove_line, premove_suit_choice
from bot.screens.screen import Context, Screen, Style
from bot.screens.standings import places, sums
from bot.screens.turn import may_order_suit, suit_choice, turn
from bot.screens.vote import question
from bot.tables.lifecycle import TablePhase
from bot.tables.ranking import Outcome
from bot.tables.view import TableView
from engine import Card, RoundView, Status, View


def hand(view: TableView, tr: Translator, ctx: Context, choosing: Card | None = None) -> Screen:
    """The viewer's private message about the table.

    `choosing` is the wild for which the viewer is choosing a suit; ignored if they may not play it.
    """
    return with_last_line(_hand(view, tr, ctx, choosing), talk_line(view, tr))


def _hand(view: TableView, tr: Translator, ctx: Context, choosing: Card | None) -> Screen:
    game = view.game
    if game is None or game.seat is None:
        key = "hand.never_dealt" if view.phase is TablePhase.OVER else "hand.not_dealt"
        return Screen(page(tr(key, group=place_name(view, tr))), rows((to_table(tr, ctx),)))
    if view.phase is TablePhase.OVER:
        return _over(view, game, tr, ctx)
    match view.players[game.seat].status:
        case Status.OUT:
            return _watching(view, game, tr, ctx, "hand.out")
        case Status.LEFT:
            return _watching(view, game, tr, ctx, "hand.left")
        case _:
            pass
    if view.phase is TablePhase.ASLEEP or view.players[game.seat].is_away:
        return _away(view, game, tr, ctx)
    if view.phase is TablePhase.CUTTING:
        return cut_hand(view, game, tr, ctx)
    if game.round is None:
        return _between(view, game, tr, ctx)
    if game.round.turn != game.seat:
        if choosing is not None and holds_wild(game, choosing):
            return premove_suit_choice(view, game, game.round, choosing, tr)
        return _waiting(view, game, game.round, tr, ctx)
    if choosing is not None and may_order_suit(game, choosing):
        return suit_choice(view, game, game.round, choosing, tr, ctx)
    return turn(view, game, game.round, tr, ctx)


def _waiting(view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context) -> Screen:
    """While others move: the hand, with a premove button for each card."""
    text = page(
        tr(
            "hand.waiting",
            name=seat_name(view, now.turn, tr),
            top=on_top(now, tr),
            group=place_name(view, tr),
        ),
        round_line(view, game, now, tr),
        *consequences_for_viewer(view, tr),
        tr.plain("hand.cards", cards=listed(game.hand or (), ctx.hand_order, tr)),
        premove_line(view, tr),
    )
    end = rows((to_table(tr, ctx), dealt_button(now, tr)))
    return Screen(text, (*premove_buttons(view, game, now, tr, ctx), *end))


def _away(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    """While the viewer is away or the table is asleep: a button to come back."""
    group = place_name(view, tr)
    if view.banished:
        return Screen(page(tr("hand.banished", group=group, bot=ctx.bot_username)))
    text = page(
        tr("hand.asleep" if view.phase is TablePhase.ASLEEP else "hand.away", group=group),
        None if view.vote is None or view.vote.verdict is not None else question(view, view.vote, tr),
        None if game.round is None else round_line(view, game, game.round, tr),
        tr.plain("hand.cards", cards=listed(game.hand, ctx.hand_order, tr)) if game.hand else None,
    )
    here = callback_button(tr.plain("button.here"), Here(view.id), Style.SUCCESS)
    return Screen(text, rows((here,), (to_table(tr, ctx),)))


def _watching(view: TableView, game: View, tr: Translator, ctx: Context, key: str) -> Screen:
    """A live view of the table for a player who is out or has left."""
    assert game.seat is not None
    now = game.round
    head = tr.plural(key, game.seats[game.seat].total, group=place_name(view, tr))
    if now is None:
        return Screen(page(head), rows((to_table(tr, ctx),)))
    whose = tr("table.turn", name=seat_name(view, now.turn, tr), state=on_top(now, tr))
    return Screen(page(head, round_line(view, game, now, tr), whose), rows((to_table(tr, ctx),)))


def _between(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    """Between rounds: the viewer's own points, and a button for the next deal."""
    last = game.last_round
    mine = (
        None if last is None else next((entry for entry in sums(view, last) if entry.seat == game.seat), None)
    )
    text = page(
        _round_over(view, game, tr),
        None if mine is None else _points_line(mine.before, mine.points, mine.added, mine.total, tr),
        next_deal(view.deadline, tr),
        sealed_line(view, tr),
    )
    buttons = rows(
        (callback_button(tr.plain("button.deal_next"), DealNext(view.id, game.number), Style.SUCCESS),),
        (sealed_button(view, tr),),
        (callback_button(tr.plain("button.leave"), AskLeave(view.id)), to_table(tr, ctx)),
    )
    return Screen(text, buttons)


def _round_over(view: TableView, game: View, tr: Translator) -> Html:
    last, group = game.last_round, place_name(view, tr)
    if last is None or last.winner is None:
        return tr("hand.round_blocked", n=game.number, group=group)
    if last.winner == game.seat:
        return tr("hand.round_yours", n=game.number, group=group)
    return tr("hand.round_over", n=game.number, name=seat_name(view, last.winner, tr), group=group)


def _points_line(before: int, points: int, added: int, total: int, tr: Translator) -> str:
    """«Ваши очки: 37 + 17 = 54»."""
    if points == 0 and added == total:
        return tr.plain("hand.points_same", total=total)
    key = "hand.points_plus" if points >= 0 else "hand.points_minus"
    line = tr.plain(key, before=before, points=abs(points), added=added)
    return line if added == total else tr.plain("sum.becomes", line=line, total=total)


def _over(view: TableView, game: View, tr: Translator, ctx: Context) -> Screen:
    group = place_name(view, tr)
    if game.winner is None:
        how = "hand.stopped_by_vote" if view.is_ended_by_vote else "hand.stopped"
        return Screen(page(tr(how, group=group)), rows((to_table(tr, ctx),)))
    if game.winner == game.seat:
        return Screen(page(tr("hand.won", group=group)), rows((to_table(tr, ctx),)))
    ranking = places(view)
    mine = next(place for place in ranking if place.seat == game.seat)
    text = page(
        tr("hand.lost", name=seat_name(view, game.winner, tr), group=group),
        None
        if mine.fate is Outcome.LEFT
        else tr.plain("hand.place", n=mine.number, of=len(ranking), total=mine.total),
    )
    return Screen(text, rows((to_table(tr, ctx),)))
