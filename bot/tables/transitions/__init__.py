"""All transitions of a table: pure functions from one table to the next.

There is a module for each subject: `lobby`, `round`, `leaving`, `voting`, `presence`, `table_talk`,
`computers`, and `expiry` for deadlines; `playing`, shared by all, applies moves to a table. A transition
takes the table, the context (time, randomness, timings), the id of the person asking, if any, and its
arguments. It returns a `Change` or raises a `Refusal`, and reads no clock and no database. The engine decides
what cards do; transitions decide who may do what, and what the clock waits for next.
"""

from bot.tables.transitions.change import AppliedMove, Change
from bot.tables.transitions.checks import seat_id
from bot.tables.transitions.computers import invite, open_solo, send_off
from bot.tables.transitions.expiry import expire, expire_due, postpone
from bot.tables.transitions.leaving import depart, leave, make_room
from bot.tables.transitions.lobby import (
    apply_settings,
    open_lobby,
    open_rematch,
    rematch,
    rename,
    sit,
    stand,
    start,
)
from bot.tables.transitions.presence import (
    bot_removed,
    bot_returned,
    mark_present,
    move,
    move_to_general,
    nudge,
)
from bot.tables.transitions.round import check_turn, cut, deal_next, lay, make_move, pass_turn, take
from bot.tables.transitions.table_talk import cancel_premove, require_voice, say, set_premove
from bot.tables.transitions.voting import call_vote, cast_vote, close_vote, is_kickable, kick, let_back, stop

__all__ = [
    "AppliedMove",
    "Change",
    "apply_settings",
    "bot_removed",
    "bot_returned",
    "call_vote",
    "cancel_premove",
    "cast_vote",
    "check_turn",
    "close_vote",
    "cut",
    "deal_next",
    "depart",
    "expire",
    "expire_due",
    "invite",
    "is_kickable",
    "kick",
    "lay",
    "leave",
    "let_back",
    "make_move",
    "make_room",
    "mark_present",
    "move",
    "move_to_general",
    "nudge",
    "open_lobby",
    "open_rematch",
    "open_solo",
    "pass_turn",
    "postpone",
    "rematch",
    "rename",
    "require_voice",
    "say",
    "seat_id",
    "send_off",
    "set_premove",
    "sit",
    "stand",
    "start",
    "stop",
    "take",
]
