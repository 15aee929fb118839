"""The next shuffle before it is dealt: who leads after it, and who cuts the deck."""

from __future__ import annotations

from bot.tables.model import Table
from engine.shuffle import lead_and_deck


def cutter_of(table: Table) -> int:
    """Return the player who cuts the deck: the seat before the next leader's, among those still in."""
    assert table.match is not None
    seats = table.match.seats_in()
    leader, _ = lead_and_deck(table.next_seed, seats, table.match.leader, (), 0)
    return seats[seats.index(leader) - 1]
