"""The rules in a few words: a setting's value as an answer on a button, a whole set of rules in one line.

Answers can be understood without their question. Plain text.
"""

from __future__ import annotations

from bot.locales import Translator
from bot.screens.layout import shortened
from bot.screens.rule_texts import card_sign, changed, changed_cards, facts, is_effective
from bot.tables.choices import value_code
from engine import RANKS, SETTINGS, Effect, Rules, SettingKind

_BETWEEN = " · "


def answer(name: str, rules: Rules, tr: Translator) -> str:
    """What the setting of this name is set to; what cards do (`effects`) has an answer for each card."""
    value = getattr(rules, name)
    match name:
        case "hand_size" | "limit":
            return tr.plain_plural(f"answer.{name}", value)
        case "transfer":
            ranks = tr.all_of([tr.rank(RANKS.index(rank)) for rank in value])
            return tr.plain("answer.transfer.some" if value else "answer.transfer.none", ranks=ranks)
        case _:
            return tr.plain(f"answer.{name}.{value_code(value)}", **facts(rules, tr))


def effect_answer(effect: Effect, tr: Translator) -> str:
    """What a card may do."""
    return tr.plain(f"answer.effects.{effect}")


def brief(rules: Rules, tr: Translator, limit: int = 1000) -> str:
    """What is not as in the classic game, in one line of at most so many UTF-16 units."""
    services: list[str] = []
    for name in changed(SETTINGS, rules):
        if SETTINGS[name].kind is SettingKind.EFFECTS:
            services += [
                tr.plain("answer.card", card=card_sign(key, tr), what=effect_answer(effect, tr))
                for key, effect in changed_cards(rules)
            ]
        elif is_effective(name, rules):
            services.append(answer(name, rules, tr))
    return shortened(_BETWEEN.join(services), limit) if services else tr.plain("settings.as_classic")


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
