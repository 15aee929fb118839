"""Computer players: choosing a move, as a pure function of a player's view and a seeded `Random`.

    choose(Level.NORMAL, view_for(match, seat, history), Random(7))

They have no clock, no other source of randomness, and no information beyond the view.
"""

from engine.players.advice import Advice, MoveReason
from engine.players.levels import Level, advise, choose

__all__ = ["Advice", "Level", "MoveReason", "advise", "choose"]
