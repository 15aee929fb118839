"""Phrases shared by several screens: names, the top card, playable cards, hands and counts.

They are plain text, which screens escape, unless the return type is `Html`.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import Html, Translator
from bot.screens.screen import Context
from bot.settings import HandOrder
from bot.tables.view import TableView
from engine import (
    RANKS,
    SUITS,
    Card,
    EffectKind,
    RoundView,
    Rules,
    Status,
    View,
    rank_of,
    ranks_in_deck,
    suit_of,
)

_BY_SUIT = " · "
_TOGETHER = "\u00a0"
"""A no-break space, so that a suit and its ranks stay on one line."""


def seat_name(view: TableView, seat: int, tr: Translator) -> str:
    """The name of the player in this seat."""
    return tr.name(view.name_of(seat))


def place_name(view: TableView, tr: Translator) -> str:
    """The group's title, followed by the topic's name if there is one: «Дача › Вечер».

    For a solo table, a phrase that says so.
    """
    if view.is_solo:
        return tr.plain("title.alone")
    group = tr.title(view.chat_title)
    return tr.plain("place.topic", group=group, topic=tr.name(view.topic)) if view.topic else group


def unreachable(view: TableView, tr: Translator, ctx: Context) -> Html | None:
    """The players whom the bot cannot send their cards, and how they can fix it; None if there are none."""
    names = [
        tr.name(player.name)
        for player in view.players
        if player.user_id in ctx.unreachable and player.status in (None, Status.IN)
    ]
    return tr("seat.unreachable", names=", ".join(names), bot=ctx.bot_username) if names else None


def talk_line(view: TableView, tr: Translator) -> str | None:
    """The last chat message at the table, «💬 Борис: держись!»; None if there is no recent one."""
    if view.said is None:
        return None
    you = None if view.you is None else view.players[view.you].user_id
    name = tr.plain("hand.you") if view.said.user_id == you else tr.name(view.said.name)
    text = tr.line(view.said.text)
    return tr.plain("talk.line", name=name, text=text) if text else None


def on_top(round_view: RoundView, tr: Translator) -> str:
    """The top card and the ordered suit: «сверху Д♠️, заказаны ♥️»."""
    if round_view.top is None:
        return tr.plain("top.empty")
    if round_view.ordered is None:
        return tr.plain("top.card", card=tr.card(round_view.top))
    return tr.plain("top.ordered", card=tr.card(round_view.top), suit=tr.suit(round_view.ordered))


def rules_name(rules: Rules, tr: Translator) -> str:
    """The preset's name and the number of settings that differ from it."""
    name = tr.plain(f"preset.{rules.preset}")
    changes = len(rules.to_document()) - 1
    return tr.plain_plural("rules.changed", changes, name=name) if changes else name


def direction(view: View, tr: Translator) -> str | None:
    """The direction of play; None between rounds, or if no card can change it."""
    if view.round is None or not can_turn_direction(view.rules):
        return None
    return tr.plain("direction.clockwise" if view.round.direction == 1 else "direction.counter")


def can_turn_direction(rules: Rules) -> bool:
    """Whether the rules have a card that reverses the direction of play."""
    return any(effect.turns_direction for _, effect in rules.effects)


def round_line(view: TableView, game: View, now: RoundView, tr: Translator) -> str:
    """The round's number, everybody's card count and the direction: «Раунд 3 · Аня 4 · Борис 1❗ · вы 6»."""
    parts = [tr.plain("hand.round", n=now.number)]
    for seat, player in enumerate(game.seats):
        if player.status is Status.IN:
            name = tr.plain("hand.you") if seat == game.seat else seat_name(view, seat, tr)
            parts.append(
                tr.plain("hand.last_card" if player.cards == 1 else "hand.count", name=name, n=player.cards)
            )
    direction_text = direction(game, tr)
    return " · ".join([*parts, *([] if direction_text is None else [direction_text])])


def sorted_cards(cards: Iterable[Card], order: HandOrder = HandOrder.SUIT) -> list[Card]:
    """Sort by suit and then by rank, or by rank and then by suit."""
    if order is HandOrder.RANK:
        return sorted(cards, key=lambda card: (rank_of(card), suit_of(card)))
    return sorted(cards, key=lambda card: (suit_of(card), rank_of(card)))


def listed(cards: Iterable[Card], order: HandOrder, tr: Translator) -> str:
    """A hand in one line, by suit «♠️ 6 7 Т · ♥️ 10» or by rank «6♠️ 7♠️ 10♥️ Т♠️»."""
    return by_suit(cards, tr) if order is HandOrder.SUIT else tr.cards(sorted_cards(cards, order))


def by_suit(cards: Iterable[Card], tr: Translator) -> str:
    """Cards grouped by suit: «♠️ 6 7 Т · ♥️ 10»."""
    ordered = sorted_cards(cards)
    groups = []
    for suit in range(len(SUITS)):
        ranks = [tr.rank(rank_of(card)) for card in ordered if suit_of(card) == suit]
        if ranks:
            groups.append(_TOGETHER.join((tr.suit(suit), *ranks)))
    return _BY_SUIT.join(groups)


def rank_name(rank: int, tr: Translator, case: str = "name") -> str:
    """A rank in words, in the grammatical case that the sentence needs.

    `name`: «шестёрка», "six"; `some`: «шестёрка», "a six"; `object`: «шестёрку», "the six"; `means`:
    «шестёркой», "a six".
    """
    return tr.plain(f"rank.{case}.{RANKS[rank]}")


def cards_with(rules: Rules, kind: EffectKind, tr: Translator, case: str = "name") -> list[str]:
    """The cards with an effect of this kind: whole ranks in words, single cards as symbols."""
    found = []
    for rank in ranks_in_deck(rules.deck):
        of_rank = [suit * len(RANKS) + rank for suit in range(len(SUITS))]
        with_effect = [card for card in of_rank if rules.effect_of(card).kind == kind]
        if len(with_effect) == len(of_rank):
            found.append(rank_name(rank, tr, case))
        else:
            found += [tr.card(card) for card in with_effect]
    return found


def playable_text(view: View, tr: Translator) -> str | None:
    """The cards that the player to move may play: «♥️, девятка или дама»; None if there is no top card."""
    now = view.round
    if now is None or now.top is None:
        return None
    suit, rank = tr.suit(suit_of(now.top)), rank_name(rank_of(now.top), tr, "some")
    wilds = cards_with(view.rules, "wild", tr, "some")
    if now.attack_rank is not None:
        fitting = [rank_name(now.attack_rank, tr, "some")]
    elif now.must_cover:
        fitting = [suit, rank, *(wilds if view.rules.cover_by_wild else [])]
    elif now.ordered is not None:
        fitting = [tr.suit(now.ordered), *wilds]
    else:
        fitting = [suit, rank, *wilds]
    return tr.any_of(list(dict.fromkeys(fitting)))
