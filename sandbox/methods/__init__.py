"""The Bot API's methods, grouped by subject. Importing this package registers them all."""

from sandbox.methods import account, callback, chats, editing, files, receiving, sending
from sandbox.methods.registry import METHODS, Call

__all__ = ["METHODS", "Call", "account", "callback", "chats", "editing", "files", "receiving", "sending"]
