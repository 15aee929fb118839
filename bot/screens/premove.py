"""Premoves: choosing a card, and a wild's suit, while waiting for one's turn."""

from __future__ import annotations

from bot.buttons import CancelPremove, LeavePremoveSuit, PickPremoveSuit, SetPremove
from bot.locales import Translator
from bot.screens.layout import callback_button, grid, page, rows
from bot.screens.phrases import place_name, round_line, sorted_cards
from bot.screens.screen import Button, Context, Rows, Screen, Style
from bot.tables.view import TableView
from engine import SUITS, Card, RoundView, View


def holds_wild(game: View, wild: Card) -> bool:
    """Whether the viewer holds this card and it is a wild."""
    return wild in (game.hand or ()) and game.rules.effect_of(wild).orders_suit


def premove_line(view: TableView, tr: Translator) -> str | None:
    """The premove, if there is one: «⏱ Отложено: Д♣️, заказ ♥️ — ляжет в ваш ход, если подойдёт»."""
    if view.premove is None:
        return None
    return tr.plain("hand.aside", card=_premove_text(view, tr))


def premove_buttons(view: TableView, game: View, now: RoundView, tr: Translator, ctx: Context) -> Rows:
    """A button for each card of the hand, and one that cancels the premove."""
    cards = dict.fromkeys(sorted_cards(game.hand or (), ctx.hand_order))
    buttons = [_card_button(view, game, now, card, tr) for card in cards]
    return (*grid(buttons), *rows((cancel_premove_button(view, tr),)))


def cancel_premove_button(view: TableView, tr: Translator) -> Button | None:
    """The button that cancels the premove; None if there is none."""
    return (
        None
        if view.premove is None
        else callback_button(tr.plain("button.take_back"), CancelPremove(view.id))
    )


def premove_suit_choice(view: TableView, game: View, now: RoundView, wild: Card, tr: Translator) -> Screen:
    """The choice of a suit for a wild as a premove."""
    text = page(
        tr("hand.aside_suit", card=tr.card(wild), group=place_name(view, tr)),
        round_line(view, game, now, tr),
    )
    suits = [
        callback_button(tr.suit(suit), SetPremove(view.id, now.number, wild, suit))
        for suit in range(len(SUITS))
    ]
    return Screen(text, rows(suits, (callback_button(tr.plain("button.back"), LeavePremoveSuit(view.id)),)))


def _card_button(view: TableView, game: View, now: RoundView, card: Card, tr: Translator) -> Button:
    is_premove = view.premove is not None and view.premove.card == card
    text = tr.plain("button.aside", card=tr.card(card)) if is_premove else tr.card(card)
    style = Style.PRIMARY if is_premove else Style.PLAIN
    if game.rules.effect_of(card).orders_suit:
        return callback_button(text, PickPremoveSuit(view.id, now.number, card), style)
    return callback_button(text, SetPremove(view.id, now.number, card, None), style)


def _premove_text(view: TableView, tr: Translator) -> str:
    assert view.premove is not None
    card = tr.card(view.premove.card)
    if view.premove.suit is None:
        return card
    return tr.plain("told.order", card=card, suit=tr.suit(view.premove.suit))
