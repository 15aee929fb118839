"""How a round and a match ended, in the group: hands laid open, sums, places."""

from __future__ import annotations

from bot.callbacks import DealNext, Rematch, ShowChart, ShowScore, Sit
from bot.locales import Html, Words
from bot.screens.bell import bell_button
from bot.screens.chart import end_picture
from bot.screens.computers import computers_button
from bot.screens.cut import cut_line, sealed_line
from bot.screens.highlight import moment_line
from bot.screens.layout import caption, next_deal, page, press, rows
from bot.screens.phrases import seat_name, sorted_cards, talk_line
from bot.screens.screen import Context, Rows, Screen, Style
from bot.screens.standings import Sum, places, sums
from bot.screens.table import SHORT_COMMITMENT, asleep_line, wake_button
from bot.screens.table_picture import result_picture, table_picture
from bot.tables.choices import Look
from bot.tables.lifecycle import Phase
from bot.tables.placing import Place
from bot.tables.view import TableView
from engine import RoundResult, View
from engine.shuffle import commitment

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def result(view: TableView, words: Words, ctx: Context, *, final: bool = False) -> Screen:
    """The round that ended last; `final`: nothing can be done about it any more, so it has no buttons.

    A match that ends because all but one have left leaves its last round without a result: then it says so.
    """
    game = view.game
    if game is None:
        raise ValueError(f"table {view.id} has played no round")
    last = game.last_round
    if last is None or (view.phase is Phase.OVER and last.number != game.number):
        return Screen(words("result.abandoned", n=game.number))
    buttons = () if final else _buttons(view, game, words)
    picture = result_picture(view, last, words, ctx)
    if picture is None:
        return Screen(_result_text(view, last, words, ctx, final=final), buttons)
    variants = (
        _result_text(view, last, short, ctx, final=final, with_hands=with_hands)
        for short, with_hands in (
            (words, True),
            (words, False),
            (words.with_short_names(8), False),
            (words.with_short_names(4), False),
        )
    )
    return Screen(caption(variants), buttons, picture=picture)


def _result_text(
    view: TableView, last: RoundResult, words: Words, ctx: Context, *, final: bool, with_hands: bool = True
) -> str:
    """How the round ended; `with_hands`: with the cards that everybody was left with."""
    hands = dict(last.hands) if with_hands else {}
    return page(
        _headline(view, last, words),
        *(_sum_line(entry, hands.get(entry.seat, ()), view, words) for entry in sums(view, last)),
        _key_line(last, words, ctx),
        None if final else asleep_line(view, words),
        None if final else (cut_line(view, words) or next_deal(view.deadline, words)),
        None if final else sealed_line(view, words),
        None if final else talk_line(view, words),
    )


def match_end(view: TableView, words: Words, ctx: Context) -> Screen:
    """Who has won the match, everybody's place, and the match's moment; as a picture with the chart besides.

    Rings: it is what all have been waiting for.
    """
    game = view.game
    if game is None or game.winner is None:
        raise ValueError(f"the match at table {view.id} is not over")
    if ctx.look is Look.TEXT or not view.rounds:
        return Screen(_end_text(view, game.winner, words), _after_match(view, words), rings=True)
    variants = (words, words.with_short_names(8), words.with_short_names(4))
    return Screen(
        caption(_end_text(view, game.winner, short) for short in variants),
        _after_match(view, words, has_chart=True),
        rings=True,
        picture=end_picture(view, words),
    )


def _end_text(view: TableView, winner: int, words: Words) -> str:
    return page(
        words("match.won", name=seat_name(view, winner, words)),
        *(_place_line(place, view, words) for place in places(view)),
        moment_line(view, words),
        _length_line(view, words),
    )


