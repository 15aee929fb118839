"""Every way a table changes: pure functions from one table (and a moment) to the next.

All transitions live in this module. Each takes the table as it is, who asks, and what the moment brings
(time, chance); it returns a `Change` or raises a `Refusal`, and never looks at a clock, a database or chance
itself. What cards do is the engine's business: here stands who may ask for what, and what the clock waits for
next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.callbacks import Stamp
from bot.tables.lifecycle import Deadline, DeadlineKind, Ending, Phase
from bot.tables.model import Table
from bot.tables.moment import Moment
from bot.tables.moving import forced_move, is_mid_turn, least_move
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.settings import TableSettings
from bot.tables.shuffling import cutter_of
from engine import (
    Deal,
    Draw,
    Illegal,
    Join,
    Leave,
    Match,
    Move,
    Pass,
    Play,
    Status,
    apply,
    new_match,
    turn_stamp,
)

MIN_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Made:
    """A move of the match and who made it: a person's id, or None for the clock."""

    move: Move
    actor: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a transition did: the new table, and the moves of the match that led to it, oldest first."""

    table: Table
    moves: tuple[Made, ...] = ()


# ------------------------------------------------------------------------------------------------- the lobby


def open_lobby(
    table_id: str, chat_id: int, thread_id: int, host: Player, settings: TableSettings, moment: Moment
) -> Table:
    """A new table with its host sitting at it."""
    return _lobby(table_id, chat_id, thread_id, host.user_id, (host,), settings, moment)


def sit(table: Table, player: Player, moment: Moment) -> Change:
    """Sit down: in the lobby at once, in a running match from the next deal on.

    Raises Refusal: table_over, already_seated, you_are_out, table_full.
    """
    _require_open(table)
    if table.phase is Phase.LOBBY:
        if table.seat_of(player.user_id) is not None:
            raise Refusal(Refused.ALREADY_SEATED)
        if len(table.players) >= table.settings.rules.max_seats:
            raise Refusal(Refused.TABLE_FULL)
        seated = replace(table, players=(*table.players, player))
        return Change(replace(seated, deadline=_lobby_deadline(moment)))
    status = _status_of(table, player.user_id)
    if status is Status.IN or table.is_waiting(player.user_id):
        raise Refusal(Refused.ALREADY_SEATED)
    if status is Status.OUT:
        raise Refusal(Refused.YOU_ARE_OUT)
    if len(_seats_in(_match_of(table))) + len(table.waiting) >= table.settings.rules.max_seats:
        raise Refusal(Refused.TABLE_FULL)
    return Change(replace(table, waiting=(*table.waiting, player)))


def stand(table: Table, user_id: int, moment: Moment) -> Change:
    """Get up in the lobby, or from the waiting list. The last one to get up closes the lobby.

    Raises Refusal: table_over, not_seated, match_running (who plays leaves by `leave`).
    """
    _require_open(table)
    if table.is_waiting(user_id):
        return Change(replace(table, waiting=_without(table.waiting, user_id)))
    if table.seat_of(user_id) is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.phase is not Phase.LOBBY:
        raise Refusal(Refused.MATCH_RUNNING)
    players = _without(table.players, user_id)
    if not players:
        return Change(_ended(replace(table, players=()), Ending.DESERTED, moment))
    host = table.host if table.host != user_id else players[0].user_id
    seated = replace(table, players=players, host=host)
    return Change(replace(seated, deadline=_lobby_deadline(moment)))


def start(table: Table, user_id: int, moment: Moment, *, is_admin: bool) -> Change:
    """Begin the match with those who sit, and deal its first round.

    Raises Refusal: table_over, not_in_lobby, not_host, need_two.
    """
    _require_open(table)
    if table.phase is not Phase.LOBBY:
        raise Refusal(Refused.NOT_IN_LOBBY)
    if user_id != table.host and not is_admin:
        raise Refusal(Refused.NOT_HOST)
    if len(table.players) < MIN_PLAYERS:
        raise Refusal(Refused.NEED_TWO)
    match = new_match(table.settings.rules, [seat_id(seat) for seat in range(len(table.players))])
    begun = replace(table, match=match, started_at=moment.now)
    return _next_round(begun, (), user_id, moment)


def open_rematch(table_id: str, over: Table, host_id: int, moment: Moment) -> Table:
    """A new lobby for the people of a table that is over, without those who had left it."""
    seats = over.match.seats if over.match is not None else ()
    stayed = [
        player
        for seat, player in enumerate(over.players)
        if seat >= len(seats) or seats[seat].status is not Status.LEFT or player.user_id == host_id
    ]
    return _lobby(table_id, over.chat_id, over.thread_id, host_id, tuple(stayed), over.settings, moment)


# ------------------------------------------------------------------------------------------------- the round


def lay(table: Table, user_id: int, stamp: Stamp, card: int, suit: int | None, moment: Moment) -> Change:
    """Lay a card. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return _play_on(table, [Made(Play(seat, card, suit), user_id)], moment)


