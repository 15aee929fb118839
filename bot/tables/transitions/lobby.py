"""The lobby: opening a table, sitting down, getting up, rules, the first deal; rematches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.settings import TableSettings
from bot.tables.context import TransitionContext
from bot.tables.lifecycle import Ending, TablePhase
from bot.tables.model import Table
from bot.tables.naming import distinct_names
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change
from bot.tables.transitions.checks import match_of, require_awake, require_open, seat_id, status_of
from bot.tables.transitions.playing import (
    awaiting_host,
    ended,
    lobby_waiting,
    normalize_phase,
    with_moot_vote_closed,
)
from bot.tables.transitions.round import deal_or_cut
from engine import Status, new_match

MIN_PLAYERS = 2


def open_lobby(
    table_id: str, chat_id: int, thread_id: int, host: Player, settings: TableSettings, ctx: TransitionContext
) -> Table:
    """Return a new table with its host seated."""
    return _lobby(table_id, chat_id, thread_id, host.user_id, (host,), settings, ctx)


def sit(table: Table, ctx: TransitionContext, user_id: int, name: str) -> Change:
    """Seat a person. Raises Refusal: as `seat`."""
    return seat(table, ctx, Player(user_id, name))


def seat(table: Table, ctx: TransitionContext, player: Player) -> Change:
    """Seat a person or a computer: in the lobby at once, in a running match from the next deal on.

    In a full lobby a computer player makes room for a person. A solo table has no place for other people.

    Raises Refusal: table_over, banished, removed, already_seated, you_are_out, table_full, table_gone.
    """
    require_awake(table)
    if table.is_solo and not player.is_computer and table.host != player.user_id:
        raise Refusal(Refused.TABLE_GONE)
    if table.removed_player(player.user_id) is not None:
        raise Refusal(Refused.REMOVED)
    player = _labelled(table, player, player.name)
    if table.phase is TablePhase.LOBBY:
        if table.seat_of(player.user_id) is not None:
            raise Refusal(Refused.ALREADY_SEATED)
        seats = table.settings.rules.max_seats
        players = table.players if player.is_computer else _with_room(table.players, seats)
        if len(players) >= seats:
            raise Refusal(Refused.TABLE_FULL)
        seated = replace(table, players=(*players, player))
        return Change(lobby_waiting(seated, ctx))
    status = status_of(table, player.user_id)
    if status is Status.IN or table.is_waiting(player.user_id):
        raise Refusal(Refused.ALREADY_SEATED)
    if status is Status.OUT:
        raise Refusal(Refused.YOU_ARE_OUT)
    if len(match_of(table).seats_in()) + len(table.waiting) >= table.settings.rules.max_seats:
        raise Refusal(Refused.TABLE_FULL)
    return Change(normalize_phase(table, replace(table, waiting=(*table.waiting, player)), ctx))


def stand(table: Table, ctx: TransitionContext, user_id: int) -> Change:
    """Get up in the lobby, or from the waiting list. The last person to get up closes the lobby.

    Raises Refusal: table_over, not_seated, match_running (`leave` is for players).
    """
    require_open(table)
    if table.is_waiting(user_id):
        return Change(normalize_phase(table, replace(table, waiting=_without(table.waiting, user_id)), ctx))
    if table.seat_of(user_id) is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.match is not None:
        raise Refusal(Refused.MATCH_RUNNING)
    players = _without(table.players, user_id)
    people = [player.user_id for player in players if not player.is_computer]
    if not people:
        return Change(ended(replace(table, players=()), ctx, Ending.DESERTED))
    host = table.host if table.host != user_id else people[0]
    seated = with_moot_vote_closed(replace(table, players=players, host=host))
    if table.phase is TablePhase.ASLEEP:
        return Change(seated)
    return Change(awaiting_host(seated, ctx) if host != table.host else lobby_waiting(seated, ctx))


def apply_settings(table: Table, _ctx: TransitionContext, settings: TableSettings) -> Change:
    """Apply the group's settings to a table: all of them in the lobby, all but the rules in a match.

    Raises Refusal: table_over, too_many_seated.
    """
    require_open(table)
    if table.match is not None:
        return Change(replace(table, settings=settings.in_match(table.settings)))
    if len(table.players) > settings.rules.max_seats:
        raise Refusal(Refused.TOO_MANY_SEATED)
    return Change(replace(table, settings=settings))


def start(table: Table, ctx: TransitionContext, user_id: int, *, is_admin: bool) -> Change:
    """Begin the match with the seated players, and deal its first round.

    A person who does so in place of a silent host becomes the host.

    Raises Refusal: table_over, banished, not_in_lobby, may_not_deal, need_two.
    """
    require_awake(table)
    if table.phase is not TablePhase.LOBBY:
        raise Refusal(Refused.NOT_IN_LOBBY)
    may_deal = table.may_deal_first(user_id)
    if not may_deal and not is_admin:
        raise Refusal(Refused.MAY_NOT_DEAL, who=table.host_name)
    if len(table.players) < MIN_PLAYERS:
        raise Refusal(Refused.NEED_TWO)
    match = new_match(table.settings.rules, [seat_id(seat) for seat in range(len(table.players))])
    host = user_id if may_deal else table.host
    begun = replace(table, match=match, started_at=ctx.now, host=host, host_silent=False)
    return deal_or_cut(begun, ctx, (), user_id)


def open_rematch(
    table_id: str,
    over: Table,
    host_id: int,
    settings: TableSettings,
    ctx: TransitionContext,
    names: Mapping[int, str] | None = None,
) -> Table:
    """Return a new lobby for the people who played at a finished table or waited for its next deal, without
    those who left.

    They play by the group's current `settings`, or by the old ones if these have too few seats. If there are
    still too few, computers make room first, then whoever sat down last. `names` are people's current names,
    by user id.
    """
    seats = over.match.seats if over.match is not None else ()
    left = {
        player.user_id
        for seat, player in zip(seats, over.players, strict=False)
        if seat.status is Status.LEFT and player.user_id != host_id and not over.is_waiting(player.user_id)
    }
    everybody = {player.user_id: replace(player, misses=0) for player in (*over.players, *over.waiting)}
    stayed = [player for user_id, player in everybody.items() if user_id not in left]
    chosen = settings if len(stayed) <= settings.rules.max_seats else over.settings
    by_claim = sorted(stayed, key=lambda player: (player.user_id != host_id, player.is_computer))
    seated = by_claim[: chosen.rules.max_seats]
    players = tuple(player for player in stayed if player in seated)
    lobby = _lobby(table_id, over.chat_id, over.thread_id, host_id, (), chosen, ctx)
    for player in players:
        name = (names or {}).get(player.user_id, player.name)
        lobby = replace(lobby, players=(*lobby.players, _labelled(lobby, player, name)))
    return lobby


def rename(table: Table, _ctx: TransitionContext, user_id: int, name: str) -> Change:
    """Change a person's name at the table."""
    old = table.player(user_id) or table.removed_player(user_id)
    if old is None or table.phase is TablePhase.OVER:
        return Change(table)
    label = _labelled(table, old, name).name

    def renamed(player: Player) -> Player:
        return replace(player, name=label) if player.user_id == user_id else player

    vote = table.vote
    if vote is not None:
        target = None if vote.target is None else renamed(vote.target)
        vote = replace(vote, target=target, caller=renamed(vote.caller))
    return Change(
        replace(
            table,
            players=tuple(map(renamed, table.players)),
            waiting=tuple(map(renamed, table.waiting)),
            removed=tuple(map(renamed, table.removed)),
            vote=vote,
            talk=tuple(replace(it, name=label) if it.user_id == user_id else it for it in table.talk),
        )
    )


