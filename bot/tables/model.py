"""The state of a table: seats, match, this round's events, and what the clock waits for.

Immutable, and free of Telegram, SQL and time: `transitions` makes new tables from old ones, `codec` writes
them down, `service` decides when. Only `tables` and `storage` ever see a `Table`, since it holds everybody's
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

    In the lobby `players` are who has sat down, in that order. From the first deal on `players[i]` holds the
    match's seat `i`, for good: leaving keeps the entry, joining appends one. `waiting` are those who sat
    down in mid-match and get their seats just before the next deal, or would have got them. `history` is what
    happened in the round that runs or ran last: the events of each move; `rounds` are the finished rounds,
    and `dealt[n - 1]` the seats that round n was dealt to, the running one included; `finishes` are the cards
    that won the finished rounds, None where nobody has won. `next_seed` is the secret of the next shuffle,
    drawn long before it is needed, so that its commitment can be out before anybody acts.

    `waited_since` (unix seconds): since when the player to move has been waited for, or has last been hurried
    on; `recalls`: how often that player was called again, by a reminder or a nudge. `banished`: the bot is
    not in the group any more. `host_silent`: the lobby's host has long done nothing. `vote` is the
    open vote, or the last one there was. `premoves` are the cards put aside, `talk` the last thing that each
    has said, the newest last. `removed` are the people who were asked to leave, and have not been let back.
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
        """The seat (or the place in the lobby) this person has or had; None for a stranger."""
        for seat, player in enumerate(self.players):
            if player.user_id == user_id:
                return seat
        return None

    @property
    def turn_ends(self) -> float | None:
        """When the player to move runs out of time (unix seconds); None while no clock runs."""
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
        """Is this a solo table, in the private chat of the one person who plays there?"""
        return self.chat_id > 0

    @property
    def is_deserted(self) -> bool:
        """Are all people away who are still in, and does nobody wait for the next deal?

        Where none is in, since all are out, the computers play on.
        """
        if self.match is None or _has_people(self.waiting):
            return False
        people = self.people_in()
        return bool(people) and all(player.is_away for player in people)

    @property
    def is_abandoned(self) -> bool:
        """Are there only computers left, all people having gone by themselves?"""
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
        """Who of those at the table, the waiting included, has this id."""
        return next((it for it in (*self.players, *self.waiting) if it.user_id == user_id), None)

    def removed_player(self, user_id: int) -> Player | None:
        """Who of those that were asked to leave has this id."""
        return next((it for it in self.removed if it.user_id == user_id), None)

    def premove_of(self, user_id: int) -> Premove | None:
        """What this person has put aside."""
        return next((premove for premove in self.premoves if premove.user_id == user_id), None)

    def moment_of_talk(self) -> tuple[int, int]:
        """When in the match it is: in which round, or before which one, after how many of its turn moves."""
        if self.match is None:
            return 1, 0
        if self.match.round is None:
            return self.match.number + 1, 0
        return self.match.number, self.match.round.counters.moves

    @property
    def heard(self) -> Said | None:
        """What was said last, until everybody has moved once more."""
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
        """May this person start the match? The host may, and while the host is silent anybody seated."""
        return user_id == self.host or (self.host_silent and self.seat_of(user_id) is not None)

    def is_in(self, user_id: int) -> bool:
        """Is this person seated in the lobby, or still in the match?"""
        seat = self.seat_of(user_id)
        if seat is None:
            return False
        return self.match is None or self.match.seats[seat].status is Status.IN

    def electorate(self, target: Player | None) -> frozenset[int]:
        """User ids of the people who may vote: all who are in, even if away, except the one it concerns."""
        concerned = None if target is None else target.user_id
        return frozenset(
            player.user_id
            for player in self.players
            if self.is_in(player.user_id) and not player.is_computer and player.user_id != concerned
        )

    def with_misses(self, seat: int, misses: int) -> Table:
        """The same table, with so many turns in a row missed by this seat's player."""
        player = replace(self.players[seat], misses=misses)
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def is_waiting(self, user_id: int) -> bool:
        """Has this person sat down for the next deal?"""
        return any(player.user_id == user_id for player in self.waiting)


def _has_people(players: tuple[Player, ...]) -> bool:
    return any(not player.is_computer for player in players)
