"""Phrases that several screens share: what lies on the table, what would fit, how many cards, whose name.

All but one are plain text: screens escape what they put together.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import Html, Words
from bot.screens.screen import Context, HandOrder
from bot.tables.view import TableView
from engine import RANKS, SUITS, Card, Effect, RoundView, Rules, Status, View, rank_of, suit_of

_BY_SUIT = " · "
_TOGETHER = "\u00a0"
"""A suit at the end of one line and its ranks on the next would be read as two things."""


def seat_name(view: TableView, seat: int, words: Words) -> str:
    """Who sits there."""
    return words.name(view.name_of(seat))


def place_name(view: TableView, words: Words) -> str:
    """Whose table it is: the group's title, and the topic's where it stands in one: «Дача › Вечер».

    In a private chat: that somebody plays there alone.
    """
    if view.is_alone:
        return words.plain("title.alone")
    group = words.title(view.chat_title)
    return words.plain("place.topic", group=group, topic=words.name(view.topic)) if view.topic else group


def unreachable(view: TableView, words: Words, ctx: Context) -> Html | None:
    """Who of those who play cannot get his cards, since the bot may not write to him, and what helps."""
    names = [
        words.name(player.name)
        for player in view.players
        if player.user_id in ctx.unreachable and player.status in (None, Status.IN)
    ]
    return words("seat.unreachable", names=", ".join(names), bot=ctx.bot_username) if names else None


def talk_line(view: TableView, words: Words) -> str | None:
    """«💬 Борис: держись!»: what was said last; None once it is stale."""
    if view.said is None:
        return None
    you = None if view.you is None else view.players[view.you].user_id
    name = words.plain("hand.you") if view.said.user_id == you else words.name(view.said.name)
    text = words.line(view.said.text)
    return words.plain("talk.line", name=name, text=text) if text else None


def on_top(round_view: RoundView, words: Words) -> str:
    """«сверху Д♠️, заказаны ♥️»."""
    if round_view.top is None:
        return words.plain("top.empty")
    if round_view.ordered is None:
        return words.plain("top.card", card=words.card(round_view.top))
    return words.plain("top.ordered", card=words.card(round_view.top), suit=words.suit(round_view.ordered))


def rules_name(rules: Rules, words: Words) -> str:
    """The preset's name, and in how many settings the rules differ from it."""
    name = words.plain(f"preset.{rules.preset}")
    changes = len(rules.to_document()) - 1
    return words.plain_plural("rules.changed", changes, name=name) if changes else name


def direction(view: View, words: Words) -> str | None:
    """Which way the turn goes; told only where the rules can turn it."""
    if view.round is None or not any(effect is Effect.REVERSE for _, effect in view.rules.effects):
        return None
    return words.plain("direction.clockwise" if view.round.direction == 1 else "direction.counter")


def round_line(view: TableView, game: View, now: RoundView, words: Words) -> str:
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


def sorted_cards(cards: Iterable[Card], order: HandOrder = HandOrder.SUIT) -> list[Card]:
    """By suit, then by rank; or the other way about."""
    if order is HandOrder.RANK:
        return sorted(cards, key=lambda card: (rank_of(card), suit_of(card)))
    return sorted(cards, key=lambda card: (suit_of(card), rank_of(card)))


def listed(cards: Iterable[Card], order: HandOrder, words: Words) -> str:
    """A hand in one line: «♠️ 6 7 Т · ♥️ 10», or «6♠️ 7♠️ 10♥️ Т♠️»."""
    return by_suit(cards, words) if order is HandOrder.SUIT else words.cards(sorted_cards(cards, order))


def by_suit(cards: Iterable[Card], words: Words) -> str:
    """«♠️ 6 7 Т · ♥️ 10»."""
    ordered = sorted_cards(cards)
    groups = []
    for suit in range(len(SUITS)):
        ranks = [words.rank(rank_of(card)) for card in ordered if suit_of(card) == suit]
        if ranks:
            groups.append(_TOGETHER.join((words.suit(suit), *ranks)))
    return _BY_SUIT.join(groups)


def rank_name(rank: int, words: Words, case: str = "name") -> str:
    """A rank in words, in the case a sentence needs.

    `name`: «шестёрка», "six"; `some`: «шестёрка», "a six"; `object`: «шестёрку», "the six"; `means`:
    «шестёркой», "a six".
    """
    return words.plain(f"rank.{case}.{RANKS[rank]}")


def cards_with(rules: Rules, effect: Effect, words: Words, case: str = "name") -> list[str]:
    """What has this effect: whole ranks in words, single cards by their signs."""
    found = []
    for rank in ranks_in(rules):
        of_rank = [suit * len(RANKS) + rank for suit in range(len(SUITS))]
        with_effect = [card for card in of_rank if rules.effect_of(card) is effect]
        if len(with_effect) == len(of_rank):
            found.append(rank_name(rank, words, case))
        else:
            found += [words.card(card) for card in with_effect]
    return found


def ranks_in(rules: Rules) -> range:
    """The ranks that the deck holds."""
    return range(0 if rules.deck == 52 else RANKS.index("6"), len(RANKS))


def what_fits(view: View, words: Words) -> str | None:
    """What the player to move may lay, in words: «♥️, девятка или дама»; None where any card may be."""
    now = view.round
    if now is None or now.top is None:
        return None
    suit, rank = words.suit(suit_of(now.top)), rank_name(rank_of(now.top), words, "some")
    wilds = cards_with(view.rules, Effect.WILD, words, "some")
    if now.attack_rank is not None:
        fitting = [rank_name(now.attack_rank, words, "some")]
    elif now.must_cover:
        fitting = [suit, rank, *(wilds if view.rules.cover_by_wild else [])]
    elif now.ordered is not None:
        fitting = [words.suit(now.ordered), *wilds]
    else:
        fitting = [suit, rank, *wilds]
    return words.any_of(list(dict.fromkeys(fitting)))
