"""Computer players: what to play, as a pure function of a player's view and of seeded chance.

    choose(Level.NORMAL, view_for(match, seat, history), Random(7))

They know no clock and no randomness but the `Random` they are given, and nothing that the player's view does
not tell; they know no matches, tables or names either.
"""

from engine.players.advice import Advice, Why
from engine.players.levels import Level, advise, choose

__all__ = ["Advice", "Level", "Why", "advise", "choose"]