def take(table: Table, user_id: int, stamp: Stamp, moment: Moment) -> Change:
    """Draw, or take what an attack owes. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return _play_on(table, [Made(Draw(seat), user_id)], moment)


def pass_turn(table: Table, user_id: int, stamp: Stamp, moment: Moment) -> Change:
    """Pass. Raises Refusal: as `require_turn`, and the engine's reasons."""
    seat = require_turn(table, user_id, stamp)
    return _play_on(table, [Made(Pass(seat), user_id)], moment)


def deal_next(table: Table, user_id: int | None, round_number: int, moment: Moment) -> Change:
    """Deal the round after `round_number`; `user_id` None: the clock does. First seats those who wait.

    Raises Refusal: table_over, not_seated, not_between (that round is not over, or the next is dealt
    already).
    """
    _require_open(table)
    if user_id is not None and _status_of(table, user_id) is not Status.IN and not table.is_waiting(user_id):
        raise Refusal(Refused.NOT_SEATED)
    if table.phase is not Phase.BETWEEN or _match_of(table).number != round_number:
        raise Refusal(Refused.NOT_BETWEEN)
    table, joins = _seat_waiting(table)
    return _next_round(table, joins, user_id, moment)


def cut(table: Table, user_id: int, round_number: int, at: int, moment: Moment) -> Change:
    """Cut the deck for the round after `round_number` and deal it: the first `at` cards go to its end.

    Raises Refusal: table_over, not_seated, stale (there is nothing to cut), not_your_turn, and the engine's
    bad_deck.
    """
    _require_open(table)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.phase is not Phase.CUTTING or _match_of(table).number != round_number:
        raise Refusal(Refused.STALE)
    if seat != cutter_of(table):
        raise Refusal(Refused.NOT_YOUR_TURN)
    return _play_on(table, [Made(Deal(table.next_seed, cut=at), user_id)], moment)


def _next_round(table: Table, joins: Sequence[Made], actor: int | None, moment: Moment) -> Change:
    """Deal the next round, or first ask for the cut where this table cuts the deck."""
    if not table.settings.cut:
        return _play_on(table, [*joins, Made(Deal(table.next_seed), actor)], moment)
    change = _play_on(table, joins, moment)
    deadline = Deadline(DeadlineKind.CUT, moment.now + moment.pace.cut)
    return Change(replace(change.table, phase=Phase.CUTTING, deadline=deadline), change.moves)


def expire(table: Table, deadline: Deadline, moment: Moment) -> Change:
    """What happens when this deadline has come. A deadline that is no longer the table's changes nothing."""
    if table.deadline != deadline or table.phase is Phase.OVER:
        return Change(table)
    match deadline.kind:
        case DeadlineKind.LOBBY:
            return Change(_ended(table, Ending.EXPIRED, moment))
        case DeadlineKind.NEXT_DEAL:
            return deal_next(table, None, _match_of(table).number, moment)
        case DeadlineKind.CUT:
            return _play_on(table, [Made(Deal(table.next_seed), None)], moment)
        case DeadlineKind.FORCED:
            move = forced_move(_match_of(table))
            if move is None:
                raise AssertionError(f"table {table.id} waits for a forced move and has none")
            return _play_on(table, [Made(move, None)], moment)
        case DeadlineKind.TURN:
            return _time_is_out(table, moment)


