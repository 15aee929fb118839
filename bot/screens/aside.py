"""Putting a card aside while one waits for one's turn: cards as buttons, a wild's suit, what is aside."""

from __future__ import annotations

from bot.callbacks import LeaveAside, PickAside, PutAside, TakeBack
from bot.locales import Words
from bot.screens.layout import grid, page, press, rows
from bot.screens.phrases import place_name, round_line, sorted_cards
from bot.screens.screen import Button, Context, Rows, Screen, Style
from bot.tables.view import TableView
from engine import SUITS, Card, Effect, RoundView, View


def may_be_put_aside(game: View, wild: Card) -> bool:
    """Does the viewer hold this wild?"""
    return wild in (game.hand or ()) and game.rules.effect_of(wild) is Effect.WILD


def aside_line(view: TableView, words: Words) -> str | None:
    """«⏱ Отложено: Д♣️, заказ ♥️ — ляжет в ваш ход, если подойдёт»."""
    if view.premove is None:
        return None
    return words.plain("hand.aside", card=_put_aside(view, words))


def aside_buttons(view: TableView, game: View, now: RoundView, words: Words, ctx: Context) -> Rows:
    """Each card of the hand, and the way back from what is put aside."""
    cards = dict.fromkeys(sorted_cards(game.hand or (), ctx.hand_order))
    buttons = [_card_button(view, game, now, card, words) for card in cards]
    return (*grid(buttons), *rows((take_back_button(view, words),)))


def take_back_button(view: TableView, words: Words) -> Button | None:
    """What has nothing laid after all."""
    return None if view.premove is None else press(words.plain("button.take_back"), TakeBack(view.id))


def aside_suits(view: TableView, game: View, now: RoundView, wild: Card, words: Words) -> Screen:
    """Which suit a wild shall order when it is laid."""
    text = page(
        words("hand.aside_suit", card=words.card(wild), group=place_name(view, words)),
        round_line(view, game, now, words),
    )
    suits = [press(words.suit(suit), PutAside(view.id, now.number, wild, suit)) for suit in range(len(SUITS))]
    return Screen(text, rows(suits, (press(words.plain("button.back"), LeaveAside(view.id)),)))


def _card_button(view: TableView, game: View, now: RoundView, card: Card, words: Words) -> Button:
    is_aside = view.premove is not None and view.premove.card == card
    text = words.plain("button.aside", card=words.card(card)) if is_aside else words.card(card)
    style = Style.PRIMARY if is_aside else Style.PLAIN
    if game.rules.effect_of(card) is Effect.WILD:
        return press(text, PickAside(view.id, now.number, card), style)
    return press(text, PutAside(view.id, now.number, card, None), style)


def _put_aside(view: TableView, words: Words) -> str:
    assert view.premove is not None
    card = words.card(view.premove.card)
    if view.premove.suit is None:
        return card
    return words.plain("told.order", card=card, suit=words.suit(view.premove.suit))
