"""Tables: their state, all their transitions, and the one service that applies them."""