def _time_is_out(table: Table, moment: Moment) -> Change:
    """Make the least moves of the player to move until his turn is over."""
    change = _play_on(table, [Made(least_move(_match_of(table)), None)], moment)
    while change.table.phase is Phase.PLAYING and is_mid_turn(_match_of(change.table)):
        further = _play_on(change.table, [Made(least_move(_match_of(change.table)), None)], moment)
        change = Change(further.table, (*change.moves, *further.moves))
    return change


# ---------------------------------------------------------------------------------------- coming and going


def leave(table: Table, user_id: int, moment: Moment) -> Change:
    """Leave the match for good (or the lobby, or the waiting list).

    Raises Refusal: table_over, not_seated, nothing_to_leave (out, or gone already).
    """
    _require_open(table)
    if table.phase is Phase.LOBBY or table.is_waiting(user_id):
        return stand(table, user_id, moment)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    if _status_of(table, user_id) is not Status.IN:
        raise Refusal(Refused.NOTHING_TO_LEAVE)
    change = _play_on(table, [Made(Leave(seat), user_id)], moment)
    if table.host != user_id or change.table.phase is Phase.OVER:
        return change
    return Change(replace(change.table, host=_next_host(change.table)), change.moves)


def stop(table: Table, user_id: int, moment: Moment, *, is_admin: bool) -> Change:
    """End the table for everybody, without a winner. Raises Refusal: table_over, not_host."""
    _require_open(table)
    if user_id != table.host and not is_admin:
        raise Refusal(Refused.NOT_HOST)
    return Change(_ended(table, Ending.STOPPED, moment))


def rematch(table: Table, user_id: int) -> Change:
    """Mark the table as continued by another. Raises Refusal: match_running, stale, not_seated."""
    if table.phase is not Phase.OVER:
        raise Refusal(Refused.MATCH_RUNNING)
    if table.rematched:
        raise Refusal(Refused.STALE)
    if table.seat_of(user_id) is None:
        raise Refusal(Refused.NOT_SEATED)
    return Change(replace(table, rematched=True))


def postpone(table: Table, seconds: float) -> Change:
    """Move the deadline on: the time in which nobody could have moved does not count."""
    if table.deadline is None:
        return Change(table)
    return Change(replace(table, deadline=replace(table.deadline, at=table.deadline.at + seconds)))


# ------------------------------------------------------------------------------------------------- inside


def _lobby(
    table_id: str,
    chat_id: int,
    thread_id: int,
    host: int,
    players: tuple[Player, ...],
    settings: TableSettings,
    moment: Moment,
) -> Table:
    return Table(
        id=table_id,
        chat_id=chat_id,
        thread_id=thread_id,
        phase=Phase.LOBBY,
        host=host,
        settings=settings,
        players=players,
        waiting=(),
        match=None,
        history=(),
        rounds=(),
        dealt=(),
        next_seed=moment.seed,
        deadline=_lobby_deadline(moment),
        created_at=moment.now,
        started_at=None,
        ended_at=None,
        ending=None,
        rematched=False,
        revision=0,
    )


def seat_id(seat: int) -> str:
    """The engine's name for a seat: `p1` for seat 0."""
    return f"p{seat + 1}"


def _require_open(table: Table) -> None:
    if table.phase is Phase.OVER:
        raise Refusal(Refused.TABLE_OVER)


def require_turn(table: Table, user_id: int, stamp: Stamp) -> int:
    """The seat of `user_id`, at the moment his button was made for, if it is his turn.

    Raises Refusal: table_over, not_seated, stale, not_your_turn.
    """
    _require_open(table)
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refusal(Refused.NOT_SEATED)
    if table.match is None or table.match.round is None or stamp_of(table.match) != stamp:
        raise Refusal(Refused.STALE)
    if table.match.round.turn != seat:
        raise Refusal(Refused.NOT_YOUR_TURN)
    return seat


def stamp_of(match: Match) -> Stamp:
    """The moment a match is at."""
    return Stamp(*turn_stamp(match))


