"""Tables: what they are, every way they change, and the one service that changes them."""
