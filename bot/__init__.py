"""The Telegram bot that deals «101» in groups: updates in, moves to the engine, messages out."""
