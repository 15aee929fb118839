"""A local Telegram for any bot: the Bot API on loopback, simulated people and groups, and a page to control
them.

Knows nothing of the bot that runs against it, and imports only the standard library and tornado.
"""
