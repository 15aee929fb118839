"""A player's private message: his cards as buttons when he is to move, and what he waits for when he is not.

The first line is what a lock screen shows. There are buttons only for what may be done; what may not stands
in the text.
"""

from __future__ import annotations

from bot.callbacks import AskLeave, BackToHand, DealNext, Here, Lay, PassTurn, PickSuit, Stamp, Take, Why
from bot.locales import Html, Words
from bot.screens.cut import cut_hand, sealed_button, sealed_line
from bot.screens.layout import grid, next_deal, page, press, rows, to_table, turn_deadline
from bot.screens.narration import just_drawn, told_to_viewer
from bot.screens.phrases import (
    direction,
    listed,
    on_top,
    rank_name,
    seat_name,
    sorted_cards,
    what_fits,
)
from bot.screens.screen import Button, Context, HandOrder, Screen, Style
from bot.screens.standings import Fate, places, sums
from bot.screens.table import SHORT_COMMITMENT
from bot.tables.lifecycle import Phase
from bot.tables.view import TableView
from engine import SUITS, Card, Draw, Pass, Play, RoundView, Status, View, rank_of, suit_of


def hand(view: TableView, words: Words, ctx: Context, choosing: Card | None = None) -> Screen:
    """The table as the viewer plays it.

    `choosing` is the wild for which he is choosing a suit; without effect where he may not lay it.
    """
    game = view.game
    if game is None or game.seat is None:
        return Screen(
            page(words("hand.not_dealt", group=words.title(view.chat_title))), rows((to_table(words, ctx),))
        )
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
        return _waiting(view, game, game.round, words, ctx)
    if choosing is not None and _orders(game, choosing):
        return _suit_choice(view, game, game.round, choosing, words, ctx)
    return _turn(view, game, game.round, words, ctx)


# -------------------------------------------------------------------------------------- the viewer's turn


def _turn(view: TableView, game: View, now: RoundView, words: Words, ctx: Context) -> Screen:
    """Rings unless the only move there is makes itself; and again when he is reminded or hurried on."""
    playable = _playable(game)
    held = sorted_cards(game.hand or (), ctx.hand_order)
    idle = [card for card in held if card not in playable]
    text = page(
        words(
            "hand.still_your_turn" if view.recalls else "hand.your_turn",
            top=on_top(now, words),
            group=words.title(view.chat_title),
        ),
        _round_line(view, game, now, words),
        *told_to_viewer(view, words),
        _drawn_line(view, now, words),
        _forced_line(game, now, words) if view.forced else _task_line(game, now, words),
        _cards_line(held, held if view.forced else idle, ctx.hand_order, words),
        None if view.forced else turn_deadline(view, words),
    )
    if view.forced:
        return Screen(text)
    stamp = Stamp(*now.stamp)
    cards = [
        _card_button(view.id, stamp, card, game, words) for card in sorted_cards(playable, ctx.hand_order)
    ]
    buttons = (
        *grid(cards),
        *rows(
            _other_moves(view, game, now, stamp, words),
            (
                press(words.plain("button.why"), Why(view.id, stamp)) if idle else None,
                to_table(words, ctx),
            ),
            (_commitment_button(now, words) if _is_first_go(view, now) else None,),
        ),
    )
    return Screen(text, buttons, rings=True, recalls=view.recalls)


def _is_first_go(view: TableView, now: RoundView) -> bool:
    """Has not everybody had a turn yet? Until then the commitment is at hand while one chooses a card."""
    return now.stamp[1] < len(view.players)


def _playable(game: View) -> frozenset[Card]:
    return frozenset(move.card for move in game.legal if isinstance(move, Play))


def _orders(game: View, card: Card) -> bool:
    """May the viewer lay this card with a suit of his choice?"""
    return any(isinstance(move, Play) and move.card == card and move.suit is not None for move in game.legal)


