"""Validates inline keyboards, with Telegram's limits and error messages.

A keyboard is stored as rows of the Bot API's InlineKeyboardButton objects.
"""

import json

from sandbox.errors import bad_request
from sandbox.model import Json
from sandbox.schema.sizes import (
    BUTTON_STYLES,
    MAX_BUTTONS,
    MAX_BUTTONS_IN_ROW,
    MAX_CALLBACK_DATA_BYTES,
    MAX_COPY_TEXT,
    MAX_MARKUP_BYTES,
)
from sandbox.text.links import USER_LINK, WrongLinkError, checked_link

ACTIONS = frozenset(
    {
        "url",
        "callback_data",
        "web_app",
        "login_url",
        "switch_inline_query",
        "switch_inline_query_current_chat",
        "switch_inline_query_chosen_chat",
        "copy_text",
        "callback_game",
        "pay",
        "disabled",
    }
)
"""The actions of a button (Bot API: InlineKeyboardButton)."""
EMPTY_IS_NONE = frozenset({"url", "callback_data"})
"""Fields in which an empty string means none (telegram-bot-api, get_inline_keyboard_button)."""


def inline_keyboard(markup: Json) -> list[list[Json]]:
    """Return the rows of an InlineKeyboardMarkup that Telegram would accept, without empty ones.

    Raises:
        ApiError: 400 for the first invalid button, or for the keyboard as a whole.
    """
    rows: list[list[Json]] = [[_checked(button) for button in row] for row in markup["inline_keyboard"]]
    rows = [row for row in rows if row]
    too_many = sum(map(len, rows)) > MAX_BUTTONS or any(len(row) > MAX_BUTTONS_IN_ROW for row in rows)
    if too_many or len(json.dumps(rows, ensure_ascii=False).encode()) > MAX_MARKUP_BYTES:
        raise bad_request("reply markup is too long")
    return rows


def _checked(button: Json) -> Json:
    actions = sorted(name for name in ACTIONS & button.keys() if name not in EMPTY_IS_NONE or button[name])
    if not actions:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if len(actions) > 1:
        # Telegram would silently use the first; the documentation demands exactly one.
        raise bad_request(
            f"can't parse inline keyboard button: Only one of {' and '.join(actions)} can be used"
        )
    if not button["text"].strip():
        raise bad_request("can't parse inline keyboard button: Button text must be non-empty")
    if button.get("style", "primary") not in BUTTON_STYLES:
        raise bad_request("can't parse inline keyboard button: Invalid button style specified")
    match actions[0]:
        case "callback_data":
            if len(button["callback_data"].encode()) > MAX_CALLBACK_DATA_BYTES:
                raise bad_request("BUTTON_DATA_INVALID")
        case "url":
            return {**button, "url": _checked_url(button["url"])}
        case "copy_text":
            if not 1 <= len(button["copy_text"]["text"]) <= MAX_COPY_TEXT:
                raise bad_request("BUTTON_COPY_TEXT_INVALID")
        case "pay":
            raise bad_request("BUTTON_TYPE_INVALID")  # the sandbox sends no invoices
    return button


def _checked_url(url: str) -> str:
    if USER_LINK.fullmatch(url):
        return url
    try:
        return checked_link(url)
    except WrongLinkError as reason:
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: {reason}") from None
