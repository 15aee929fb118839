"""How computer players come to their moves: who thinks, where, for how long, and when the move is made."""
