"""What a press on a table's own messages may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from bot.buttons.declare import CallbackData, Where, button
from engine import Card, Stamp


@button("s", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Sit(CallbackData):
    """Take a place at the table (in a running match: from the next deal on)."""

    table: str


@button("u", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Stand(CallbackData):
    """Give up one's place in the lobby, or in the waiting list of a running match."""

    table: str


@button("h", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class HouseRules(CallbackData):
    """From the lobby: the settings for who may choose, the book of rules for everybody else."""

    table: str


@button("d", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class StartMatch(CallbackData):
    """Deal the first round."""

    table: str


@button("e", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Peek(CallbackData):
    """Show the presser his own hand in an alert."""

    table: str


@button("l", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Lay(CallbackData):
    """Lay a card; `suit` is what a wild orders."""

    table: str
    stamp: Stamp
    card: Card
    suit: int | None


@button("q", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PickSuit(CallbackData):
    """Ask which suit a wild shall order; nothing is played yet."""

    table: str
    stamp: Stamp
    card: Card


@button("b", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class BackToHand(CallbackData):
    """From the choice of a suit back to the hand."""

    table: str
    stamp: Stamp


@button("ap", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class SetPremove(CallbackData):
    """Have a card laid when one's turn comes in this round; `suit` is what a wild orders."""

    table: str
    round: int
    card: Card
    suit: int | None


@button("aq", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PickPremoveSuit(CallbackData):
    """Ask which suit a wild that is put aside shall order."""

    table: str
    round: int
    card: Card


@button("al", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class LeavePremoveSuit(CallbackData):
    """From the choice of that suit back to the hand."""

    table: str


@button("ab", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class CancelPremove(CallbackData):
    """Have nothing laid after all."""

    table: str


@button("t", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class Take(CallbackData):
    """Draw, or take what an attack owes."""

    table: str
    stamp: Stamp


@button("p", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class PassTurn(CallbackData):
    """End the turn without laying a card."""

    table: str
    stamp: Stamp


@button("w", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class ExplainRefusal(CallbackData):
    """Ask why the other cards may not be laid."""

    table: str
    stamp: Stamp


@button("n", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class DealNext(CallbackData):
    """Deal the round after `round` without waiting for the clock."""

    table: str
    round: int


@button("k", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class CutDeck(CallbackData):
    """Cut the deck for the round after `round`: its first `at` cards go to the end."""

    table: str
    round: int
    at: int


@button("a", Where.TABLE_MESSAGE)
@dataclass(frozen=True, slots=True)
class AskLeave(CallbackData):
    """Ask for the confirmation that leaving needs."""

    table: str


@button("x", Where.QUESTION)
@dataclass(frozen=True, slots=True)
class LeaveMatch(CallbackData):
    """Leave the match, confirmed by the one who was asked: anybody may press a button in a group."""

    table: str
    user_id: int


@button("z", Where.QUESTION | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class StopMatch(CallbackData):
    """End the match for everybody, confirmed."""

    table: str


@button("o")
@dataclass(frozen=True, slots=True)
class Dismiss(CallbackData):
    """Close the question that this person was asked, without doing anything."""

    user_id: int


@button("r", Where.TABLE_MESSAGE | Where.TABLE_CHAT)
@dataclass(frozen=True, slots=True)
class Rematch(CallbackData):
    """Open a new table with the people of this one."""

    table: str


@button("c", Where.TABLE_CHAT_OR_PLAYER)
@dataclass(frozen=True, slots=True)
class ShowScore(CallbackData):
    """Show the score sheet of a table."""

    table: str
