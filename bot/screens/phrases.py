"""Phrases that several screens share: what lies on the table, what would fit, how many cards, whose name.

All but one are plain text: screens escape what they put together.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import Html, Translator
from bot.screens.screen import Context
from bot.settings import HandOrder
from bot.tables.view import TableView
from engine import RANKS, SUITS, Card, Effect, RoundView, Rules, Status, View, rank_of, suit_of

_BY_SUIT = " · "
_TOGETHER = "\u00a0"
"""A suit at the end of one line and its ranks on the next would be read as two things."""


def seat_name(view: TableView, seat: int, tr: Translator) -> str:
    """Who sits there."""
    return tr.name(view.name_of(seat))


def place_name(view: TableView, tr: Translator) -> str:
    """Whose table it is: the group's title, and the topic's where it stands in one: «Дача › Вечер».

    In a private chat: that somebody plays there alone.
    """
    if view.is_solo:
        return tr.plain("title.alone")
    group = tr.title(view.chat_title)
    return tr.plain("place.topic", group=group, topic=tr.name(view.topic)) if view.topic else group


def unreachable(view: TableView, tr: Translator, ctx: Context) -> Html | None:
    """Who of those who play cannot get his cards, since the bot may not write to him, and what helps."""
    names = [
        tr.name(player.name)
        for player in view.players
        if player.user_id in ctx.unreachable and player.status in (None, Status.IN)
    ]
    return tr("seat.unreachable", names=", ".join(names), bot=ctx.bot_username) if names else None


def talk_line(view: TableView, tr: Translator) -> str | None:
    """«💬 Борис: держись!»: what was said last; None once it is stale."""
    if view.said is None:
        return None
    you = None if view.you is None else view.players[view.you].user_id
    name = tr.plain("hand.you") if view.said.user_id == you else tr.name(view.said.name)
    text = tr.line(view.said.text)
    return tr.plain("talk.line", name=name, text=text) if text else None


def on_top(round_view: RoundView, tr: Translator) -> str:
    """«сверху Д♠️, заказаны ♥️»."""
    if round_view.top is None:
        return tr.plain("top.empty")
    if round_view.ordered is None:
        return tr.plain("top.card", card=tr.card(round_view.top))
    return tr.plain("top.ordered", card=tr.card(round_view.top), suit=tr.suit(round_view.ordered))


def rules_name(rules: Rules, tr: Translator) -> str:
    """The preset's name, and in how many settings the rules differ from it."""
    name = tr.plain(f"preset.{rules.preset}")
    changes = len(rules.to_document()) - 1
    return tr.plain_plural("rules.changed", changes, name=name) if changes else name


def direction(view: View, tr: Translator) -> str | None:
    """Which way the turn goes; told only where the rules can turn it."""
    if view.round is None or not any(effect is Effect.REVERSE for _, effect in view.rules.effects):
        return None
    return tr.plain("direction.clockwise" if view.round.direction == 1 else "direction.counter")


def round_line(view: TableView, game: View, now: RoundView, tr: Translator) -> str:
    """«Раунд 3 · Аня 4 · Борис 1❗ · вы 6»."""
    parts = [tr.plain("hand.round", n=now.number)]
    for seat, player in enumerate(game.seats):
        if player.status is Status.IN:
            name = tr.plain("hand.you") if seat == game.seat else seat_name(view, seat, tr)
            parts.append(
                tr.plain("hand.last_card" if player.cards == 1 else "hand.count", name=name, n=player.cards)
            )
    way = direction(game, tr)
    return " · ".join([*parts, *([] if way is None else [way])])


def sorted_cards(cards: Iterable[Card], order: HandOrder = HandOrder.SUIT) -> list[Card]:
    """By suit, then by rank; or the other way about."""
    if order is HandOrder.RANK:
        return sorted(cards, key=lambda card: (rank_of(card), suit_of(card)))
    return sorted(cards, key=lambda card: (suit_of(card), rank_of(card)))


def listed(cards: Iterable[Card], order: HandOrder, tr: Translator) -> str:
    """A hand in one line: «♠️ 6 7 Т · ♥️ 10», or «6♠️ 7♠️ 10♥️ Т♠️»."""
    return by_suit(cards, tr) if order is HandOrder.SUIT else tr.cards(sorted_cards(cards, order))


def by_suit(cards: Iterable[Card], tr: Translator) -> str:
    """«♠️ 6 7 Т · ♥️ 10»."""
    ordered = sorted_cards(cards)
    groups = []
    for suit in range(len(SUITS)):
        ranks = [tr.rank(rank_of(card)) for card in ordered if suit_of(card) == suit]
        if ranks:
            groups.append(_TOGETHER.join((tr.suit(suit), *ranks)))
    return _BY_SUIT.join(groups)


def rank_name(rank: int, tr: Translator, case: str = "name") -> str:
    """A rank in words, in the case a sentence needs.

    `name`: «шестёрка», "six"; `some`: «шестёрка», "a six"; `object`: «шестёрку», "the six"; `means`:
    «шестёркой», "a six".
    """
    return tr.plain(f"rank.{case}.{RANKS[rank]}")


def cards_with(rules: Rules, effect: Effect, tr: Translator, case: str = "name") -> list[str]:
    """What has this effect: whole ranks in words, single cards by their signs."""
    found = []
    for rank in ranks_in(rules):
        of_rank = [suit * len(RANKS) + rank for suit in range(len(SUITS))]
        with_effect = [card for card in of_rank if rules.effect_of(card) is effect]
        if len(with_effect) == len(of_rank):
            found.append(rank_name(rank, tr, case))
        else:
            found += [tr.card(card) for card in with_effect]
    return found


def ranks_in(rules: Rules) -> range:
    """The ranks that the deck holds."""
    return range(0 if rules.deck == 52 else RANKS.index("6"), len(RANKS))


def what_fits(view: View, tr: Translator) -> str | None:
    """What the player to move may lay, in words: «♥️, девятка или дама»; None where any card may be."""
    now = view.round
    if now is None or now.top is None:
        return None
    suit, rank = tr.suit(suit_of(now.top)), rank_name(rank_of(now.top), tr, "some")
    wilds = cards_with(view.rules, Effect.WILD, tr, "some")
    if now.attack_rank is not None:
        fitting = [rank_name(now.attack_rank, tr, "some")]
    elif now.must_cover:
        fitting = [suit, rank, *(wilds if view.rules.cover_by_wild else [])]
    elif now.ordered is not None:
        fitting = [tr.suit(now.ordered), *wilds]
    else:
        fitting = [suit, rank, *wilds]
    return tr.any_of(list(dict.fromkeys(fitting)))
