"""The rules in sentences: one for each setting as it is set, one for each card that does something.

Plain text. The book of rules puts them into chapters; its list of differences takes those that are not as in
the classic game. A setting that can make no difference under the other settings has no sentence.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import Translator
from bot.screens.phrases import cards_with, rank_name, ranks_in
from engine import (
    RANKS,
    SETTINGS,
    Card,
    Effect,
    Rules,
    SettingKind,
    card_code,
    parse_card,
    rank_of,
)

_CLASSIC = Rules()


def sentence(name: str, rules: Rules, tr: Translator) -> str | None:
    """What the setting of this name means under these rules; None where it can make no difference.

    What cards do (`effects`) is said by `card_lines`.
    """
    if name == "effects" or not is_effective(name, rules):
        return None
    value = getattr(rules, name)
    match name:
        case "hand_size":
            return tr.plain_plural("rules.hand_size", value)
        case "transfer":
            ranks = tr.all_of([rank_name(RANKS.index(rank), tr) for rank in value])
            return tr.plain("rules.transfer.some" if value else "rules.transfer.none", ranks=ranks)
        case "limit":
            return tr.plain_plural("rules.limit", value)
        case _:
            return tr.plain(f"rules.{name}.{str(value).lower()}", **facts(rules, tr))


def sentences(names: Iterable[str], rules: Rules, tr: Translator) -> list[str]:
    """The sentences of these settings, as far as they have one."""
    return [text for name in names if (text := sentence(name, rules, tr)) is not None]


def card_lines(rules: Rules, tr: Translator) -> list[str]:
    """What each special card does, from the lowest rank up."""
    return [card_line(key, effect, tr) for key, effect in _effects_in_deck(rules)]


def card_line(key: str, effect: Effect, tr: Translator) -> str:
    """What a rank, or a single card, does: «7 — следующий берёт 2 карты и пропускает ход»."""
    return tr.plain("rules.card", card=card_sign(key, tr), what=tr.plain(f"effect.{effect}"))


def card_sign(key: str, tr: Translator) -> str:
    """A rank or a single card as players read it: «Д», «Д♠️»."""
    return tr.rank(RANKS.index(key)) if key in RANKS else tr.card(parse_card(key))


def lines_about(rank: int, card: Card | None, rules: Rules, tr: Translator) -> list[str]:
    """What cards of this rank do, one by one where they differ; with a `card`, what just it does."""
    if card is not None:
        return [card_line(card_code(card), rules.effect_of(card), tr)]
    table = dict(rules.effects)
    whole = [card_line(RANKS[rank], table.get(RANKS[rank], Effect.NONE), tr)]
    return whole + [
        card_line(key, effect, tr) for key, effect in rules.effects if key not in RANKS and _rank(key) == rank
    ]


def covering(rules: Rules, tr: Translator) -> list[str]:
    """How a card that must be covered is covered."""
    return sentences(("cover_by_wild", "cover_draw", "finish_on_cover"), rules, tr)


def about_transfer(rank: int, rules: Rules, tr: Translator) -> list[str]:
    """Whether the penalty of an attacking card of this rank can be passed on."""
    if rules.transfer and RANKS[rank] not in rules.transfer:
        return [tr.plain("rules.transfer.none")]
    return sentences(("transfer",), rules, tr)


def differences(rules: Rules, tr: Translator) -> list[str]:
    """What is not as in the classic game, in the order of the settings."""
    found: list[str] = []
    for name in changed(SETTINGS, rules):
        if SETTINGS[name].kind is SettingKind.EFFECTS:
            found += [card_line(key, effect, tr) for key, effect in changed_cards(rules)]
        else:
            found += sentences((name,), rules, tr)
    return found


def changed(names: Iterable[str], rules: Rules) -> tuple[str, ...]:
    """Those of the settings that are not as in the classic game."""
    return tuple(name for name in names if getattr(rules, name) != getattr(_CLASSIC, name))


def has_effect(rules: Rules, *effects: Effect) -> bool:
    """Does any card of the deck do one of these?"""
    return any(effect in effects for _, effect in _effects_in_deck(rules))


def is_effective(name: str, rules: Rules) -> bool:
    """Can this setting make a difference under the others?"""
    has_cover = has_effect(rules, Effect.COVER)
    match name:
        case "cover_by_wild":
            return has_cover and has_effect(rules, Effect.WILD)
        case "cover_draw" | "finish_on_cover":
            return has_cover
        case "stock_out":
            return rules.draw == "until_playable" or (has_cover and rules.cover_draw == "until")
        case "transfer":
            attacks = [effect for effect in Effect if effect.kind == "attack"]
            return bool(rules.transfer) or has_effect(rules, *attacks)
        case "negatives":
            return rules.negatives != _CLASSIC.negatives or rules.finish_bonus != "none"
        case _:
            return True


def facts(rules: Rules, tr: Translator) -> dict[str, object]:
    """What the sentences, questions and answers about settings may speak of."""
    below = rules.limit - 1
    wilds = tr.any_of(cards_with(rules, Effect.WILD, tr, "means"))
    covers = tr.any_of(cards_with(rules, Effect.COVER, tr, "object"))
    return {"limit": rules.limit, "below": below, "half": below // 2, "wilds": wilds, "covers": covers}


def changed_cards(rules: Rules) -> list[tuple[str, Effect]]:
    """The ranks and single cards that do something else than in the classic game, and what that is."""
    mine, theirs = dict(rules.effects), dict(_CLASSIC.effects)
    keys = sorted(mine.keys() | theirs.keys(), key=_place)
    return [
        (key, _effect(mine, key))
        for key in keys
        if _rank(key) in ranks_in(rules) and _effect(mine, key) is not _effect(theirs, key)
    ]


def _effects_in_deck(rules: Rules) -> list[tuple[str, Effect]]:
    """(rank or card, effect) of the cards the deck holds: by rank, the rank before its single cards."""
    entries = [(key, effect) for key, effect in rules.effects if _rank(key) in ranks_in(rules)]
    return sorted(entries, key=lambda entry: _place(entry[0]))


def _effect(table: dict[str, Effect], key: str) -> Effect:
    return table.get(key, table.get(RANKS[_rank(key)], Effect.NONE))


def _rank(key: str) -> int:
    return RANKS.index(key) if key in RANKS else rank_of(parse_card(key))


def _place(key: str) -> tuple[int, bool, str]:
    return _rank(key), key not in RANKS, key