def stopped(view: TableView, words: Words, ctx: Context) -> Screen:
    """A match that was ended without a winner: how it stood, with the picture that was seen last."""
    last = None if view.game is None else view.game.last_round
    picture = table_picture(view, words, ctx)
    if picture is None and last is not None:
        picture = result_picture(view, last, words, ctx)
    if picture is None:
        return Screen(_stopped_text(view, words), _after_match(view, words))
    variants = (words, words.with_short_names(8), words.with_short_names(4))
    text = caption(_stopped_text(view, short) for short in variants)
    return Screen(text, _after_match(view, words), picture=picture)


def _stopped_text(view: TableView, words: Words) -> str:
    standing = [
        words.plain("match.standing", name=seat_name(view, place.seat, words), total=place.total)
        for place in sorted(places(view), key=lambda place: (place.total, place.seat))
    ]
    how = "match.stopped_by_vote" if view.is_ended_by_vote else "match.stopped"
    return page(words(how), *standing, _length_line(view, words))


def _headline(view: TableView, last: RoundResult, words: Words) -> Html:
    if last.winner is None:
        return words("result.blocked", n=last.number)
    return words("result.won", n=last.number, name=seat_name(view, last.winner, words))


def _sum_line(entry: Sum, hand: tuple[int, ...], view: TableView, words: Words) -> str:
    """«Аня 37 + 17 = 54   Т♠️ 6♦️»."""
    name = seat_name(view, entry.seat, words)
    if entry.points == 0 and entry.added == entry.total:
        line = words.plain("sum.same", name=name, total=entry.total)
    else:
        key = "sum.plus" if entry.points >= 0 else "sum.minus"
        line = words.plain(key, name=name, before=entry.before, points=abs(entry.points), added=entry.added)
    if entry.added != entry.total:
        line = words.plain("sum.becomes", line=line, total=entry.total)
    if entry.is_out:
        line = words.plain("sum.out", line=line)
    return f"{line}   {words.cards(sorted_cards(hand))}" if hand else line


def _key_line(last: RoundResult, words: Words, ctx: Context) -> Html | None:
    """What was out before the deal, and where its key is now."""
    if last.seed is None:
        return None
    return words("result.key", digits=commitment(last.seed)[:SHORT_COMMITMENT], bot=ctx.bot_username)


def _buttons(view: TableView, game: View, words: Words) -> Rows:
    return rows(
        (
            press(words.plain("button.deal_next"), DealNext(view.id, game.number), Style.SUCCESS),
            press(words.plain("button.score"), ShowScore(view.id)),
            press(words.plain("button.join"), Sit(view.id)),
        ),
        (computers_button(view, words),),
        (wake_button(view, words),),
    )


def _after_match(view: TableView, words: Words, *, has_chart: bool = False) -> Rows:
    again = None if view.rematched else press(words.plain("button.rematch"), Rematch(view.id), Style.SUCCESS)
    score = press(words.plain("button.score"), ShowScore(view.id))
    chart = None if has_chart or not view.rounds else press(words.plain("button.chart"), ShowChart(view.id))
    return rows((again, score), (chart, bell_button(view.id, words)))


def _place_line(place: Place, view: TableView, words: Words) -> str:
    name = seat_name(view, place.seat, words)
    return words.plain(
        f"place.{place.fate}", n=place.number, name=name, total=place.total, round=place.out_in or 0
    )


def _length_line(view: TableView, words: Words) -> str | None:
    """«7 раундов · 18 минут»."""
    if not view.rounds:
        return None
    rounds = words.plain_plural("count.rounds", len(view.rounds))
    if view.started_at is None or view.ended_at is None:
        return rounds
    return f"{rounds} · {_duration(view.ended_at - view.started_at, words)}"


def _duration(seconds: float, words: Words) -> str:
    """The largest unit that says something: minutes, from an hour on with hours, from a day on days alone."""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        return words.plain_plural("count.days", whole // _DAY)
    hours, minutes = whole // _HOUR, whole % _HOUR // _MINUTE
    if hours:
        return words.plain("count.hours_minutes", hours=hours, minutes=minutes)
    return words.plain_plural("count.minutes", max(1, minutes))