def _card_button(table_id: str, stamp: Stamp, card: Card, game: View, words: Words) -> Button:
    intention = PickSuit(table_id, stamp, card) if _orders(game, card) else Lay(table_id, stamp, card, None)
    return press(words.card(card), intention, Style.SUCCESS)


def _other_moves(
    view: TableView, game: View, now: RoundView, stamp: Stamp, words: Words
) -> tuple[Button, ...]:
    buttons = []
    if any(isinstance(move, Draw) for move in game.legal):
        text = words.plain("button.take_n", n=now.pending) if now.pending else words.plain("button.take")
        buttons.append(press(text, Take(view.id, stamp), Style.PRIMARY))
    if any(isinstance(move, Pass) for move in game.legal):
        key = "button.skip" if now.attack_rank is not None else "button.pass"
        buttons.append(press(words.plain(key), PassTurn(view.id, stamp), Style.PRIMARY))
    return tuple(buttons)


def _task_line(game: View, now: RoundView, words: Words) -> str | None:
    """What is asked of the player, where it is more than to lay a card that fits."""
    playable = _playable(game)
    if now.attack_rank is not None:
        means = rank_name(now.attack_rank, words, "means")
        if now.pending:
            return words.plain_plural("hand.attacked", now.pending, rank=means)
        return words.plain("hand.attacked_skip", rank=means)
    if now.must_cover and now.top is not None:
        rank, suit = rank_name(rank_of(now.top), words, "object"), words.suit(suit_of(now.top))
        if not playable:
            return words.plain("hand.cannot_cover", rank=rank, suit=suit)
        return words.plain("hand.cover", rank=rank, suit=suit, fits=what_fits(game, words))
    if not playable:
        return words.plain("hand.cannot_lay" if _may_draw(game) else "hand.cannot_lay_or_draw")
    if now.top is None:
        is_bound = any(card not in playable for card in game.hand or ())
        return words.plain("hand.lay_last_dealt" if is_bound else "hand.lay_any")
    return None


def _forced_line(game: View, now: RoundView, words: Words) -> str:
    """What the bot is about to do for the player, who has no choice."""
    match game.legal[0]:
        case Play(card=card):
            return words.plain("hand.forced_lay", card=words.card(card))
        case Draw():
            return words.plain("hand.forced_cover_draw" if now.must_cover else "hand.forced_draw")
        case Pass():
            return words.plain("hand.forced_pass")


def _may_draw(game: View) -> bool:
    return any(isinstance(move, Draw) for move in game.legal)


def _drawn_line(view: TableView, now: RoundView, words: Words) -> str | None:
    """What has just come from the stock."""
    drawn = just_drawn(view) or (() if now.found is None else (now.found,))
    if not now.drawn or not drawn:
        return None
    return words.plain("hand.drawn", cards=words.cards(drawn))


def _cards_line(held: list[Card], idle: list[Card], order: HandOrder, words: Words) -> str | None:
    """The cards that have no button: those that do not fit, or the whole hand where none does."""
    if len(idle) == len(held):
        return words.plain("hand.cards", cards=listed(held, order, words))
    if len(idle) == 1:
        return words.plain("hand.idle_one", card=words.card(idle[0]))
    return words.plain("hand.idle", cards=words.cards(idle)) if idle else None


def _suit_choice(
    view: TableView, game: View, now: RoundView, wild: Card, words: Words, ctx: Context
) -> Screen:
    """Nothing is played until a suit is chosen."""
    rest = list(game.hand or ())
    rest.remove(wild)
    stamp = Stamp(*now.stamp)
    text = page(
        words("hand.which_suit", card=words.card(wild), group=words.title(view.chat_title)),
        _round_line(view, game, now, words),
        words.plain("hand.rest", cards=listed(rest, ctx.hand_order, words)),
        turn_deadline(view, words),
    )
    suits = [
        press(words.suit(suit), Lay(view.id, stamp, wild, suit), Style.SUCCESS) for suit in range(len(SUITS))
    ]
    back = press(words.plain("button.back"), BackToHand(view.id, stamp))
    return Screen(text, rows(suits, (back,)), rings=True, recalls=view.recalls)


