"""Buttons of rules, settings, lessons and questions, which belong to a chat rather than to a table."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from bot.settings import CHOICES, Value
from engine import Card


@button("i", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ReadRules(CallbackData):
    """Open a chapter of the rules: the table's, or the chat's if `table` is empty."""

    chapter: str
    table: str


@button("g")
@dataclass(frozen=True, slots=True)
class SetLanguage(CallbackData):
    """Set the language of the group, or the presser's own in private."""

    language: str


# --------------------------------------------------------------------------------------- a group's settings


@button("so")
@dataclass(frozen=True, slots=True)
class OpenSettings(CallbackData):
    """Open a page of the group's settings; the first if `page` is empty."""

    page: str


@button("sr")
@dataclass(frozen=True, slots=True)
class ChooseRule(CallbackData):
    """Set a rule to a value, both by name."""

    setting: str
    value: str


@button("se")
@dataclass(frozen=True, slots=True)
class ChooseEffect(CallbackData):
    """Give a rank ("K") or a single card ("KS") this effect."""

    key: str
    effect: str


@button("st")
@dataclass(frozen=True, slots=True)
class AllowTransfer(CallbackData):
    """Allow attacks of this rank to be passed on, or forbid it."""

    rank: str
    allowed: bool


@button("sp")
@dataclass(frozen=True, slots=True)
class ChoosePreset(CallbackData):
    """Play by an unmodified preset."""

    preset: str


@button([choice.code for choice in CHOICES.values()])
@dataclass(frozen=True, slots=True)
class Choose(CallbackData):
    """Set a setting to a value: the presser's own in private, the group's in a group.

    `setting` is the name of a `bot.settings.Choice`, which has its own code.
    """

    setting: str
    value: Value


@button("ro")
@dataclass(frozen=True, slots=True)
class OpenRuleSet(CallbackData):
    """Open the page of the saved rules with this token."""

    token: str


@button("ru")
@dataclass(frozen=True, slots=True)
class UseRuleSet(CallbackData):
    """Play by saved rules."""

    token: str


@button("ra")
@dataclass(frozen=True, slots=True)
class AskDeleteRuleSet(CallbackData):
    """Ask for confirmation before saved rules are deleted."""

    token: str


@button("rd")
@dataclass(frozen=True, slots=True)
class DeleteRuleSet(CallbackData):
    """Delete saved rules: the confirmation."""

    token: str


@button("sx")
@dataclass(frozen=True, slots=True)
class CloseSettings(CallbackData):
    """Close the menu."""


# ------------------------------------------------------------------------------------------- the first lesson


@button("lo")
@dataclass(frozen=True, slots=True)
class OpenLesson(CallbackData):
    """Open a page of the first lesson."""

    page: str


@button("lt")
@dataclass(frozen=True, slots=True)
class TryCard(CallbackData):
    """Play a card in a step of the tutorial hand; a wild without a suit asks for one."""

    step: int
    card: Card
    suit: int | None


# ------------------------------------------------------------------------------------------------ table talk


@button("tt", Where.QUESTION)
@dataclass(frozen=True, slots=True)
class TellTable(CallbackData):
    """Post this private message at a table; `always`: post later ones as well, without asking."""

    table: str
    message_id: int
    always: bool


@button("tk")
@dataclass(frozen=True, slots=True)
class KeepWords(CallbackData):
    """Do not post this private message; `always`: nor later ones."""

    message_id: int
    always: bool
