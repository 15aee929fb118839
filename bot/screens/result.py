"""The group's messages at the end of a round and of a match: open hands, points, ranking."""

from __future__ import annotations

from bot.buttons import DealNext, Rematch, ShowChart, ShowScore, Sit
from bot.locales import Html, Translator
from bot.screens.chart import end_picture
from bot.screens.computers import computers_button
from bot.screens.cut import cut_line, sealed_line
from bot.screens.highlight import highlight_line
from bot.screens.layout import callback_button, caption, next_deal, page, rows
from bot.screens.phrases import seat_name, sorted_cards, talk_line
from bot.screens.screen import Context, Rows, Screen, Style
from bot.screens.standings import Sum, places, sums
from bot.screens.subscriptions import subscribe_button
from bot.screens.table import SHORT_COMMITMENT, asleep_line, wake_button
from bot.screens.table_picture import result_picture, table_picture
from bot.settings import Look
from bot.tables.lifecycle import TablePhase
from bot.tables.ranking import Place
from bot.tables.view import TableView
from engine import RoundResult, View
from engine.shuffle import commitment

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def result(view: TableView, tr: Translator, ctx: Context, *, final: bool = False) -> Screen:
    """The result of the last round; `final`: without buttons, since play has gone on.

    If the match ended because all but one player left, the last round has no result, and the text says so.
    """
    game = view.game
    if game is None:
        raise ValueError(f"table {view.id} has played no round")
    last = game.last_round
    if last is None or (view.phase is TablePhase.OVER and last.number != game.number):
        return Screen(tr("result.abandoned", n=game.number))
    buttons = () if final else _buttons(view, game, tr)
    picture = result_picture(view, last, tr, ctx)
    if picture is None:
        return Screen(_result_text(view, last, tr, ctx, final=final), buttons)
    variants = (
        _result_text(view, last, short, ctx, final=final, with_hands=with_hands)
        for short, with_hands in (
            (tr, True),
            (tr, False),
            (tr.with_short_names(8), False),
            (tr.with_short_names(4), False),
        )
    )
    return Screen(caption(variants), buttons, picture=picture)


def _result_text(
    view: TableView, last: RoundResult, tr: Translator, ctx: Context, *, final: bool, with_hands: bool = True
) -> str:
    """The text of a round's result; `with_hands`: including the cards that players were left with."""
    hands = dict(last.hands) if with_hands else {}
    return page(
        _headline(view, last, tr),
        *(_sum_line(entry, hands.get(entry.seat, ()), view, tr) for entry in sums(view, last)),
        _key_line(last, tr, ctx),
        None if final else asleep_line(view, tr),
        None if final else (cut_line(view, tr) or next_deal(view.deadline, tr)),
        None if final else sealed_line(view, tr),
        None if final else talk_line(view, tr),
    )


