"""What a press under an answer to a command may ask for: books and menus, which belong to a chat."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from bot.settings import CHOICES, Value
from engine import Card


@button("i", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ReadRules(CallbackData):
    """Open a chapter of the rules: the table's own, or the chat's where `table` is empty."""

    chapter: str
    table: str


@button("g")
@dataclass(frozen=True, slots=True)
class SetLanguage(CallbackData):
    """Choose the language of the chat (in a group) or one's own (in private)."""

    language: str


# --------------------------------------------------------------------------------------- a group's settings


@button("so")
@dataclass(frozen=True, slots=True)
class OpenSettings(CallbackData):
    """Turn to a page of the group's settings; the first where `page` is empty."""

    page: str


@button("sr")
@dataclass(frozen=True, slots=True)
class ChooseRule(CallbackData):
    """Give a setting of the rules a value, both as words."""

    setting: str
    value: str


@button("se")
@dataclass(frozen=True, slots=True)
class ChooseEffect(CallbackData):
    """Let a rank («K») or a single card («KS») do this."""

    key: str
    effect: str


@button("st")
@dataclass(frozen=True, slots=True)
class AllowTransfer(CallbackData):
    """Let attacks of a rank be passed on, or not."""

    rank: str
    allowed: bool


@button("sp")
@dataclass(frozen=True, slots=True)
class ChoosePreset(CallbackData):
    """Take over a preset, without any change to it."""

    preset: str


@button([choice.code for choice in CHOICES.values()])
@dataclass(frozen=True, slots=True)
class Choose(CallbackData):
    """Choose a value: for oneself in private, for the group and its tables in a group.

    `setting`: the name of a `Choice`, which has a code of its own.
    """

    setting: str
    value: Value


@button("ro")
@dataclass(frozen=True, slots=True)
class OpenRuleSet(CallbackData):
    """Look at rules saved under a name; `token` stands for them."""

    token: str


@button("ru")
@dataclass(frozen=True, slots=True)
class UseRuleSet(CallbackData):
    """Take over saved rules."""

    token: str


@button("ra")
@dataclass(frozen=True, slots=True)
class AskDeleteRuleSet(CallbackData):
    """Ask for the confirmation that deleting saved rules needs."""

    token: str


@button("rd")
@dataclass(frozen=True, slots=True)
class DeleteRuleSet(CallbackData):
    """Delete saved rules, confirmed."""

    token: str


@button("sx")
@dataclass(frozen=True, slots=True)
class CloseSettings(CallbackData):
    """Put the menu away."""


# --------------------------------------------------------------------------------------- the first evening


@button("lo")
@dataclass(frozen=True, slots=True)
class OpenLesson(CallbackData):
    """Turn to a page of the first lesson."""

    page: str


@button("lt")
@dataclass(frozen=True, slots=True)
class TryCard(CallbackData):
    """Lay a card in a step of the trial hand; a wild without a suit asks for one."""

    step: int
    card: Card
    suit: int | None


# ---------------------------------------------------------------------- what somebody has written in private


@button("tt", Where.QUESTION)
@dataclass(frozen=True, slots=True)
class TellTable(CallbackData):
    """Tell a table what stands in this message; `always`: and whatever comes after it, without a question."""

    table: str
    message_id: int
    always: bool


@button("tk")
@dataclass(frozen=True, slots=True)
class KeepWords(CallbackData):
    """Tell nobody what stands in this message; `always`: nor whatever comes after it."""

    message_id: int
    always: bool
