"""A group's settings in their context, its saved rules, and changes of rules: pure functions.

Values arrive as words from button data and are checked here. `bot.handlers.permissions` decides who may
choose; `group_settings` stores the choices.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.settings import GroupSettings
from engine import SETTINGS, BadRules, Rules, SettingKind


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules saved by a group under a name. Anyone who knows the token can use them in their own group."""

    token: str
    name: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class GroupSettingsView:
    """A group's choices and their context.

    `seated`: the number of people in its open lobby (the fullest, if each topic has one), for whom the rules
    must have seats. `is_playing`: a match is running, by the rules it began with.
    """

    chosen: GroupSettings
    rule_sets: tuple[RuleSet, ...] = ()
    seated: int = 0
    is_playing: bool = False

    @property
    def rules(self) -> Rules:
        """The chosen rules."""
        return self.chosen.table.rules

    def seats_all(self, rules: Rules) -> bool:
        """Return whether these rules have a seat for everybody in the lobby."""
        return self.seated <= rules.max_seats


def value_code(value: object) -> str:
    """Return a setting's value as one word: `true`, `36`, `until_playable`."""
    return str(value).lower()


def with_value(rules: Rules, name: str, code: str) -> Rules:
    """Return the rules with this value of a choice or number. Raises BadRules."""
    setting = SETTINGS.get(name)
    if setting is None or setting.kind not in (SettingKind.CHOICE, SettingKind.NUMBER):
        raise BadRules(name, "there is no such choice")
    if setting.kind is SettingKind.NUMBER:
        value: object = int(code) if code.isdecimal() else code
    else:
        value = next((known for known in setting.values if value_code(known) == code), code)
    return _changed(rules, name, value)


def with_effect(rules: Rules, key: str, effect: str) -> Rules:
    """Return the rules with this effect of a rank («K») or a single card («KS»). Raises BadRules.

    A rank's single cards with effects of their own keep them.
    """
    overrides = rules.to_document().get("effects", {})
    return _changed(rules, "effects", {**overrides, key: effect})


def with_transfer(rules: Rules, rank: str, allowed: bool) -> Rules:
    """Return the rules in which attacks of this rank can or can't be passed on. Raises BadRules."""
    others = [other for other in rules.transfer if other != rank]
    return _changed(rules, "transfer", [*others, rank] if allowed else others)


def _changed(rules: Rules, name: str, value: object) -> Rules:
    return Rules.from_document({**rules.to_document(), name: value})
