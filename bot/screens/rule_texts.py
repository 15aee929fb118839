"""The rules in sentences: one for each setting's value, one for each card with an effect.

Everything is plain text. The book of rules (`rules`) arranges the sentences in chapters and lists those that
differ from the classic rules. A setting that makes no difference under the other settings has no sentence.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.locales import Translator
from bot.screens.phrases import cards_with, rank_name
from engine import (
    RANKS,
    SETTINGS,
    Card,
    Effect,
    EffectKind,
    Rules,
    SettingKind,
    card_code,
    parse_card,
    rank_of,
    ranks_in_deck,
)

_CLASSIC = Rules()


def sentence(name: str, rules: Rules, tr: Translator) -> str | None:
    """The meaning of the setting of this name under these rules; None if it makes no difference.

    For `effects` see `card_lines`.
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
            return tr.plain(f"rules.{name}.{str(value).lower()}", **text_params(rules, tr))


def sentences(names: Iterable[str], rules: Rules, tr: Translator) -> list[str]:
    """The sentences of those of these settings that have one."""
    return [text for name in names if (text := sentence(name, rules, tr)) is not None]


def card_lines(rules: Rules, tr: Translator) -> list[str]:
    """A line for each card with an effect, from the lowest rank up."""
    return [card_line(key, effect, tr) for key, effect in _effects_in_deck(rules)]


def card_line(key: str, effect: Effect, tr: Translator) -> str:
    """The effect of a rank or a single card: «7 — следующий берёт 2 карты и пропускает ход»."""
    return tr.plain("rules.card", card=card_sign(key, tr), what=tr.plain(f"effect.{effect}"))


def card_sign(key: str, tr: Translator) -> str:
    """The symbol of a rank or a single card: «Д», «Д♠️»."""
    return tr.rank(RANKS.index(key)) if key in RANKS else tr.card(parse_card(key))


def lines_about(rank: int, card: Card | None, rules: Rules, tr: Translator) -> list[str]:
    """The effects of this rank and of its cards that differ from it; with a `card`, only that card's."""
    if card is not None:
        return [card_line(card_code(card), rules.effect_of(card), tr)]
    table = dict(rules.effects)
    whole = [card_line(RANKS[rank], table.get(RANKS[rank], Effect.NONE), tr)]
    return whole + [
        card_line(key, effect, tr) for key, effect in rules.effects if key not in RANKS and _rank(key) == rank
    ]


def covering(rules: Rules, tr: Translator) -> list[str]:
    """The sentences about covering."""
    return sentences(("cover_by_wild", "cover_draw", "finish_on_cover"), rules, tr)


def about_transfer(rank: int, rules: Rules, tr: Translator) -> list[str]:
    """Whether an attack by a card of this rank can be passed on."""
    if rules.transfer and RANKS[rank] not in rules.transfer:
        return [tr.plain("rules.transfer.none")]
    return sentences(("transfer",), rules, tr)


def differences(rules: Rules, tr: Translator) -> list[str]:
    """The sentences that differ from the classic rules, in the order of the settings."""
    found: list[str] = []
    for name in changed(SETTINGS, rules):
        if SETTINGS[name].kind is SettingKind.EFFECTS:
            found += [card_line(key, effect, tr) for key, effect in changed_cards(rules)]
        else:
            found += sentences((name,), rules, tr)
    return found


def changed(names: Iterable[str], rules: Rules) -> tuple[str, ...]:
    """Return those of these settings whose values differ from the classic rules."""
    return tuple(name for name in names if getattr(rules, name) != getattr(_CLASSIC, name))


def has_effect(rules: Rules, kind: EffectKind) -> bool:
    """Whether any card in the deck has an effect of this kind."""
    return any(effect.kind == kind for _, effect in _effects_in_deck(rules))


def is_effective(name: str, rules: Rules) -> bool:
    """Whether this setting can make a difference under the others."""
    has_cover = has_effect(rules, "cover")
    match name:
        case "cover_by_wild":
            return has_cover and has_effect(rules, "wild")
        case "cover_draw" | "finish_on_cover":
            return has_cover
        case "stock_out":
            return rules.draw == "until_playable" or (has_cover and rules.cover_draw == "until")
        case "transfer":
            return bool(rules.transfer) or has_effect(rules, "attack")
        case "negatives":
            return rules.negatives != _CLASSIC.negatives or rules.finish_bonus != "none"
        case _:
            return True


def text_params(rules: Rules, tr: Translator) -> dict[str, object]:
    """The parameters of the sentences, questions and answers about settings."""
    below = rules.limit - 1
    wilds = tr.any_of(cards_with(rules, "wild", tr, "means"))
    covers = tr.any_of(cards_with(rules, "cover", tr, "object"))
    return {"limit": rules.limit, "below": below, "half": below // 2, "wilds": wilds, "covers": covers}


def changed_cards(rules: Rules) -> list[tuple[str, Effect]]:
    """The ranks and single cards whose effect differs from the classic rules, with that effect."""
    mine, theirs = dict(rules.effects), dict(_CLASSIC.effects)
    keys = sorted(mine.keys() | theirs.keys(), key=_place)
    return [
        (key, _effect(mine, key))
        for key in keys
        if _rank(key) in ranks_in_deck(rules.deck) and _effect(mine, key) is not _effect(theirs, key)
    ]


def _effects_in_deck(rules: Rules) -> list[tuple[str, Effect]]:
    """(rank or card, effect) of the cards in the deck: by rank, the rank before its single cards."""
    entries = [(key, effect) for key, effect in rules.effects if _rank(key) in ranks_in_deck(rules.deck)]
    return sorted(entries, key=lambda entry: _place(entry[0]))


def _effect(table: dict[str, Effect], key: str) -> Effect:
    return table.get(key, table.get(RANKS[_rank(key)], Effect.NONE))


def _rank(key: str) -> int:
    return RANKS.index(key) if key in RANKS else rank_of(parse_card(key))


def _place(key: str) -> tuple[int, bool, str]:
    return _rank(key), key not in RANKS, key
