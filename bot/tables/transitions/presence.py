"""Presence: players away and back, tables asleep and awake, and nudges where no clock runs.

A player who misses two turns in a row is away: their turns are played automatically, with the least moves,
until they do anything themselves. When everybody still in is away, the table sleeps.
"""

from __future__ import annotations

from dataclasses import replace

from bot.tables.context import TransitionContext
from bot.tables.lifecycle import TablePhase
from bot.tables.model import Table
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change
from bot.tables.transitions.checks import require_host, require_open
from bot.tables.transitions.playing import awaiting_host, normalize_phase

SIGN_SECONDS = 10.0
"""Actions of a lobby's host within this time count as one."""


def mark_present(table: Table, ctx: TransitionContext, user_id: int) -> Change:
    """Mark a person as not away, and wake the table. Strangers change nothing."""
    if table.phase is TablePhase.LOBBY and user_id == table.host:
        return Change(_with_host_there(table, ctx))
    seat = table.seat_of(user_id)
    if seat is None or table.phase is TablePhase.OVER or table.players[seat].misses == 0:
        return Change(table)
    return Change(normalize_phase(table, table.with_misses(seat, 0), ctx))


def _with_host_there(table: Table, ctx: TransitionContext) -> Table:
    """Return the lobby after an action of its host; one soon after another is not worth a change."""
    until = None if table.deadline is None else table.deadline.at
    is_known = until is not None and until > ctx.now + ctx.timings.host - SIGN_SECONDS
    return table if is_known and not table.host_silent else awaiting_host(table, ctx)


def bot_removed(table: Table, ctx: TransitionContext) -> Change:
    """The bot is no longer in the group: put the table to sleep in any phase."""
    if table.phase is TablePhase.OVER:
        return Change(table)
    return Change(normalize_phase(table, replace(table, banished=True), ctx))


def bot_returned(table: Table, ctx: TransitionContext) -> Change:
    """The bot is back in the group: resume the table."""
    if table.phase is TablePhase.OVER:
        return Change(table)
    return Change(normalize_phase(table, replace(table, banished=False), ctx))


def move(table: Table, ctx: TransitionContext, chat_id: int) -> Change:
    """Move the table to its group's new chat id, under which the bot is a member."""
    return bot_returned(replace(table, chat_id=chat_id), ctx)


def move_to_general(table: Table, _ctx: TransitionContext, user_id: int) -> Change:
    """Let the table go on outside of its topic, as its host. Raises Refusal: table_over, not_host."""
    require_open(table)
    require_host(table, user_id, is_admin=False)
    return Change(replace(table, thread_id=0))


def nudge(table: Table, ctx: TransitionContext, _user_id: int) -> Change:
    """Notify the player to move again, where no clock runs: at most once in `timings.nudge` seconds.

    Raises Refusal: table_over, no_hurry.
    """
    require_open(table)
    waits = table.phase is TablePhase.PLAYING and table.deadline is None and table.waited_since is not None
    if not waits or ctx.now < (table.waited_since or 0.0) + ctx.timings.nudge:
        raise Refusal(Refused.NO_NUDGE)
    return Change(replace(table, waited_since=ctx.now, recalls=table.recalls + 1))
