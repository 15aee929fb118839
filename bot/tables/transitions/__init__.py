"""Every way a table changes: pure functions from one table (and a moment) to the next.

All transitions live in this package, by subject: the `lobby`, the `round`, `leaving`, `voting`, the
`presence` of people, `computers`, and what the clock does in `expiry`; what moves make of a table is in
`playing`, for all of them. Each takes the table as it is, who asks, and what the moment brings (time,
chance); it returns a `Change` or raises a `Refusal`, and never looks at a clock, a database or chance itself.
What cards do is the engine's business: here stands who may ask for what, and what the clock waits for next.
"""

from bot.tables.transitions.change import Change, Made
from bot.tables.transitions.checks import require_turn, seat_id
from bot.tables.transitions.company import put_aside, require_talk, require_voice, say, take_back
from bot.tables.transitions.computers import invite, open_alone, send_off
from bot.tables.transitions.expiry import expire, postpone
from bot.tables.transitions.leaving import depart, leave, make_room
from bot.tables.transitions.lobby import open_lobby, open_rematch, rematch, rename, settle, sit, stand, start
from bot.tables.transitions.presence import banish, hurry, move, notice, readmit
from bot.tables.transitions.round import cut, deal_next, lay, pass_turn, take
from bot.tables.transitions.voting import call_vote, cast, close_vote, is_kickable, kick, stop

__all__ = [
    "Change",
    "Made",
    "banish",
    "call_vote",
    "cast",
    "close_vote",
    "cut",
    "deal_next",
    "depart",
    "expire",
    "hurry",
    "invite",
    "is_kickable",
    "kick",
    "lay",
    "leave",
    "make_room",
    "move",
    "notice",
    "open_alone",
    "open_lobby",
    "open_rematch",
    "pass_turn",
    "postpone",
    "put_aside",
    "readmit",
    "rematch",
    "rename",
    "require_talk",
    "require_turn",
    "require_voice",
    "say",
    "seat_id",
    "send_off",
    "settle",
    "sit",
    "stand",
    "start",
    "stop",
    "take",
    "take_back",
]
