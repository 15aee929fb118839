"""Lengths, counts and sizes that types don't express, each with its source.

Lengths are in characters unless their name says otherwise.
"""

import re

MAX_TEXT = 4096
"""Bot API, sendMessage: text, «after entities parsing»."""
MAX_CAPTION = 1024
"""Bot API, sendPhoto: caption, «after entities parsing»."""
MAX_INPUT_BYTES = 1 << 15
"""Size of a text or caption before parsing (telegram-bot-api, Client.cpp, get_formatted_text)."""
MAX_CALLBACK_ANSWER = 200
"""Bot API, answerCallbackQuery: text."""

MAX_BUTTONS = 100
MAX_BUTTONS_IN_ROW = 8
"""limits.tginfo.me; github.com/tginfo/Telegram-Limits/issues/228."""
MAX_MARKUP_BYTES = 10 * 1024
"""A keyboard as JSON; github.com/tginfo/Telegram-Limits/issues/187."""
MAX_CALLBACK_DATA_BYTES = 64
"""Bot API, InlineKeyboardButton: callback_data."""
MAX_COPY_TEXT = 256
"""Bot API, CopyTextButton: text."""
BUTTON_STYLES = frozenset({"danger", "success", "primary"})
"""Bot API, InlineKeyboardButton: style."""

START_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""core.telegram.org/bots/features#deep-linking."""

MAX_TITLE = 128
"""Bot API, setChatTitle: title; editForumTopic: name."""

MAX_COMMANDS = 100
COMMAND = re.compile(r"[a-z0-9_]{1,32}")
MAX_COMMAND_DESCRIPTION = 256
"""Bot API, setMyCommands, BotCommand."""
LANGUAGE = re.compile(r"[a-z]{2}")
"""Bot API, setMyCommands: language_code."""
MAX_BOT_NAME = 64
MAX_BOT_DESCRIPTION = 512
MAX_BOT_SHORT_DESCRIPTION = 120
"""Bot API, setMyName, setMyDescription, setMyShortDescription."""

MAX_PHOTO_BYTES = 10 * 1024 * 1024
MAX_PHOTO_SIDES = 10_000
MAX_PHOTO_RATIO = 20
"""Bot API, sendPhoto: photo; limits for the sum of width and height, and for their ratio."""
MAX_DOCUMENT_BYTES = 50 * 1024 * 1024
MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024
"""Bot API, sendDocument, getFile."""

MAX_DELETED_AT_ONCE = 100
"""Bot API, deleteMessages."""
DELETABLE_SECONDS = 48 * 3600
"""Bot API, deleteMessage."""
MAX_UPDATES = 100
MAX_POLL_SECONDS = 50
"""Bot API, getUpdates: limit; telegram-bot-api, Client.cpp, caps the timeout."""
WEBHOOK_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""Bot API, setWebhook: secret_token."""

CHAT_ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
"""Bot API, sendChatAction."""
FOUND_ENTITIES = frozenset(
    {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"}
)
"""Kinds that Telegram finds itself; in ``entities`` it accepts and ignores them."""
MARKED_ENTITIES = frozenset(
    {
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    }
)
"""Kinds that a bot may set (Bot API, MessageEntity)."""
