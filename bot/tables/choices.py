"""A group's settings with what bears on them now, its saved rules, and changes of rules: pure functions.

Values arrive as the words of button data and are checked here. Who may choose is decided in
`bot.handlers.permissions`; `group_settings` stores what was chosen.
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
    """A group's choices, and what bears on them now.

    `seated`: how many people sit in its open lobby (the fullest, where topics have one each), so that many
    seats the rules must have. `is_playing`: a match is running, by the rules it began with.
    """

    chosen: GroupSettings
    rule_sets: tuple[RuleSet, ...] = ()
    seated: int = 0
    is_playing: bool = False

    @property
    def rules(self) -> Rules:
        """The rules chosen."""
        return self.chosen.table.rules

    def seats_all(self, rules: Rules) -> bool:
        """Would everybody in the lobby have a seat under these rules?"""
        return self.seated <= rules.max_seats


def value_code(value: object) -> str:
    """A setting's value as one word: `true`, `36`, `until_playable`."""
    return str(value).lower()


def with_value(rules: Rules, name: str, code: str) -> Rules:
    """The rules with this value of a setting that is a choice or a number. Raises BadRules."""
    setting = SETTINGS.get(name)
    if setting is None or setting.kind not in (SettingKind.CHOICE, SettingKind.NUMBER):
        raise BadRules(name, "there is no such choice")
    if setting.kind is SettingKind.NUMBER:
        value: object = int(code) if code.isdecimal() else code
    else:
        value = next((known for known in setting.values if value_code(known) == code), code)
    return _changed(rules, name, value)


def with_effect(rules: Rules, key: str, effect: str) -> Rules:
    """The rules in which a rank («K»), or a single card («KS»), does this. Raises BadRules.

    A rank's single cards that do something of their own go on doing it.
    """
    overrides = rules.to_document().get("effects", {})
    return _changed(rules, "effects", {**overrides, key: effect})


def with_transfer(rules: Rules, rank: str, allowed: bool) -> Rules:
    """The rules in which attacks of this rank can be passed on, or cannot. Raises BadRules."""
    others = [other for other in rules.transfer if other != rank]
    return _changed(rules, "transfer", [*others, rank] if allowed else others)


def _changed(rules: Rules, name: str, value: object) -> Rules:
    return Rules.from_document({**rules.to_document(), name: value})
