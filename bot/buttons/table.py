"""What a press on a table's own messages may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Card, Stamp


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a place at the table (in a running match: from the next deal on)."""

    table: str


@dataclass(frozen=True, slots=True)
class Stand:
    """Give up one's place in the lobby, or in the waiting list of a running match."""

    table: str


@dataclass(frozen=True, slots=True)
class HouseRules:
    """From the lobby: the settings for who may choose, the book of rules for everybody else."""

    table: str


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Deal the first round."""

    table: str


@dataclass(frozen=True, slots=True)
class Peek:
    """Show the presser his own hand in an alert."""

    table: str


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card; `suit` is what a wild orders."""

    table: str
    stamp: Stamp
    card: Card
    suit: int | None


@dataclass(frozen=True, slots=True)
class PickSuit:
    """Ask which suit a wild shall order; nothing is played yet."""

    table: str
    stamp: Stamp
    card: Card


@dataclass(frozen=True, slots=True)
class BackToHand:
    """From the choice of a suit back to the hand."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class PutAside:
    """Have a card laid when one's turn comes in this round; `suit` is what a wild orders."""

    table: str
    round: int
    card: Card
    suit: int | None


@dataclass(frozen=True, slots=True)
class PickAside:
    """Ask which suit a wild that is put aside shall order."""

    table: str
    round: int
    card: Card


@dataclass(frozen=True, slots=True)
class LeaveAside:
    """From the choice of that suit back to the hand."""

    table: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Have nothing laid after all."""

    table: str


@dataclass(frozen=True, slots=True)
class Take:
    """Draw, or take what an attack owes."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class PassTurn:
    """End the turn without laying a card."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why the other cards may not be laid."""

    table: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DealNext:
    """Deal the round after `round` without waiting for the clock."""

    table: str
    round: int


@dataclass(frozen=True, slots=True)
class CutDeck:
    """Cut the deck for the round after `round`: its first `at` cards go to the end."""

    table: str
    round: int
    at: int


@dataclass(frozen=True, slots=True)
class AskLeave:
    """Ask for the confirmation that leaving needs."""

    table: str


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Leave the match, confirmed by the one who was asked: anybody may press a button in a group."""

    table: str
    user_id: int


@dataclass(frozen=True, slots=True)
class StopMatch:
    """End the match for everybody, confirmed."""

    table: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Close the question that this person was asked, without doing anything."""

    user_id: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Open a new table with the people of this one."""

    table: str


@dataclass(frozen=True, slots=True)
class ShowScore:
    """Show the score sheet of a table."""

    table: str
