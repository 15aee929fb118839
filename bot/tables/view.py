"""One person's view of a table: the engine's view of the match, with names, pace and waiting list.

Screens, pictures and computer players get a `TableView` and nothing else. It is built field by field, so that
a new secret of `Table` stays hidden until somebody exposes it here.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, TablePhase
from bot.tables.model import Table
from bot.tables.player import Player
from bot.tables.shuffling import cutter_of
from bot.tables.table_talk import Premove, Said
from bot.tables.vote import Verdict, Vote, ayes_needed
from engine import Card, RoundResult, Rules, Status, View, view_for
from engine.players import Level
from engine.shuffle import commitment


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player at the table as everybody sees them.

    `seat` is None before the first deal and in the waiting list.
    """

    user_id: int
    name: str
    is_host: bool
    seat: int | None
    status: Status | None
    total: int
    cards: int
    is_away: bool = False
    level: Level | None = None
    """The level of a computer player; None for a person."""


@dataclass(frozen=True, slots=True)
class VoteView:
    """The table's open vote, or its last one; see `Vote`. `needed` is the number of ayes it takes.

    `awaited` are the names of those who are away and have not voted.
    """

    number: int
    target: str | None
    caller: str
    ayes: int
    noes: int
    needed: int
    closes_at: float | None
    verdict: Verdict | None
    awaited: tuple[str, ...] = ()
    returns: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as one person sees it.

    `players` are in seat order (in the lobby: in the order of sitting down), with those who are out or have
    left. `you` is the viewer's seat, None in the lobby, for strangers and people waiting. `forced`: the
    player to move has nothing to decide, and the bot makes the move at the deadline. `topic` is the name of
    its forum topic, empty if there is none. `finishes` are the cards that won the rounds, None for a round
    without a winner. `turn_ends` is when the time of the player to move is up (unix seconds), None while no
    clock runs; `recalls` how often that player has been notified again in this turn, by a reminder or a
    nudge. `next_commitment` is that of the next shuffle, while nothing is dealt; `cutter` the seat that is
    asked to cut the deck. `banished`: the bot is not in the group any more. `premove` is the viewer's own;
    `said` what was said last, while it is fresh. `is_solo`: the table is in the private chat of its one
    person. `hints`: the player to move may ask for one. `host_silent`: the lobby's host has been silent for
    so long that anybody seated may deal.
    """

    id: str
    chat_title: str
    topic: str
    phase: TablePhase
    rules: Rules
    turn_seconds: int | None
    cut: bool
    players: tuple[PlayerView, ...]
    waiting: tuple[PlayerView, ...]
    host_name: str
    you: int | None
    game: View | None
    rounds: tuple[RoundResult, ...]
    dealt: tuple[tuple[int, ...], ...]
    finishes: tuple[Card | None, ...]
    next_commitment: str | None
    cutter: int | None
    deadline: Deadline | None
    forced: bool
    turn_ends: float | None
    recalls: int
    banished: bool
    vote: VoteView | None
    premove: Premove | None
    said: Said | None
    created_at: float
    started_at: float | None
    ended_at: float | None
    ending: Ending | None
    rematched: bool
    is_solo: bool = False
    hints: bool = False
    removed: tuple[tuple[int, str], ...] = ()
    """The ids and names of those who were asked to leave and have not been let back."""
    host_silent: bool = False

    @property
    def is_full(self) -> bool:
        """True if every seat is taken, or promised to somebody who waits for the next deal."""
        there = sum(player.status in (None, Status.IN) for player in self.players)
        return there + len(self.waiting) >= self.rules.max_seats

    @property
    def is_ended_by_vote(self) -> bool:
        """True if a vote has ended the table for everybody."""
        vote = self.vote
        is_carried = vote is not None and vote.target is None and vote.verdict is Verdict.PASSED
        return is_carried and self.phase is TablePhase.OVER

    def has_place(self, user_id: int) -> bool:
        """Return whether this person sits here, waits for the next deal, or still has a seat in the match."""
        there = (*self.players, *self.waiting)
        return any(it.user_id == user_id and it.status is not Status.LEFT for it in there)

    def name_of(self, seat: int) -> str:
        """Return the full name of the person in a seat."""
        return self.players[seat].name


def view_table(table: Table, user_id: int | None, chat_title: str, topic: str = "") -> TableView:
    """Return the table as `user_id` sees it; None: as the group does."""
    match, phase = table.match, table.phase
    seat = None if match is None or user_id is None else table.seat_of(user_id)
    game = None if match is None else view_for(match, seat, table.history)
    is_dealt = phase in (TablePhase.PLAYING, TablePhase.OVER)
    return TableView(
        id=table.id,
        chat_title=chat_title,
        topic=topic,
        phase=phase,
        rules=table.settings.rules,
        turn_seconds=table.settings.turn_seconds,
        cut=table.settings.cut,
        players=tuple(_view_player(table, player, game, index) for index, player in enumerate(table.players)),
        waiting=tuple(_view_player(table, player, None, None) for player in table.waiting),
        removed=tuple((player.user_id, player.name) for player in table.removed),
        host_name=table.host_name,
        you=seat,
        game=game,
        rounds=table.rounds,
        dealt=table.dealt,
        finishes=table.finishes,
        next_commitment=None if is_dealt else commitment(table.next_seed),
        cutter=cutter_of(table) if phase is TablePhase.CUTTING else None,
        deadline=table.deadline,
        forced=table.deadline is not None and table.deadline.kind is DeadlineKind.FORCED,
        turn_ends=table.turn_ends,
        recalls=table.recalls,
        banished=table.banished,
        premove=None if user_id is None else table.premove_of(user_id),
        said=table.heard,
        vote=None if table.vote is None else _view_vote(table, table.vote),
        created_at=table.created_at,
        started_at=table.started_at,
        ended_at=table.ended_at,
        ending=table.ending,
        rematched=table.rematched,
        is_solo=table.is_solo,
        hints=table.settings.hints,
        host_silent=table.host_silent and phase is TablePhase.LOBBY,
    )


def _view_player(table: Table, player: Player, game: View | None, seat: int | None) -> PlayerView:
    """Return the view of a player; without `game` or `seat`, of one who has no cards yet."""
    in_match = None if game is None or seat is None else game.seats[seat]
    return PlayerView(
        user_id=player.user_id,
        name=player.name,
        is_host=player.user_id == table.host,
        seat=None if in_match is None else seat,
        status=None if in_match is None else in_match.status,
        total=0 if in_match is None else in_match.total,
        cards=0 if in_match is None else in_match.cards,
        is_away=player.is_away,
        level=player.level,
    )


def _view_vote(table: Table, vote: Vote) -> VoteView:
    voters = table.electorate(vote.target)
    return VoteView(
        number=vote.number,
        target=None if vote.target is None else vote.target.name,
        caller=vote.caller.name,
        ayes=len(voters.intersection(vote.ayes) if vote.is_open else vote.ayes),
        noes=len(voters.intersection(vote.noes) if vote.is_open else vote.noes),
        needed=ayes_needed(len(voters)) if vote.needed is None else vote.needed,
        closes_at=vote.closes_at,
        verdict=vote.verdict,
        awaited=tuple(
            player.name
            for player in table.players
            if vote.is_open and player.is_away and player.user_id in voters.difference(vote.ayes, vote.noes)
        ),
        returns=vote.returns,
    )
