"""What a press under an answer to a command may ask for: books and menus, which belong to a chat."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Card


@dataclass(frozen=True, slots=True)
class ReadRules:
    """Open a chapter of the rules: the table's own, or the chat's where `table` is empty."""

    chapter: str
    table: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Choose the language of the chat (in a group) or one's own (in private)."""

    language: str


# --------------------------------------------------------------------------------------- a group's settings


@dataclass(frozen=True, slots=True)
class OpenSettings:
    """Turn to a page of the group's settings; the first where `page` is empty."""

    page: str


@dataclass(frozen=True, slots=True)
class ChooseRule:
    """Give a setting of the rules a value, both as words."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class ChooseEffect:
    """Let a rank («K») or a single card («KS») do this."""

    key: str
    effect: str


@dataclass(frozen=True, slots=True)
class AllowTransfer:
    """Let attacks of a rank be passed on, or not."""

    rank: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class ChoosePreset:
    """Take over a preset, without any change to it."""

    preset: str


@dataclass(frozen=True, slots=True)
class ChoosePace:
    """Give every turn so many seconds; 0: no clock."""

    seconds: int


@dataclass(frozen=True, slots=True)
class ChooseCut:
    """Let the deck be cut, or not."""

    cut: bool


@dataclass(frozen=True, slots=True)
class ChooseTalk:
    """Have what players write to the bot told at the table, or not."""

    talk: bool


@dataclass(frozen=True, slots=True)
class ChooseLook:
    """Say how the group sees its tables."""

    look: str


@dataclass(frozen=True, slots=True)
class ChooseStandIn:
    """Have a computer player move for those who are away, or have the least move made."""

    stand_in: bool


@dataclass(frozen=True, slots=True)
class ChooseHints:
    """Have hints given to those who ask for them, or not."""

    hints: bool


@dataclass(frozen=True, slots=True)
class ChooseEditors:
    """Say who may choose for the group."""

    editors: str


@dataclass(frozen=True, slots=True)
class OpenRuleSet:
    """Look at rules saved under a name; `token` stands for them."""

    token: str


@dataclass(frozen=True, slots=True)
class UseRuleSet:
    """Take over saved rules."""

    token: str


@dataclass(frozen=True, slots=True)
class AskDeleteRuleSet:
    """Ask for the confirmation that deleting saved rules needs."""

    token: str


@dataclass(frozen=True, slots=True)
class DeleteRuleSet:
    """Delete saved rules, confirmed."""

    token: str


@dataclass(frozen=True, slots=True)
class CloseSettings:
    """Put the menu away."""


# ------------------------------------------------------------------------------------------ one's own ones


@dataclass(frozen=True, slots=True)
class ChooseSound:
    """Let one's turns ring, or not."""

    sound: bool


@dataclass(frozen=True, slots=True)
class ChooseForcedMoves:
    """Let moves that leave nothing to decide be made for oneself, or not."""

    made: bool


@dataclass(frozen=True, slots=True)
class ChooseHandOrder:
    """Have one's cards sorted so."""

    order: str


# --------------------------------------------------------------------------------------- the first evening


@dataclass(frozen=True, slots=True)
class OpenLesson:
    """Turn to a page of the first lesson."""

    page: str


@dataclass(frozen=True, slots=True)
class TryCard:
    """Lay a card in a step of the trial hand; a wild without a suit asks for one."""

    step: int
    card: Card
    suit: int | None


# ---------------------------------------------------------------------- what somebody has written in private


@dataclass(frozen=True, slots=True)
class ChooseTelling:
    """Have one's private words told at the table, kept, or asked about each time."""

    telling: str


@dataclass(frozen=True, slots=True)
class TellTable:
    """Tell a table what stands in this message; `always`: and whatever comes after it, without a question."""

    table: str
    message_id: int
    always: bool


@dataclass(frozen=True, slots=True)
class KeepWords:
    """Tell nobody what stands in this message; `always`: nor whatever comes after it."""

    message_id: int
    always: bool
