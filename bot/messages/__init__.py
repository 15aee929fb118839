"""Makes the messages in Telegram equal to the committed state, with the fewest calls."""