def rematch(table: Table, _ctx: TransitionContext, user_id: int) -> Change:
    """Mark the table as continued by another. Raises Refusal: match_running, stale, not_seated.

    Everyone who played at the table or waited for a seat may do so, unless asked to leave.
    """
    if table.phase is not TablePhase.OVER:
        raise Refusal(Refused.MATCH_RUNNING)
    if table.rematched:
        raise Refusal(Refused.STALE)
    if table.player(user_id) is None or table.removed_player(user_id) is not None:
        raise Refusal(Refused.NOT_SEATED)
    return Change(replace(table, rematched=True))


def _labelled(table: Table, player: Player, name: str) -> Player:
    """Return this person under this name, distinguished from the others at the table."""
    there = (*table.players, *table.waiting)
    others = [other.name for other in there if other.user_id != player.user_id]
    return replace(player, name=distinct_names(name, others))


def _lobby(
    table_id: str,
    chat_id: int,
    thread_id: int,
    host: int,
    players: tuple[Player, ...],
    settings: TableSettings,
    ctx: TransitionContext,
) -> Table:
    opened = Table(
        id=table_id,
        chat_id=chat_id,
        thread_id=thread_id,
        phase=TablePhase.LOBBY,
        host=host,
        settings=settings,
        players=players,
        waiting=(),
        match=None,
        history=(),
        rounds=(),
        dealt=(),
        next_seed=ctx.seed,
        deadline=None,
        created_at=ctx.now,
        started_at=None,
        ended_at=None,
        ending=None,
        rematched=False,
        revision=0,
    )
    return awaiting_host(opened, ctx)


def _without(players: tuple[Player, ...], user_id: int) -> tuple[Player, ...]:
    return tuple(player for player in players if player.user_id != user_id)


def _with_room(players: tuple[Player, ...], seats: int) -> tuple[Player, ...]:
    """If all seats are taken, remove the computer player that sat down last, if there is one."""
    last = next((player for player in reversed(players) if player.is_computer), None)
    if len(players) < seats or last is None:
        return players
    return _without(players, last.user_id)
