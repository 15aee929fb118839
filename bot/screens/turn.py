"""A player's private message on their own turn: playable cards as buttons, and what the player has to do.

Only legal moves have buttons; the other cards are listed in the text.
"""

from __future__ import annotations

from bot.buttons import BackToHand, ExplainRefusal, Lay, PassTurn, PickSuit, ShowHint, Take
from bot.locales import Translator
from bot.screens.cut import dealt_button
from bot.screens.layout import callback_button, grid, page, rows, to_table, turn_deadline
from bot.screens.narration import consequences_for_viewer, just_drawn
from bot.screens.phrases import listed, on_top, place_name, playable_text, rank_name, round_line, sorted_cards
from bot.screens.premove import cancel_premove_button
from bot.screens.screen import Button, Context, Rows, Screen, Style
from bot.settings import HandOrder
from bot.tables.view import TableView
from engine import SUITS, Card, Draw, Pass, Play, RoundView, Stamp, View, rank_of, suit_of


def turn(view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context) -> Screen:
    """The turn's message.

    It notifies unless the only move is made automatically, and again for each reminder or nudge.
    """
    text = page(
        tr(
            "hand.still_your_turn" if view.recalls else "hand.your_turn",
            top=on_top(now, tr),
            group=place_name(view, tr),
        ),
        round_line(view, game, now, tr),
        *consequences_for_viewer(view, tr),
        *task_lines(view, game, now, tr, ctx),
        None if view.forced else turn_deadline(view, tr),
    )
    buttons = move_buttons(view, game, now, tr, ctx)
    if view.forced:
        return Screen(text, buttons)
    return Screen(text, buttons, notifies=True, recalls=view.recalls)


def task_lines(
    view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context
) -> tuple[str | None, ...]:
    """The drawn cards, what the player has to do, and the cards without a button, as lines of plain text."""
    held, idle = _held_and_idle(game, ctx)
    return (
        _drawn_line(view, now, tr),
        _forced_line(view, game, now, tr) if view.forced else _task_line(game, now, tr),
        _cards_line(held, held if view.forced else idle, ctx.hand_order, tr),
    )


def move_buttons(view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context) -> Rows:
    """Buttons for each playable card and the other moves, and for explanations, hints and links."""
    if view.forced:
        return rows((cancel_premove_button(view, tr),))
    stamp = now.stamp
    playable = sorted_cards(_playable(game), ctx.hand_order)
    _, idle = _held_and_idle(game, ctx)
    return (
        *grid([_card_button(view.id, stamp, card, game, tr) for card in playable]),
        *rows(
            _other_moves(view, game, now, stamp, tr),
            (
                callback_button(tr.plain("button.why"), ExplainRefusal(view.id, stamp)) if idle else None,
                callback_button(tr.plain("button.hint"), ShowHint(view.id, stamp)) if view.hints else None,
                to_table(tr, ctx),
            ),
            (dealt_button(now, tr) if _is_first_go(view, now) else None,),
        ),
    )


def _held_and_idle(game: View, ctx: Context) -> tuple[list[Card], list[Card]]:
    """The viewer's sorted cards, and those of them that may not be played now."""
    playable = _playable(game)
    held = sorted_cards(game.hand or (), ctx.hand_order)
    return held, [card for card in held if card not in playable]


def _is_first_go(view: TableView, now: RoundView) -> bool:
    """Whether not everybody has had a turn; until then the message has a button for the commitment."""
    return now.stamp[1] < len(view.players)


def _playable(game: View) -> frozenset[Card]:
    return frozenset(move.card for move in game.legal if isinstance(move, Play))


def may_order_suit(game: View, card: Card) -> bool:
    """Whether the viewer may play this card and order a suit."""
    return any(isinstance(move, Play) and move.card == card and move.suit is not None for move in game.legal)


def _card_button(table_id: str, stamp: Stamp, card: Card, game: View, tr: Translator) -> Button:
    asked = (
        PickSuit(table_id, stamp, card) if may_order_suit(game, card) else Lay(table_id, stamp, card, None)
    )
    return callback_button(tr.card(card), asked, Style.SUCCESS)


