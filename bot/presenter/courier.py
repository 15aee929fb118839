"""Carries screens to Telegram: one method for each kind of call, and failures sorted by what can be done
about them.

The only module that turns a `Screen` into the library's arguments. It knows neither tables nor budgets.
"""

from __future__ import annotations

from telegram import Bot, CopyTextButton, InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from bot.screens.screen import Rows, Screen, Style


class CallFailed(Exception):
    """A call that did not do what it should; the subclasses say what follows from that."""


class Flooded(CallFailed):
    """429: this chat wants silence for `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class MessageGone(CallFailed):
    """The message is not there any more, or cannot be edited any more: send it anew."""


class Undeletable(CallFailed):
    """The message is too old to be deleted, or the right to is missing."""


class Unreachable(CallFailed):
    """403: the person has not started the bot or has blocked it, or the bot is no longer in the group."""


class NotAllowed(CallFailed):
    """The bot is in the chat but may not do this there (write, pin, send to a closed topic)."""


class Moved(CallFailed):
    """The group has become a supergroup with the id `chat_id`."""

    def __init__(self, chat_id: int) -> None:
        super().__init__(f"moved to {chat_id}")
        self.chat_id = chat_id


class Unanswered(CallFailed):
    """No answer, or the server's own error: whether the call was carried out is not known."""


class Rejected(CallFailed):
    """Telegram finds the call itself wrong: a fault of ours, to be logged and mended."""


_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message to delete not found",
    "message to pin not found",
    "message to unpin not found",
)
_NOT_ALLOWED = (
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "topic_closed",
    "message thread not found",
    "chat_restricted",
)
_CHAT_GONE = ("chat not found", "group chat was deactivated", "user is deactivated", "peer_id_invalid")


def _sorted_failure(error: TelegramError) -> CallFailed:
    """What a failure of the library means for us. The words are the Bot API server's."""
    match error:
        case RetryAfter():
            after = error.retry_after
            return Flooded(float(after.total_seconds() if hasattr(after, "total_seconds") else after))
        case ChatMigrated():
            return Moved(error.new_chat_id)
        case Forbidden():
            return Unreachable(error.message)
        case BadRequest():
            words = error.message.lower()
            if any(word in words for word in _GONE):
                return MessageGone(error.message)
            if "message can't be deleted" in words:
                return Undeletable(error.message)
            if any(word in words for word in _NOT_ALLOWED):
                return NotAllowed(error.message)
            if any(word in words for word in _CHAT_GONE):
                return Unreachable(error.message)
            return Rejected(error.message)
        case NetworkError():
            return Unanswered(error.message)
    return Rejected(error.message)


def _is_unchanged(error: TelegramError) -> bool:
    return isinstance(error, BadRequest) and "message is not modified" in error.message.lower()


def markup(rows: Rows) -> InlineKeyboardMarkup | None:
    """The library's form of our buttons; None where there are none."""
    if not rows:
        return None
    return InlineKeyboardMarkup(
        [
            [
                InlineKeyboardButton(
                    text=button.text,
                    callback_data=button.data,
                    url=button.url,
                    copy_text=CopyTextButton(button.copy) if button.copy is not None else None,
                    style=None if button.style is Style.PLAIN else button.style.value,
                )
                for button in row
            ]
            for row in rows
        ]
    )


_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class Courier:
    """Makes single calls. Every method raises a `CallFailed`, and nothing else of the library's."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send(self, chat_id: int, thread_id: int, screen: Screen, *, silent: bool) -> int:
        """Send a screen as a new message (thread 0: none) and return its id."""
        try:
            message = await self._bot.send_message(
                chat_id,
                screen.text,
                parse_mode=ParseMode.HTML,
                reply_markup=markup(screen.rows),
                message_thread_id=thread_id or None,
                disable_notification=silent,
                link_preview_options=_NO_PREVIEW,
            )
        except TelegramError as error:
            raise _sorted_failure(error) from error
        return message.message_id

    async def send_file(self, chat_id: int, name: str, content: bytes, caption: str) -> None:
        """Send a document with a plain caption."""
        try:
            await self._bot.send_document(chat_id, content, filename=name, caption=caption)
        except TelegramError as error:
            raise _sorted_failure(error) from error

    async def edit(self, chat_id: int, message_id: int, screen: Screen) -> None:
        """Make a message show this screen; one that shows it already is fine."""
        try:
            await self._bot.edit_message_text(
                screen.text,
                chat_id,
                message_id,
                parse_mode=ParseMode.HTML,
                reply_markup=markup(screen.rows),
                link_preview_options=_NO_PREVIEW,
            )
        except TelegramError as error:
            if not _is_unchanged(error):
                raise _sorted_failure(error) from error

    async def strip(self, chat_id: int, message_id: int) -> None:
        """Take a message's buttons away and leave its text."""
        try:
            await self._bot.edit_message_reply_markup(chat_id, message_id, reply_markup=None)
        except TelegramError as error:
            if not _is_unchanged(error):
                raise _sorted_failure(error) from error

    async def pin(self, chat_id: int, message_id: int) -> None:
        """Pin a message without a ring."""
        try:
            await self._bot.pin_chat_message(chat_id, message_id, disable_notification=True)
        except TelegramError as error:
            raise _sorted_failure(error) from error

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Take a pin off."""
        try:
            await self._bot.unpin_chat_message(chat_id, message_id)
        except TelegramError as error:
            raise _sorted_failure(error) from error

    async def delete(self, chat_id: int, message_id: int) -> None:
        """Delete a message; one that is gone already is fine."""
        try:
            await self._bot.delete_message(chat_id, message_id)
        except TelegramError as error:
            failure = _sorted_failure(error)
            if not isinstance(failure, MessageGone):
                raise failure from error