def _play_on(table: Table, moves: Sequence[Made], moment: Moment) -> Change:
    """Apply moves to the table's match, and see what that makes of the table.

    Raises Refusal with the engine's reason; then nothing has changed.
    """
    match = _match_of(table)
    history, rounds, dealt, next_seed = table.history, table.rounds, table.dealt, table.next_seed
    for made in moves:
        try:
            transition = apply(match, made.move)
        except Illegal as illegal:
            raise Refusal(illegal.reason, made.move) from illegal
        if isinstance(made.move, Deal):
            history, next_seed = (), moment.seed
            dealt = (*dealt, match.seats_in())
        history = (*history, tuple(transition.events))
        ended = transition.match.last_round
        if ended is not None and ended is not match.last_round:
            rounds = (*rounds, ended)
        match = transition.match
    played = replace(table, match=match, history=history, rounds=rounds, dealt=dealt, next_seed=next_seed)
    return Change(_settled(table, played, moment), tuple(moves))


def _settled(before: Table, table: Table, moment: Moment) -> Table:
    """The table in the phase its match is in, with the deadline that phase has.

    Somebody else's leaving gives nobody a new deadline: it is kept while the same move of the same turn is
    due.
    """
    match = _match_of(table)
    if match.winner is not None:
        return _ended(table, Ending.FINISHED, moment)
    if match.round is None:
        if table.phase in (Phase.LOBBY, Phase.BETWEEN, Phase.CUTTING):
            return table
        return replace(table, phase=Phase.BETWEEN, deadline=_next_deal_deadline(table, moment))
    if before.phase is Phase.PLAYING and _due(_match_of(before)) == _due(match):
        return table
    return replace(table, phase=Phase.PLAYING, deadline=_move_deadline(table, match, moment))


def _lobby_deadline(moment: Moment) -> Deadline:
    return Deadline(DeadlineKind.LOBBY, moment.now + moment.pace.lobby)


def _next_deal_deadline(table: Table, moment: Moment) -> Deadline | None:
    """Without a clock the next round is dealt by a press alone."""
    if table.settings.turn_seconds is None:
        return None
    return Deadline(DeadlineKind.NEXT_DEAL, moment.now + moment.pace.next_deal)


def _move_deadline(table: Table, match: Match, moment: Moment) -> Deadline | None:
    if forced_move(match) is not None:
        return Deadline(DeadlineKind.FORCED, moment.now + moment.pace.forced)
    if table.settings.turn_seconds is None:
        return None
    return Deadline(DeadlineKind.TURN, moment.now + table.settings.turn_seconds)


def _ended(table: Table, ending: Ending, moment: Moment) -> Table:
    return replace(table, phase=Phase.OVER, ending=ending, deadline=None, waiting=(), ended_at=moment.now)


def _seat_waiting(table: Table) -> tuple[Table, list[Made]]:
    """Give those who wait their seats: an old one back, or a new one at the end."""
    joins = []
    players = list(table.players)
    for player in table.waiting:
        seat = table.seat_of(player.user_id)
        if seat is None:
            seat = len(players)
            players.append(player)
        else:
            players[seat] = player
        joins.append(Made(Join(seat_id(seat)), player.user_id))
    return replace(table, players=tuple(players), waiting=()), joins


def _next_host(table: Table) -> int:
    """The first of those still in, from the seat after the old host's."""
    seats = _seats_in(_match_of(table))
    old = table.seat_of(table.host)
    if not seats or old is None:
        return table.host
    following = [seat for seat in seats if seat > old] or seats
    return table.players[following[0]].user_id


def _without(players: tuple[Player, ...], user_id: int) -> tuple[Player, ...]:
    return tuple(player for player in players if player.user_id != user_id)


def _match_of(table: Table) -> Match:
    if table.match is None:
        raise Refusal(Refused.NOT_IN_LOBBY)
    return table.match


def _status_of(table: Table, user_id: int) -> Status | None:
    seat = table.seat_of(user_id)
    if seat is None or table.match is None:
        return None
    return table.match.seats[seat].status


def _seats_in(match: Match) -> list[int]:
    return [seat for seat, player in enumerate(match.seats) if player.status is Status.IN]


def _due(match: Match) -> tuple[int | None, Stamp]:
    """Which move of which seat a running round waits for."""
    return (None if match.round is None else match.round.turn), stamp_of(match)