def _other_moves(
    view: TableView, game: View, now: RoundView, stamp: Stamp, tr: Translator
) -> tuple[Button, ...]:
    buttons = []
    if any(isinstance(move, Draw) for move in game.legal):
        text = tr.plain("button.take_n", n=now.pending) if now.pending else tr.plain("button.take")
        buttons.append(callback_button(text, Take(view.id, stamp), Style.PRIMARY))
    if any(isinstance(move, Pass) for move in game.legal):
        key = "button.skip" if now.attack_rank is not None else "button.pass"
        buttons.append(callback_button(tr.plain(key), PassTurn(view.id, stamp), Style.PRIMARY))
    return tuple(buttons)


def _task_line(game: View, now: RoundView, tr: Translator) -> str | None:
    """Name the player's task, unless it is just to play a card that fits."""
    playable = _playable(game)
    if now.attack_rank is not None:
        means = rank_name(now.attack_rank, tr, "means")
        if now.pending:
            return tr.plain_plural("hand.attacked", now.pending, rank=means)
        return tr.plain("hand.attacked_skip", rank=means)
    if now.must_cover and now.top is not None:
        rank, suit = rank_name(rank_of(now.top), tr, "object"), tr.suit(suit_of(now.top))
        if not playable:
            return tr.plain("hand.cannot_cover", rank=rank, suit=suit)
        return tr.plain("hand.cover", rank=rank, suit=suit, fits=playable_text(game, tr))
    if not playable:
        return tr.plain("hand.cannot_lay" if _may_draw(game) else "hand.cannot_lay_or_draw")
    if now.top is None:
        is_bound = any(card not in playable for card in game.hand or ())
        return tr.plain("hand.lay_last_dealt" if is_bound else "hand.lay_any")
    return None


def _forced_line(view: TableView, game: View, now: RoundView, tr: Translator) -> str:
    """Announce the bot's move for the player: the premove, or the only legal move."""
    if view.premove is not None:
        return tr.plain("hand.forced_lay", card=tr.card(view.premove.card))
    match game.legal[0]:
        case Play(card=card):
            return tr.plain("hand.forced_lay", card=tr.card(card))
        case Draw():
            return tr.plain("hand.forced_cover_draw" if now.must_cover else "hand.forced_draw")
        case Pass():
            return tr.plain("hand.forced_pass")


def _may_draw(game: View) -> bool:
    return any(isinstance(move, Draw) for move in game.legal)


def _drawn_line(view: TableView, now: RoundView, tr: Translator) -> str | None:
    drawn = just_drawn(view) or (() if now.found is None else (now.found,))
    if not now.drawn or not drawn:
        return None
    return tr.plain("hand.drawn", cards=tr.cards(drawn))


def _cards_line(held: list[Card], idle: list[Card], order: HandOrder, tr: Translator) -> str | None:
    """The cards without a button: those that do not fit, or the whole hand if none fits."""
    if len(idle) == len(held):
        return tr.plain("hand.cards", cards=listed(held, order, tr))
    if len(idle) == 1:
        return tr.plain("hand.idle_one", card=tr.card(idle[0]))
    return tr.plain("hand.idle", cards=tr.cards(idle)) if idle else None


def suit_choice(
    view: TableView, game: View, now: RoundView, wild: Card, tr: Translator, ctx: Context
) -> Screen:
    """The choice of a suit for a wild; nothing is played yet."""
    rest = list(game.hand or ())
    rest.remove(wild)
    stamp = now.stamp
    text = page(
        tr("hand.which_suit", card=tr.card(wild), group=place_name(view, tr)),
        round_line(view, game, now, tr),
        tr.plain("hand.rest", cards=listed(rest, ctx.hand_order, tr)),
        turn_deadline(view, tr),
    )
    suits = [
        callback_button(tr.suit(suit), Lay(view.id, stamp, wild, suit), Style.SUCCESS)
        for suit in range(len(SUITS))
    ]
    back = callback_button(tr.plain("button.back"), BackToHand(view.id, stamp))
    return Screen(text, rows(suits, (back,)), notifies=True, recalls=view.recalls)
