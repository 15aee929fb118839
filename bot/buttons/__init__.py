"""Every button: what its press asks for, declared once, and its data of at most 64 bytes.

Screens encode, handlers decode; nobody else knows the format. The data comes back from clients, so it can be
forged: `decode` answers None for anything `encode` would not have written, and what it decodes says only what
somebody *asks* for, never that they may.

A module with buttons is imported here as a whole: whoever imports this package can decode all of them.
"""

# ruff: noqa: F403 - every class of these modules is a button, named once: where it is declared

from bot.buttons.codec import MAX_BYTES as MAX_BYTES
from bot.buttons.codec import decode as decode
from bot.buttons.codec import encode as encode
from bot.buttons.computers import *
from bot.buttons.declare import BUTTONS as BUTTONS
from bot.buttons.declare import CallbackData as CallbackData
from bot.buttons.declare import Where as Where
from bot.buttons.menus import *
from bot.buttons.people import *
from bot.buttons.records import *
from bot.buttons.table import *