# --------------------------------------------------------------------------------------- all other states


def _waiting(view: TableView, game: View, now: RoundView, words: Words, ctx: Context) -> Screen:
    text = page(
        words(
            "hand.waiting",
            name=seat_name(view, now.turn, words),
            top=on_top(now, words),
            group=words.title(view.chat_title),
        ),
        _round_line(view, game, now, words),
        *told_to_viewer(view, words),
        words.plain("hand.cards", cards=listed(game.hand or (), ctx.hand_order, words)),
    )
    return Screen(text, rows((to_table(words, ctx), _commitment_button(now, words))))


def _away(view: TableView, game: View, words: Words, ctx: Context) -> Screen:
    """For who is played for, or whose table sleeps: one press, and he plays himself again."""
    group = words.title(view.chat_title)
    if view.banished:
        return Screen(page(words("hand.banished", group=group, bot=ctx.bot_username)))
    text = page(
        words("hand.asleep" if view.phase is Phase.ASLEEP else "hand.away", group=group),
        None if game.round is None else _round_line(view, game, game.round, words),
        words.plain("hand.cards", cards=listed(game.hand, ctx.hand_order, words)) if game.hand else None,
    )
    here = press(words.plain("button.here"), Here(view.id), Style.SUCCESS)
    return Screen(text, rows((here,), (to_table(words, ctx),)))


def _watching(view: TableView, game: View, words: Words, ctx: Context, key: str) -> Screen:
    """For who plays no more: a quiet live view of the table."""
    assert game.seat is not None
    now = game.round
    head = words.plural(key, game.seats[game.seat].total, group=words.title(view.chat_title))
    if now is None:
        return Screen(page(head), rows((to_table(words, ctx),)))
    turn = words("table.turn", name=seat_name(view, now.turn, words), state=on_top(now, words))
    return Screen(page(head, _round_line(view, game, now, words), turn), rows((to_table(words, ctx),)))


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
    last, group = game.last_round, words.title(view.chat_title)
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
    group = words.title(view.chat_title)
    if game.winner is None:
        return Screen(page(words("hand.stopped", group=group)), rows((to_table(words, ctx),)))
    if game.winner == game.seat:
        return Screen(page(words("hand.won", group=group)), rows((to_table(words, ctx),)))
    ranking = places(view)
    mine = next(n for n, place in enumerate(ranking, start=1) if place.seat == game.seat)
    has_left = ranking[mine - 1].fate is Fate.LEFT
    text = page(
        words("hand.lost", name=seat_name(view, game.winner, words), group=group),
        None
        if has_left
        else words.plain("hand.place", n=mine, of=len(ranking), total=ranking[mine - 1].total),
    )
    return Screen(text, rows((to_table(words, ctx),)))


def _round_line(view: TableView, game: View, now: RoundView, words: Words) -> str:
    """«Раунд 3 · Аня 4 · Борис 1❗ · вы 6»."""
    parts = [words.plain("hand.round", n=now.number)]
    for seat, player in enumerate(game.seats):
        if player.status is Status.IN:
            name = words.plain("hand.you") if seat == game.seat else seat_name(view, seat, words)
            parts.append(
                words.plain(
                    "hand.last_card" if player.cards == 1 else "hand.count", name=name, n=player.cards
                )
            )
    way = direction(game, words)
    return " · ".join([*parts, *([] if way is None else [way])])


def _commitment_button(now: RoundView, words: Words) -> Button | None:
    """The whole commitment of the shuffle, for the clipboard; the group sees its first digits."""
    if now.commitment is None:
        return None
    digits = now.commitment[:SHORT_COMMITMENT]
    return Button(words.plain("button.commitment", digits=digits), copy=now.commitment)
