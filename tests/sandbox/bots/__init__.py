"""Bots that have nothing to do with ours, in the manner of python-telegram-bot's examples.

Each is run against the sandbox as its author would run it against Telegram.
"""
