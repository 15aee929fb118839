"""Computer players, which anybody at the table may add and remove; and solo tables.

Computers are never host, have no vote, and are not waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bot.settings import TableSettings
from bot.tables.context import TransitionContext
from bot.tables.model import Table
from bot.tables.player import MARK, Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change
from bot.tables.transitions.checks import require_open
from bot.tables.transitions.leaving import remove
from bot.tables.transitions.lobby import open_lobby, seat, stand, start
from engine.players import Level


def invite(
    table: Table, ctx: TransitionContext, user_id: int, level: Level, names: Sequence[str], *, is_admin: bool
) -> Change:
    """Seat a computer player, under the first of these names that is not taken.

    Raises Refusal: table_over, banished, not_at_your_table, table_full.
    """
    require_open(table)
    _require_at_table(table, user_id, is_admin=is_admin)
    return seat(table, ctx, _newcomer(table, level, names))


def send_off(table: Table, ctx: TransitionContext, user_id: int, target: int, *, is_admin: bool) -> Change:
    """Remove a computer player: from the lobby at once, from a match as a person would leave it.

    Raises Refusal: table_over, not_at_your_table, not_at_table.
    """
    require_open(table)
    _require_at_table(table, user_id, is_admin=is_admin)
    computer = table.player(target)
    if computer is None or not computer.is_computer:
        raise Refusal(Refused.NOT_AT_TABLE)
    if table.is_waiting(target):
        return stand(table, ctx, target)
    if not table.is_in(target):
        raise Refusal(Refused.NOT_AT_TABLE)
    return remove(table, ctx, target, user_id)


def open_solo(
    table_id: str,
    person: Player,
    opponents: Sequence[Level],
    names: Sequence[str],
    settings: TableSettings,
    seed: bytes,
    ctx: TransitionContext,
) -> Change:
    """Open a table in a private chat, for one person against computers, with its first round dealt.

    `seed` is for that round's shuffle: 32 other random bytes.

    Raises Refusal: need_two (without an opponent), table_full.
    """
    table = replace(open_lobby(table_id, person.user_id, 0, person, settings, ctx), next_seed=seed)
    for level in opponents:
        table = seat(table, ctx, _newcomer(table, level, names)).table
    return start(table, ctx, person.user_id, is_admin=False)


def _require_at_table(table: Table, user_id: int, *, is_admin: bool) -> None:
    """Raises Refusal: not_at_your_table."""
    if not (is_admin or table.is_in(user_id) or table.is_waiting(user_id)):
        raise Refusal(Refused.NOT_AT_YOUR_TABLE)


def _newcomer(table: Table, level: Level, names: Sequence[str]) -> Player:
    """Return a computer player with an id and a name that nobody has, or has had, at this table."""
    there = (*table.players, *table.waiting)
    user_id = min([0, *(player.user_id for player in there)]) - 1
    taken = {player.name for player in there}
    called = [f"{MARK} {name}" for name in names]
    Random(table.id).shuffle(called)  # noqa: S311 - other names at another table, no more
    numbered = (f"{name} {n}" for n in range(2, 100) for name in called)
    name = next(name for name in (*called, *numbered) if name not in taken)
    return Player(user_id, name, level=level)
