"""What a table is: who sits where, the match, what happened in this round, what the clock waits for.

Immutable, and free of Telegram, SQL and time: `transitions` makes new tables from old ones, `codec` writes
them down, `service` decides when. Only `tables` and `storage` ever see a `Table`, since it holds everybody's
cards; everybody else gets a `TableView`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.tables.lifecycle import Deadline, Ending, Phase
from bot.tables.player import Player
from bot.tables.settings import TableSettings
from engine import Event, Match, RoundResult


@dataclass(frozen=True, slots=True)
class Table:
    """One table, from its lobby to the end of its match.

    In the lobby `players` are who has sat down, in that order. From the first deal on `players[i]` holds the
    match's seat `i`, for good: who leaves keeps his entry, who joins is appended. `waiting` are those who sat
    down in mid-match and get their seats just before the next deal. `history` is what happened in the round
    that runs or ran last: the events of each move; `rounds` are the finished rounds, and `dealt[n - 1]` the
    seats that round n was dealt to, the running one included. `next_seed` is the secret of the next shuffle,
    drawn long before it is needed, so that its commitment can be out before anybody acts.
    """

    id: str
    chat_id: int
    thread_id: int
    phase: Phase
    host: int
    settings: TableSettings
    players: tuple[Player, ...]
    waiting: tuple[Player, ...]
    match: Match | None
    history: tuple[tuple[Event, ...], ...]
    rounds: tuple[RoundResult, ...]
    dealt: tuple[tuple[int, ...], ...]
    next_seed: bytes = field(repr=False)
    deadline: Deadline | None
    created_at: float
    started_at: float | None
    ended_at: float | None
    ending: Ending | None
    rematched: bool
    revision: int

    def seat_of(self, user_id: int) -> int | None:
        """The seat (or the place in the lobby) this person has or had; None for a stranger."""
        for seat, player in enumerate(self.players):
            if player.user_id == user_id:
                return seat
        return None

    def is_waiting(self, user_id: int) -> bool:
        """Has this person sat down for the next deal?"""
        return any(player.user_id == user_id for player in self.waiting)