def match_end(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """The result of a won match: ranking and highlight, with a picture that adds the chart. Notifies."""
    game = view.game
    if game is None or game.winner is None:
        raise ValueError(f"the match at table {view.id} is not over")
    if ctx.look is Look.TEXT or not view.rounds:
        return Screen(_end_text(view, game.winner, tr), _after_match(view, tr), notifies=True)
    variants = (tr, tr.with_short_names(8), tr.with_short_names(4))
    return Screen(
        caption(_end_text(view, game.winner, short) for short in variants),
        _after_match(view, tr, has_chart=True),
        notifies=True,
        picture=end_picture(view, tr),
    )


def _end_text(view: TableView, winner: int, tr: Translator) -> str:
    return page(
        tr("match.won", name=seat_name(view, winner, tr)),
        *(_place_line(place, view, tr) for place in places(view)),
        highlight_line(view, tr),
        _length_line(view, tr),
    )


def stopped(view: TableView, tr: Translator, ctx: Context) -> Screen:
    """A match that was ended without a winner: the totals, with the picture shown last."""
    last = None if view.game is None else view.game.last_round
    picture = table_picture(view, tr, ctx)
    if picture is None and last is not None:
        picture = result_picture(view, last, tr, ctx)
    if picture is None:
        return Screen(_stopped_text(view, tr), _after_match(view, tr))
    variants = (tr, tr.with_short_names(8), tr.with_short_names(4))
    text = caption(_stopped_text(view, short) for short in variants)
    return Screen(text, _after_match(view, tr), picture=picture)


def _stopped_text(view: TableView, tr: Translator) -> str:
    standing = [
        tr.plain("match.standing", name=seat_name(view, place.seat, tr), total=place.total)
        for place in sorted(places(view), key=lambda place: (place.total, place.seat))
    ]
    how = "match.stopped_by_vote" if view.is_ended_by_vote else "match.stopped"
    return page(tr(how), *standing, _length_line(view, tr))


def _headline(view: TableView, last: RoundResult, tr: Translator) -> Html:
    if last.winner is None:
        return tr("result.blocked", n=last.number)
    return tr("result.won", n=last.number, name=seat_name(view, last.winner, tr))


def _sum_line(entry: Sum, hand: tuple[int, ...], view: TableView, tr: Translator) -> str:
    """A player's points: «Аня 37 + 17 = 54   Т♠️ 6♦️»."""
    name = seat_name(view, entry.seat, tr)
    if entry.points == 0 and entry.added == entry.total:
        line = tr.plain("sum.same", name=name, total=entry.total)
    else:
        key = "sum.plus" if entry.points >= 0 else "sum.minus"
        line = tr.plain(key, name=name, before=entry.before, points=abs(entry.points), added=entry.added)
    if entry.added != entry.total:
        line = tr.plain("sum.becomes", line=line, total=entry.total)
    if entry.is_out:
        line = tr.plain("sum.out", line=line)
    return f"{line}   {tr.cards(sorted_cards(hand))}" if hand else line


def _key_line(last: RoundResult, tr: Translator, ctx: Context) -> Html | None:
    """The commitment's first digits, and where to find the seed now."""
    if last.seed is None:
        return None
    return tr("result.key", digits=commitment(last.seed)[:SHORT_COMMITMENT], bot=ctx.bot_username)


def _buttons(view: TableView, game: View, tr: Translator) -> Rows:
    return rows(
        (
            callback_button(tr.plain("button.deal_next"), DealNext(view.id, game.number), Style.SUCCESS),
            callback_button(tr.plain("button.score"), ShowScore(view.id)),
            callback_button(tr.plain("button.join"), Sit(view.id)),
        ),
        (computers_button(view, tr),),
        (wake_button(view, tr),),
    )


def _after_match(view: TableView, tr: Translator, *, has_chart: bool = False) -> Rows:
    again = (
        None
        if view.rematched
        else callback_button(tr.plain("button.rematch"), Rematch(view.id), Style.SUCCESS)
    )
    score = callback_button(tr.plain("button.score"), ShowScore(view.id))
    chart = (
        None
        if has_chart or not view.rounds
        else callback_button(tr.plain("button.chart"), ShowChart(view.id))
    )
    return rows((again, score), (chart, subscribe_button(view.id, tr)))


def _place_line(place: Place, view: TableView, tr: Translator) -> str:
    name = seat_name(view, place.seat, tr)
    return tr.plain(
        f"place.{place.fate}", n=place.number, name=name, total=place.total, round=place.out_in or 0
    )


def _length_line(view: TableView, tr: Translator) -> str | None:
    """The number of rounds and the duration: «7 раундов · 18 минут»."""
    if not view.rounds:
        return None
    rounds = tr.plain_plural("count.rounds", len(view.rounds))
    if view.started_at is None or view.ended_at is None:
        return rounds
    return f"{rounds} · {_duration(view.ended_at - view.started_at, tr)}"


def _duration(seconds: float, tr: Translator) -> str:
    """A duration in minutes; in hours and minutes from an hour on; in days only from a day on."""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        return tr.plain_plural("count.days", whole // _DAY)
    hours, minutes = whole // _HOUR, whole % _HOUR // _MINUTE
    if hours:
        return tr.plain("count.hours_minutes", hours=hours, minutes=minutes)
    return tr.plain_plural("count.minutes", max(1, minutes))
