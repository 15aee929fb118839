"""Button data ↔ intention.

The format is `<code>` followed by the intention's fields, joined by dots: `l.k3f9x2mq.3-14.QS.H`. Cards and
suits go by their codes, never by an index, so a button means the same card whatever has happened to the hand
since.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, get_type_hints

from bot.buttons.computers import (
    CloseComputers,
    Hint,
    Invite,
    OpenAlone,
    OpenComputers,
    PlayAlone,
    PlayByRules,
    SendOff,
)
from bot.buttons.menus import (
    AllowTransfer,
    AskDeleteRuleSet,
    ChooseCut,
    ChooseEditors,
    ChooseEffect,
    ChooseForcedMoves,
    ChooseHandOrder,
    ChooseHints,
    ChooseLook,
    ChoosePace,
    ChoosePreset,
    ChooseRule,
    ChooseSound,
    ChooseStandIn,
    ChooseTalk,
    ChooseTelling,
    CloseSettings,
    DeleteRuleSet,
    KeepWords,
    OpenLesson,
    OpenRuleSet,
    OpenSettings,
    ReadRules,
    SetLanguage,
    TellTable,
    TryCard,
    UseRuleSet,
)
from bot.buttons.people import (
    AnswerBell,
    Here,
    Hurry,
    Kick,
    LetBack,
    MoveTable,
    MuteBell,
    RingMe,
    VoteAgainst,
    VoteFor,
)
from bot.buttons.records import ChooseHidden, HideMe, ShowChart, TurnStats, TurnTop
from bot.buttons.table import (
    AskLeave,
    BackToHand,
    CutDeck,
    DealNext,
    Dismiss,
    HouseRules,
    Lay,
    LeaveAside,
    LeaveMatch,
    PassTurn,
    Peek,
    PickAside,
    PickSuit,
    PutAside,
    Rematch,
    ShowScore,
    Sit,
    Stand,
    StartMatch,
    StopMatch,
    Take,
    TakeBack,
    Why,
)
from engine import Stamp, card_code, parse_card, parse_suit, suit_code

MAX_BYTES = 64
"""Telegram's limit on `callback_data` (https://core.telegram.org/bots/api#inlinekeyboardbutton)."""

Intention = (
    Sit
    | Stand
    | StartMatch
    | Peek
    | Lay
    | PickSuit
    | BackToHand
    | Take
    | PassTurn
    | Why
    | TakeBack
    | LeaveAside
    | PickAside
    | PutAside
    | Here
    | Hurry
    | Kick
    | LetBack
    | VoteFor
    | VoteAgainst
    | RingMe
    | AnswerBell
    | MoveTable
    | MuteBell
    | OpenComputers
    | Invite
    | SendOff
    | CloseComputers
    | OpenAlone
    | PlayAlone
    | PlayByRules
    | Hint
    | ChooseStandIn
    | ChooseHints
    | ChooseTalk
    | DealNext
    | CutDeck
    | AskLeave
    | LeaveMatch
    | StopMatch
    | Dismiss
    | Rematch
    | ShowScore
    | ReadRules
    | SetLanguage
    | HouseRules
    | OpenSettings
    | ChooseRule
    | ChooseEffect
    | AllowTransfer
    | ChoosePreset
    | ChoosePace
    | ChooseCut
    | ChooseEditors
    | ChooseLook
    | OpenRuleSet
    | UseRuleSet
    | AskDeleteRuleSet
    | DeleteRuleSet
    | CloseSettings
    | ChooseSound
    | ChooseForcedMoves
    | ChooseHandOrder
    | ChooseHidden
    | ChooseTelling
    | TellTable
    | KeepWords
    | ShowChart
    | HideMe
    | TurnTop
    | TurnStats
    | OpenLesson
    | TryCard
)

