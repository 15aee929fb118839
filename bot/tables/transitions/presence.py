"""Who is there: away and back, a table asleep and awake, and hurrying on where no clock runs.

Who misses two turns in a row is away: his turns are played for him, at once and with the least moves.
Whatever he does himself ends that. When all who are still in are away, the table sleeps.
"""

from __future__ import annotations

from dataclasses import replace

from bot.tables.lifecycle import Phase
from bot.tables.model import Table
from bot.tables.moment import Moment
from bot.tables.refusals import Refusal, Refused
from bot.tables.transitions.change import Change
from bot.tables.transitions.checks import require_open
from bot.tables.transitions.playing import present, settled


def notice(table: Table, user_id: int, moment: Moment) -> Change:
    """This person has done something here: he is not away, and the table wakes. Strangers change nothing."""
    return Change(present(table, user_id, moment))


def banish(table: Table, moment: Moment) -> Change:
    """The bot is no longer in the group: the table sleeps, whatever it was doing."""
    if table.phase is Phase.OVER:
        return Change(table)
    return Change(settled(table, replace(table, banished=True), moment))


def readmit(table: Table, moment: Moment) -> Change:
    """The bot is in the group again: the table goes on where it was."""
    if table.phase is Phase.OVER:
        return Change(table)
    return Change(settled(table, replace(table, banished=False), moment))


def move(table: Table, chat_id: int, moment: Moment) -> Change:
    """The group has another id now, under which the bot is in it."""
    return readmit(replace(table, chat_id=chat_id), moment)


def hurry(table: Table, moment: Moment) -> Change:
    """Call the player to move once more, where no clock does: after a while, and then once in a while.

    Raises Refusal: table_over, no_hurry.
    """
    require_open(table)
    waits = table.phase is Phase.PLAYING and table.deadline is None and table.waited_since is not None
    if not waits or moment.now < (table.waited_since or 0.0) + moment.pace.hurry:
        raise Refusal(Refused.NO_HURRY)
    return Change(replace(table, waited_since=moment.now, recalls=table.recalls + 1))
