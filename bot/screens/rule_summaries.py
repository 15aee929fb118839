"""Short descriptions of rules: a setting's value as a button label, a set of rules in one line.

Labels are understandable without their question. Everything is plain text.
"""

from __future__ import annotations

from bot.locales import Translator
from bot.screens.layout import shortened
from bot.screens.rule_texts import card_sign, changed, changed_cards, is_effective, text_params
from bot.tables.choices import value_code
from engine import RANKS, SETTINGS, Effect, Rules, SettingKind

_BETWEEN = " · "


def answer(name: str, rules: Rules, tr: Translator) -> str:
    """The value of the setting of this name; for `effects` see `effect_answer`."""
    value = getattr(rules, name)
    match name:
        case "hand_size" | "limit":
            return tr.plain_plural(f"answer.{name}", value)
        case "transfer":
            ranks = tr.all_of([tr.rank(RANKS.index(rank)) for rank in value])
            return tr.plain("answer.transfer.some" if value else "answer.transfer.none", ranks=ranks)
        case _:
            return tr.plain(f"answer.{name}.{value_code(value)}", **text_params(rules, tr))


def effect_answer(effect: Effect, tr: Translator) -> str:
    """An effect of a card."""
    return tr.plain(f"answer.effects.{effect}")


def brief(rules: Rules, tr: Translator, limit: int = 1000) -> str:
    """The differences from the classic rules, in one line of at most `limit` UTF-16 units."""
    parts: list[str] = []
    for name in changed(SETTINGS, rules):
        if SETTINGS[name].kind is SettingKind.EFFECTS:
            parts += [
                tr.plain("answer.card", card=card_sign(key, tr), what=effect_answer(effect, tr))
                for key, effect in changed_cards(rules)
            ]
        elif is_effective(name, rules):
            parts.append(answer(name, rules, tr))
    return shortened(_BETWEEN.join(parts), limit) if parts else tr.plain("settings.as_classic")


def capital(text: str) -> str:
    """Return the text with its first letter capitalized."""
    return text[:1].upper() + text[1:]
