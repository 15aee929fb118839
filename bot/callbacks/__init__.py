"""Button data ↔ intention: what a press means, in at most 64 bytes.

Screens encode, handlers decode; nobody else knows the format. The data comes back from clients, so it can be
forged: `decode` answers None for anything `encode` would not have written, and a decoded intention says only
what somebody *asks* for, never that he may.
"""

from bot.callbacks.codec import MAX_BYTES, Intention, decode, encode
from bot.callbacks.menus import ReadRules, SetLanguage
from bot.callbacks.people import Here, Hurry
from bot.callbacks.table import (
    AskLeave,
    BackToHand,
    CutDeck,
    DealNext,
    Dismiss,
    Lay,
    LeaveMatch,
    PassTurn,
    Peek,
    PickSuit,
    Rematch,
    ShowScore,
    Sit,
    Stamp,
    Stand,
    StartMatch,
    StopMatch,
    Take,
    Why,
)

__all__ = [
    "MAX_BYTES",
    "AskLeave",
    "BackToHand",
    "CutDeck",
    "DealNext",
    "Dismiss",
    "Here",
    "Hurry",
    "Intention",
    "Lay",
    "LeaveMatch",
    "PassTurn",
    "Peek",
    "PickSuit",
    "ReadRules",
    "Rematch",
    "SetLanguage",
    "ShowScore",
    "Sit",
    "Stamp",
    "Stand",
    "StartMatch",
    "StopMatch",
    "Take",
    "Why",
    "decode",
    "encode",
]
