"""A player's private message: his turn (see `turn`), or what he waits for.

The first line is what a lock screen shows.
"""

from __future__ import annotations

from bot.callbacks import AskLeave, DealNext, Here
from bot.locales import Html, Words
from bot.screens.aside import aside_buttons, aside_line, aside_suits, may_be_put_aside
from bot.screens.cut import cut_hand, dealt_button, sealed_button, sealed_line
from bot.screens.layout import next_deal, page, press, rows, to_table, with_last_line
from bot.screens.narration import told_to_viewer
from bot.screens.phrases import listed, on_top, place_name, round_line, seat_name, talk_line
from bot.screens.screen import Context, Screen, Style
from bot.screens.standings import places, sums
from bot.screens.turn import orders, suit_choice, turn
from bot.screens.vote import question
from bot.tables.lifecycle import Phase
from bot.tables.placing import Fate
from bot.tables.view import TableView
from engine import Card, RoundView, Status, View


def hand(view: TableView, words: Words, ctx: Context, choosing: Card | None = None) -> Screen:
    """The table as the viewer plays it.

    `choosing` is the wild for which he is choosing a suit; without effect where he may not lay it.
    """
    return with_last_line(_hand(view, words, ctx, choosing), talk_line(view, words))


def _hand(view: TableView, words: Words, ctx: Context, choosing: Card | None) -> Screen:
    game = view.game
    if game is None or game.seat is None:
        key = "hand.never_dealt" if view.phase is Phase.OVER else "hand.not_dealt"
        return Screen(page(words(key, group=place_name(view, words))), rows((to_table(words, ctx),)))
    if view.phase is Phase.OVER:
        return _over(view, game, words, ctx)
    match view.players[game.seat].status:
        case Status.OUT:
            return _watching(view, game, words, ctx, "hand.out")
        case Status.LEFT:
            return _watching(view, game, words, ctx, "hand.left")
        case _:
            pass
    if view.phase is Phase.ASLEEP or view.players[game.seat].is_away:
        return _away(view, game, words, ctx)
    if view.phase is Phase.CUTTING:
        return cut_hand(view, game, words, ctx)
    if game.round is None:
        return _between(view, game, words, ctx)
    if game.round.turn != game.seat:
        if choosing is not None and may_be_put_aside(game, choosing):
            return aside_suits(view, game, game.round, choosing, words)
        return _waiting(view, game, game.round, words, ctx)
    if choosing is not None and orders(game, choosing):
        return suit_choice(view, game, game.round, choosing, words, ctx)
    return turn(view, game, game.round, words, ctx)


def _waiting(view: TableView, game: View, now: RoundView, words: Words, ctx: Context) -> Screen:
    """Any card can be put aside for the turn to come."""
    text = page(
        words(
            "hand.waiting",
            name=seat_name(view, now.turn, words),
            top=on_top(now, words),
            group=place_name(view, words),
        ),
        round_line(view, game, now, words),
        *told_to_viewer(view, words),
        words.plain("hand.cards", cards=listed(game.hand or (), ctx.hand_order, words)),
        aside_line(view, words),
    )
    end = rows((to_table(words, ctx), dealt_button(now, words)))
    return Screen(text, (*aside_buttons(view, game, now, words, ctx), *end))


def _away(view: TableView, game: View, words: Words, ctx: Context) -> Screen:
    """For who is played for, or whose table sleeps: one press, and he plays himself again."""
    group = place_name(view, words)
    if view.banished:
        return Screen(page(words("hand.banished", group=group, bot=ctx.bot_username)))
    text = page(
        words("hand.asleep" if view.phase is Phase.ASLEEP else "hand.away", group=group),
        None if view.vote is None or view.vote.verdict is not None else question(view, view.vote, words),
        None if game.round is None else round_line(view, game, game.round, words),
        words.plain("hand.cards", cards=listed(game.hand, ctx.hand_order, words)) if game.hand else None,
    )
    here = press(words.plain("button.here"), Here(view.id), Style.SUCCESS)
    return Screen(text, rows((here,), (to_table(words, ctx),)))


def _watching(view: TableView, game: View, words: Words, ctx: Context, key: str) -> Screen:
    """For who plays no more: a quiet live view of the table."""
    assert game.seat is not None
    now = game.round
    head = words.plural(key, game.seats[game.seat].total, group=place_name(view, words))
    if now is None:
        return Screen(page(head), rows((to_table(words, ctx),)))
    whose = words("table.turn", name=seat_name(view, now.turn, words), state=on_top(now, words))
    return Screen(page(head, round_line(view, game, now, words), whose), rows((to_table(words, ctx),)))


def _between(view: TableView, game: View, words: Words, ctx: Context) -> Screen:
    """The viewer's own points, and the way on."""
    last = game.last_round
    mine = (
        None if last is None else next((entry for entry in sums(view, last) if entry.seat == game.seat), None)
    )
    text = page(
        _round_over(view, game, words),
        None if mine is None else _points_line(mine.before, mine.points, mine.added, mine.total, words),
        next_deal(view.deadline, words),
        sealed_line(view, words),
    )
    buttons = rows(
        (press(words.plain("button.deal_next"), DealNext(view.id, game.number), Style.SUCCESS),),
        (sealed_button(view, words),),
        (press(words.plain("button.leave"), AskLeave(view.id)), to_table(words, ctx)),
    )
    return Screen(text, buttons)


def _round_over(view: TableView, game: View, words: Words) -> Html:
    last, group = game.last_round, place_name(view, words)
    if last is None or last.winner is None:
        return words("hand.round_blocked", n=game.number, group=group)
    if last.winner == game.seat:
        return words("hand.round_yours", n=game.number, group=group)
    return words("hand.round_over", n=game.number, name=seat_name(view, last.winner, words), group=group)


def _points_line(before: int, points: int, added: int, total: int, words: Words) -> str:
    """«Ваши очки: 37 + 17 = 54»."""
    if points == 0 and added == total:
        return words.plain("hand.points_same", total=total)
    key = "hand.points_plus" if points >= 0 else "hand.points_minus"
    line = words.plain(key, before=before, points=abs(points), added=added)
    return line if added == total else words.plain("sum.becomes", line=line, total=total)


def _over(view: TableView, game: View, words: Words, ctx: Context) -> Screen:
    """The match's end, as it ended for the viewer."""
    group = place_name(view, words)
    if game.winner is None:
        how = "hand.stopped_by_vote" if view.is_ended_by_vote else "hand.stopped"
        return Screen(page(words(how, group=group)), rows((to_table(words, ctx),)))
    if game.winner == game.seat:
        return Screen(page(words("hand.won", group=group)), rows((to_table(words, ctx),)))
    ranking = places(view)
    mine = next(place for place in ranking if place.seat == game.seat)
    text = page(
        words("hand.lost", name=seat_name(view, game.winner, words), group=group),
        None
        if mine.fate is Fate.LEFT
        else words.plain("hand.place", n=mine.number, of=len(ranking), total=mine.total),
    )
    return Screen(text, rows((to_table(words, ctx),)))
