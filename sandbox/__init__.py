"""A local Telegram for any bot: the Bot API on loopback, people and groups behind it, and a page to be them.

Knows nothing of the bot that runs against it, and imports nothing but the standard library and tornado.
"""
