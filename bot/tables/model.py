"""The state of a table: seats, match, this round's events, and what the clock waits for.

Immutable, and free of Telegram, SQL and time: `transitions` makes new tables from old ones, `codec`
serializes them, `service` decides when. Only `tables` and `storage` see a `Table`, since it holds everybody's
cards; everybody else gets a `TableView`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bot.settings import TableSettings
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.player import Player
from bot.tables.table_talk import Premove, Said
from bot.tables.vote import Vote
from engine import Card, Event, Match, RoundResult, Status


@dataclass(frozen=True, slots=True)
class Table:
    """One table, from its lobby to the end of its match.

    In the lobby `players` are the seated people in order. From the first deal on `players[i]` holds the
    match's seat `i`, for good: leaving keeps the entry, joining appends one. `waiting` are those who sat down
    in mid-match and get their seats just before the next deal. `history` are the events of each move in the
    current or last round; `rounds` are the finished rounds, and `dealt[n - 1]` the seats that were dealt to
    in round n, including the current one; `finishes` are the cards that won the finished rounds, None where
    nobody won. `next_seed` is the secret of the next shuffle, drawn long before it is needed, so that its
    commitment can be published before anybody acts.

    `waited_since` (unix seconds): since when the table has waited for the player to move, or when it last
    nudged them; `recalls`: how often that player was notified again, by a reminder or a nudge. `banished`:
    the bot is not in the group any more. `host_silent`: the lobby's host has not acted for long. `vote` is
    the open vote, or the last one. `premoves` are the premoves, `talk` the last thing that each person has
    said, the newest last. `removed` are the people who were asked to leave and have not been let back.
    """

    id: str
    chat_id: int
    thread_id: int
    phase: TablePhase
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
    waited_since: float | None = None
    recalls: int = 0
    banished: bool = False
    vote: Vote | None = None
    premoves: tuple[Premove, ...] = ()
    talk: tuple[Said, ...] = ()
    finishes: tuple[Card | None, ...] = ()
    host_silent: bool = False
    removed: tuple[Player, ...] = ()

    def seat_of(self, user_id: int) -> int | None:
        """Return the seat (or the place in the lobby) this person has or had; None for a stranger."""
        for seat, player in enumerate(self.players):
            if player.user_id == user_id:
                return seat
        return None

    @property
    def turn_ends(self) -> float | None:
        """When the time of the player to move is up (unix seconds); None while no clock runs."""
        if self.deadline is None or self.settings.turn_seconds is None:
            return None
        match self.deadline.kind:
            case DeadlineKind.TURN:
                return self.deadline.at
            case DeadlineKind.REMINDER:
                return self.deadline.at + self.settings.turn_seconds / 2
            case _:
                return None

    @property
    def is_solo(self) -> bool:
        """True if this is a solo table, in the private chat of its one person."""
        return self.chat_id > 0

    @property
    def is_deserted(self) -> bool:
        """True if all people still in are away, and nobody waits for the next deal.

        If no person is in, since all are out, the computers play on.
        """
        if self.match is None or _has_people(self.waiting):
            return False
        people = self.people_in()
        return bool(people) and all(player.is_away for player in people)

    @property
    def is_abandoned(self) -> bool:
        """True if only computers are left, because all people have left by themselves."""
        if self.match is None:
            return not _has_people(self.players)
        return not _has_people(self.waiting) and all(
            seat.status is Status.LEFT
            for seat, player in zip(self.match.seats, self.players, strict=False)
            if not player.is_computer
        )

    def people_in(self) -> tuple[Player, ...]:
        """The people who are still in the match."""
        if self.match is None:
            return ()
        there = (self.players[seat] for seat in self.match.seats_in())
        return tuple(player for player in there if not player.is_computer)

    def player(self, user_id: int) -> Player | None:
        """Return the person with this id among those at the table, the waiting included."""
        return next((it for it in (*self.players, *self.waiting) if it.user_id == user_id), None)

    def removed_player(self, user_id: int) -> Player | None:
        """Return the person with this id among those who were asked to leave."""
        return next((it for it in self.removed if it.user_id == user_id), None)

    def premove_of(self, user_id: int) -> Premove | None:
        """Return this person's premove."""
        return next((premove for premove in self.premoves if premove.user_id == user_id), None)

    def moment_of_talk(self) -> tuple[int, int]:
        """The position in the match for table talk: the current or coming round, and its number of turn
        moves.
        """
        if self.match is None:
            return 1, 0
        if self.match.round is None:
            return self.match.number + 1, 0
        return self.match.number, self.match.round.counters.moves

    @property
    def heard(self) -> Said | None:
        """The last message to the table, until everybody has moved once more."""
        if not self.talk:
            return None
        said, (number, move) = self.talk[-1], self.moment_of_talk()
        between = self.match is None or self.match.round is None
        fresh_moves = 0 if self.match is None else len(self.match.seats_in())
        is_fresh = said.round == number and move - said.move <= fresh_moves
        return said if is_fresh or (between and said.round == number - 1) else None

    @property
    def host_name(self) -> str:
        """The host's name; empty where that person is not at the table any more."""
        host = self.player(self.host)
        return "" if host is None else host.name

    def may_deal_first(self, user_id: int) -> bool:
        """Return whether this person may start the match: the host, or anyone while the host is silent."""
        return user_id == self.host or (self.host_silent and self.seat_of(user_id) is not None)

    def is_in(self, user_id: int) -> bool:
        """Return whether this person is seated in the lobby, or still in the match."""
        seat = self.seat_of(user_id)
        if seat is None:
            return False
        return self.match is None or self.match.seats[seat].status is Status.IN

    def electorate(self, target: Player | None) -> frozenset[int]:
        """Return the user ids of the people who may vote: all who are in, even if away, except the one it
        concerns.
        """
        concerned = None if target is None else target.user_id
        return frozenset(
            player.user_id
            for player in self.players
            if self.is_in(player.user_id) and not player.is_computer and player.user_id != concerned
        )

    def with_misses(self, seat: int, misses: int) -> Table:
        """Return the same table with so many consecutive misses of this seat's player."""
        player = replace(self.players[seat], misses=misses)
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def is_waiting(self, user_id: int) -> bool:
        """Return whether this person has sat down for the next deal."""
        return any(player.user_id == user_id for player in self.waiting)


def _has_people(players: tuple[Player, ...]) -> bool:
    return any(not player.is_computer for player in players)
