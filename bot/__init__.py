"""The Telegram bot for «101» in groups: it turns updates into moves, and the state into messages."""