_CODES: dict[str, type[Intention]] = {
    "s": Sit,
    "u": Stand,
    "d": StartMatch,
    "e": Peek,
    "l": Lay,
    "q": PickSuit,
    "b": BackToHand,
    "t": Take,
    "p": PassTurn,
    "w": Why,
    "ab": TakeBack,
    "al": LeaveAside,
    "aq": PickAside,
    "ap": PutAside,
    "m": Here,
    "y": Hurry,
    "pk": Kick,
    "pl": LetBack,
    "pf": VoteFor,
    "pa": VoteAgainst,
    "pb": RingMe,
    "pc": AnswerBell,
    "pm": MuteBell,
    "pg": MoveTable,
    "co": OpenComputers,
    "ci": Invite,
    "cs": SendOff,
    "cx": CloseComputers,
    "po": OpenAlone,
    "pp": PlayAlone,
    "pr": PlayByRules,
    "wh": Hint,
    "sd": ChooseStandIn,
    "sh": ChooseHints,
    "sa": ChooseTalk,
    "n": DealNext,
    "k": CutDeck,
    "a": AskLeave,
    "x": LeaveMatch,
    "z": StopMatch,
    "o": Dismiss,
    "r": Rematch,
    "c": ShowScore,
    "i": ReadRules,
    "g": SetLanguage,
    "h": HouseRules,
    "so": OpenSettings,
    "sr": ChooseRule,
    "se": ChooseEffect,
    "st": AllowTransfer,
    "sp": ChoosePreset,
    "sk": ChoosePace,
    "sc": ChooseCut,
    "sw": ChooseEditors,
    "sl": ChooseLook,
    "ro": OpenRuleSet,
    "ru": UseRuleSet,
    "ra": AskDeleteRuleSet,
    "rd": DeleteRuleSet,
    "sx": CloseSettings,
    "os": ChooseSound,
    "of": ChooseForcedMoves,
    "oh": ChooseHandOrder,
    "ov": ChooseHidden,
    "ot": ChooseTelling,
    "tt": TellTable,
    "tk": KeepWords,
    "vc": ShowChart,
    "vh": HideMe,
    "vt": TurnTop,
    "vs": TurnStats,
    "lo": OpenLesson,
    "lt": TryCard,
}
_CODE_OF = {kind: code for code, kind in _CODES.items()}

_WORD = re.compile(r"[A-Za-z0-9_]{0,32}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")
_STAMP = re.compile(r"(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,5})")


def _parse_word(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise ValueError(text)
    return text


def _parse_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _parse_flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(text)
    return text == "1"


def _parse_stamp(text: str) -> Stamp:
    match = _STAMP.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return Stamp(int(match[1]), int(match[2]))


def _parse_optional_suit(text: str) -> int | None:
    return None if text == "" else parse_suit(text)


def _optional_suit_code(suit: int | None) -> str:
    return "" if suit is None else suit_code(suit)


@dataclass(frozen=True, slots=True)
class _Field:
    dump: Callable[[Any], str]
    parse: Callable[[str], Any]


_CARD = _Field(card_code, parse_card)
_SUIT = _Field(_optional_suit_code, _parse_optional_suit)
_FIELDS_BY_TYPE: dict[Any, _Field] = {
    str: _Field(str, _parse_word),
    int: _Field(str, _parse_number),
    bool: _Field(lambda flag: "1" if flag else "0", _parse_flag),
    Stamp: _Field(lambda stamp: f"{stamp.round}-{stamp.move}", _parse_stamp),
}


def _layout(kind: type[Intention]) -> tuple[tuple[str, _Field], ...]:
    hints = get_type_hints(kind)
    by_name = {"card": _CARD, "suit": _SUIT}
    return tuple(
        (field.name, by_name.get(field.name) or _FIELDS_BY_TYPE[hints[field.name]]) for field in fields(kind)
    )


_LAYOUTS = {kind: _layout(kind) for kind in _CODE_OF}


def encode(intention: Intention) -> str:
    """The `callback_data` for a button.

    Raises ValueError if it would not come back as the same intention, or is longer than Telegram allows.
    """
    kind = type(intention)
    parts = [field.dump(getattr(intention, name)) for name, field in _LAYOUTS[kind]]
    data = ".".join([_CODE_OF[kind], *parts])
    if len(data.encode()) > MAX_BYTES or decode(data) != intention:
        raise ValueError(f"not encodable as callback data: {intention!r}")
    return data


def decode(data: str) -> Intention | None:
    """The intention behind a button's data, or None for data that no button of ours carries."""
    code, *parts = data.split(".")
    kind = _CODES.get(code)
    if kind is None or len(data.encode(errors="replace")) > MAX_BYTES:
        return None
    layout = _LAYOUTS[kind]
    if len(parts) != len(layout):
        return None
    try:
        values = {name: field.parse(part) for (name, field), part in zip(layout, parts, strict=True)}
    except ValueError:
        return None
    return kind(**values)
