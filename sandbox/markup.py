"""Inline keyboards: what Telegram takes, and in which words it refuses the rest.

A keyboard is kept as rows of the Bot API's InlineKeyboardButton objects.
"""

import re

from sandbox.errors import ApiError, bad_request
from sandbox.html_mode import checked_url
from sandbox.model import Json

MAX_BUTTONS = 100
MAX_IN_ROW = 8
MAX_CALLBACK_DATA_BYTES = 64
MAX_COPY_TEXT = 256
STYLES = frozenset({"danger", "success", "primary"})
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
    }
)
"""What a button can do; exactly one of them is set (Bot API: InlineKeyboardButton)."""


def inline_keyboard(markup: Json) -> list[list[Json]]:
    """The rows of an InlineKeyboardMarkup that Telegram would take, without empty ones.

    Raises:
        ApiError: 400, for the first button that is not as it must be.
    """
    rows: list[list[Json]] = [[_checked(button) for button in row] for row in markup["inline_keyboard"]]
    rows = [row for row in rows if row]
    if sum(map(len, rows)) > MAX_BUTTONS or any(len(row) > MAX_IN_ROW for row in rows):
        raise bad_request("reply markup is too long")
    return rows


def _checked(button: Json) -> Json:
    text = button["text"]
    if not text.strip():
        raise bad_request("can't parse inline keyboard button: Text of the button must be non-empty")
    actions = ACTIONS & button.keys()
    if not actions:
        raise bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
        )
    if len(actions) > 1:
        raise bad_request(
            "can't parse inline keyboard button: exactly one of the optional fields must be used"
        )
    if button.get("style", "primary") not in STYLES:
        raise bad_request("can't parse inline keyboard button: invalid button style specified")
    match next(iter(actions)):
        case "callback_data":
            _check_callback_data(button["callback_data"])
        case "url":
            return {**button, "url": _checked_url(button["url"])}
        case "copy_text":
            if not 1 <= len(button["copy_text"]["text"]) <= MAX_COPY_TEXT:
                raise bad_request("BUTTON_COPY_TEXT_INVALID")
    return button


def _check_callback_data(data: str) -> None:
    if not 1 <= len(data.encode()) <= MAX_CALLBACK_DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")


def _checked_url(url: str) -> str:
    user = re.fullmatch(r"tg://user\?id=\d+", url)
    checked = url if user else checked_url(url)
    if checked is None:
        raise _wrong_url(url)
    return checked


def _wrong_url(url: str) -> ApiError:
    reason = "URL is empty" if not url else "Wrong HTTP URL"
    return bad_request(f"inline keyboard button URL '{url}' is invalid: {reason}")
