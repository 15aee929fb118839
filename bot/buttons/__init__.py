"""The buttons, each declared once, and their encoding into at most 64 bytes of callback data.

Screens encode and handlers decode; no other code knows the format. Callback data comes from clients and can
be forged: `decode` returns None for anything that `encode` would not have produced, and decoded data says
only what is *requested*, never that it is allowed.

All modules with buttons are imported here, so importing this package is enough to decode every button.
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
