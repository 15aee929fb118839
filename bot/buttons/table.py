"""Buttons of a table's own messages: the lobby, the board and the hands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from engine import Card, Stamp


@button("s", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Sit(CallbackData):
    """Take a seat at the table; in a running match, from the next deal on."""

    table: str


@button("u", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Stand(CallbackData):
    """Give up a seat in the lobby, or a place on the waiting list of a running match."""

    table: str


@button("h", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class HouseRules(CallbackData):
    """Open the settings if the presser may change them, otherwise the rules."""

    table: str


@button("d", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class StartMatch(CallbackData):
    """Deal the first round."""

    table: str


@button("e", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Peek(CallbackData):
    """Show the presser's own hand in an alert."""

    table: str


@button("l", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Lay(CallbackData):
    """Play a card; `suit` is the one that a wild orders."""

    table: str
    stamp: Stamp
    card: Card
    suit: int | None


@button("q", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PickSuit(CallbackData):
    """Open the choice of a suit for a wild; nothing is played yet."""

    table: str
    stamp: Stamp
    card: Card


@button("b", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class BackToHand(CallbackData):
    """Return from the choice of a suit to the hand."""

    table: str
    stamp: Stamp


@button("ap", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class SetPremove(CallbackData):
    """Set the card to play on the presser's next turn in this round; `suit` is what a wild orders."""

    table: str
    round: int
    card: Card
    suit: int | None


@button("aq", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PickPremoveSuit(CallbackData):
    """Open the choice of a suit for a wild as a premove."""

    table: str
    round: int
    card: Card


@button("al", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class LeavePremoveSuit(CallbackData):
    """Return from the choice of a premove's suit to the hand."""

    table: str


@button("ab", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class CancelPremove(CallbackData):
    """Cancel the premove."""

    table: str


@button("t", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Take(CallbackData):
    """Draw, or take the cards that an attack imposes."""

    table: str
    stamp: Stamp


@button("p", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PassTurn(CallbackData):
    """End the turn without playing a card."""

    table: str
    stamp: Stamp


@button("w", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class ExplainRefusal(CallbackData):
    """Show why the other cards may not be played."""

    table: str
    stamp: Stamp


@button("n", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class DealNext(CallbackData):
    """Deal the round after `round` before its deadline."""

    table: str
    round: int


@button("k", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class CutDeck(CallbackData):
    """Cut the deck for the round after `round`: the first `at` cards go to the end."""

    table: str
    round: int
    at: int


@button("a", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class AskLeave(CallbackData):
    """Ask for confirmation before leaving."""

    table: str


@button("x", Where.QUESTION)
@dataclass(frozen=True, slots=True)
class LeaveMatch(CallbackData):
    """Leave the match: the confirmation, which only `user_id` may give."""

    table: str
    user_id: int


@button("z", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class StopMatch(CallbackData):
    """End the match for everybody: the confirmation."""

    table: str


@button("o")
@dataclass(frozen=True, slots=True)
class Dismiss(CallbackData):
    """Close the question that this person was asked, and do nothing else."""

    user_id: int


@button("r", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Rematch(CallbackData):
    """Open a new table with the players of this one."""

    table: str


@button("c", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ShowScore(CallbackData):
    """Show the score sheet of a table."""

    table: str
