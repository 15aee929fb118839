"""Text as Telegram reads it: lengths in UTF-16, parse modes, links, and entities that Telegram finds.

Pure functions. Entities are the Bot API's objects: ``{"type", "offset", "length", …}``, offsets and lengths
in UTF-16 code units. Knows nothing of chats and messages.
"""
