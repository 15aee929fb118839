"""The rules in a few words: a setting's value as an answer on a button, a whole set of rules in one line.

Answers can be understood without their question. Plain text.
"""

from __future__ import annotations

from bot.locales import Words
from bot.screens.layout import shortened
from bot.screens.sentences import card_sign, changed, changed_cards, facts, matters
from bot.tables.choices import value_code
from engine import RANKS, SETTINGS, Effect, Rules, SettingKind

_BETWEEN = " · "


def answer(name: str, rules: Rules, words: Words) -> str:
    """What the setting of this name is set to; what cards do (`effects`) has an answer for each card."""
    value = getattr(rules, name)
    match name:
        case "hand_size" | "limit":
            return words.plain_plural(f"answer.{name}", value)
        case "transfer":
            ranks = words.all_of([words.rank(RANKS.index(rank)) for rank in value])
            return words.plain("answer.transfer.some" if value else "answer.transfer.none", ranks=ranks)
        case _:
            return words.plain(f"answer.{name}.{value_code(value)}", **facts(rules, words))


def effect_answer(effect: Effect, words: Words) -> str:
    """What a card may do."""
    return words.plain(f"answer.effects.{effect}")


def brief(rules: Rules, words: Words, limit: int = 1000) -> str:
    """What is not as in the classic game, in one line of at most so many UTF-16 units."""
    parts: list[str] = []
    for name in changed(SETTINGS, rules):
        if SETTINGS[name].kind is SettingKind.EFFECTS:
            parts += [
                words.plain("answer.card", card=card_sign(key, words), what=effect_answer(effect, words))
                for key, effect in changed_cards(rules)
            ]
        elif matters(name, rules):
            parts.append(answer(name, rules, words))
    return shortened(_BETWEEN.join(parts), limit) if parts else words.plain("settings.as_classic")


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
