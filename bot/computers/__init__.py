"""Computer players: who thinks, where, for how long, and when the move is made."""
