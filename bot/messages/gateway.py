"""The Telegram gateway: one method for each kind of call, and failures classified by their remedy.

The only module that turns a `Screen` into the library's arguments. It knows neither tables nor rate limits.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from telegram import (
    Bot,
    CopyTextButton,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.messages.photos import Photos
from bot.screens.picture import Picture, without_names
from bot.screens.screen import Rows, Screen, Style

log = logging.getLogger(__name__)

T = TypeVar("T")


class CallFailed(Exception):
    """A failed call; the subclasses say what can be done about it."""


class Flooded(CallFailed):
    """429: no more calls to this chat for `retry_after` seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class MessageGone(CallFailed):
    """The message is gone, or can't be edited any more: send it again."""


class OtherKind(CallFailed):
    """The message carries a picture where text was expected, or vice versa."""


class Undrawable(CallFailed):
    """The picture could not be drawn, which is a bug; the text can still be sent."""


class Undeletable(CallFailed):
    """The message is too old to be deleted, or the right to is missing."""


class Unreachable(CallFailed):
    """403: the person has not started the bot or has blocked it, or the bot is no longer in the group."""


class NotAllowed(CallFailed):
    """The bot is in the chat but may not do this there (write, pin, send to a closed topic)."""


class TopicGone(CallFailed):
    """The forum's topic has been deleted: nothing can be sent there any more."""


class Moved(CallFailed):
    """The group has become a supergroup with the id `chat_id`."""

    def __init__(self, chat_id: int) -> None:
        super().__init__(f"moved to {chat_id}")
        self.chat_id = chat_id


class Unanswered(CallFailed):
    """No answer from Telegram, or one that says nothing about this call: it may be made again.

    Server errors and temporarily refused tokens count too. Whether the call took effect is unknown.
    """


class Rejected(CallFailed):
    """Telegram refuses the call as malformed, which is a bug."""


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
    "chat_restricted",
    "chat_send_photos_forbidden",
    "chat_send_media_forbidden",
)
_TOPIC_GONE = ("message thread not found", "topic_deleted", "topic_id_invalid")
_OTHER_KIND = (
    "there is no text in the message to edit",
    "there is no caption in the message to edit",
)
_FILE_UNKNOWN = (
    "wrong file identifier",
    "wrong remote file identifier",
    "wrong file_id",
    "file_reference",
    "media_empty",
)
_CHAT_GONE = ("chat not found", "group chat was deactivated", "user is deactivated", "peer_id_invalid")


def _classified(error: TelegramError) -> CallFailed:
    """The library's error as a CallFailed. The phrases are the Bot API server's."""
    match error:
        case RetryAfter():
            after = error.retry_after
            return Flooded(float(after.total_seconds() if hasattr(after, "total_seconds") else after))
        case ChatMigrated():
            return Moved(error.new_chat_id)
        case Forbidden():
            return Unreachable(error.message)
        case BadRequest():
            text = error.message.lower()
            if any(word in text for word in _GONE):
                return MessageGone(error.message)
            if any(word in text for word in _OTHER_KIND):
                return OtherKind(error.message)
            if "message can't be deleted" in text:
                return Undeletable(error.message)
            if any(word in text for word in _TOPIC_GONE):
                return TopicGone(error.message)
            if any(word in text for word in _NOT_ALLOWED):
                return NotAllowed(error.message)
            if any(word in text for word in _CHAT_GONE):
                return Unreachable(error.message)
            return Rejected(error.message)
        case NetworkError() | InvalidToken():
            return Unanswered(error.message)
    return Rejected(error.message)


def _is_unchanged(error: TelegramError) -> bool:
    return isinstance(error, BadRequest) and "message is not modified" in error.message.lower()


def markup(rows: Rows) -> InlineKeyboardMarkup | None:
    """Return the library's form of our buttons; None if there are none."""
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


class MessageGateway:
    """Makes single calls. Every method raises a `CallFailed`, and nothing else of the library's.

    A screen with a picture is sent in one call, its text as the picture's caption. Captions have at most 1024
    UTF-16 units (https://core.telegram.org/bots/api#sendphoto), which screens respect.
    """

    def __init__(self, bot: Bot, photos: Photos) -> None:
        self._bot = bot
        self._photos = photos

    async def close(self) -> None:
        """Wait until the file ids of pictures are stored."""
        await self._photos.close()

    async def send(
        self, chat_id: int, thread_id: int, screen: Screen, *, silent: bool, reply_to: int = 0
    ) -> int:
        """Send a screen as a new message (thread 0: none) and return its id. Raises Undrawable too.

        It is a reply to the message `reply_to`, unless that is 0 or gone. A `thread_id` below 0 are comments:
        replies to the message with that id, but for the sign.
        """
        if thread_id < 0:
            reply_to, thread_id = reply_to or -thread_id, 0
        reply = ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None

        async def send_photo(photo: str | bytes) -> Message:
            return await self._bot.send_photo(
                chat_id,
                photo,
                caption=screen.text,
                parse_mode=ParseMode.HTML,
                reply_markup=markup(screen.rows),
                message_thread_id=thread_id or None,
                disable_notification=silent,
                reply_parameters=reply,
            )

        try:
            if screen.picture is not None:
                return (await self._with_photo(chat_id, screen.picture, send_photo)).message_id
            message = await self._bot.send_message(
                chat_id,
                screen.text,
                parse_mode=ParseMode.HTML,
                reply_markup=markup(screen.rows),
                message_thread_id=thread_id or None,
                disable_notification=silent,
                link_preview_options=_NO_PREVIEW,
                reply_parameters=reply,
            )
        except TelegramError as error:
            raise _classified(error) from error
        return message.message_id

    async def send_file(self, chat_id: int, name: str, content: bytes, caption: str) -> None:
        """Send a document with a plain caption."""
        try:
            await self._bot.send_document(chat_id, content, filename=name, caption=caption)
        except TelegramError as error:
            raise _classified(error) from error

    async def edit(self, chat_id: int, message_id: int, screen: Screen) -> None:
        """Make a message show this screen; one that shows it already is fine.

        A text or a picture can become this picture, but no picture can become a text: OtherKind.
        """

        async def edit_photo(photo: str | bytes) -> Message | bool:
            return await self._bot.edit_message_media(
                InputMediaPhoto(photo, caption=screen.text, parse_mode=ParseMode.HTML),
                chat_id,
                message_id,
                reply_markup=markup(screen.rows),
            )

        try:
            if screen.picture is not None:
                await self._with_photo(chat_id, screen.picture, edit_photo)
                return
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
                raise _classified(error) from error

    async def edit_caption(self, chat_id: int, message_id: int, screen: Screen) -> None:
        """Change the caption and the buttons of a picture. Raises OtherKind where there is none."""
        try:
            await self._bot.edit_message_caption(
                chat_id,
                message_id,
                caption=screen.text,
                parse_mode=ParseMode.HTML,
                reply_markup=markup(screen.rows),
            )
        except TelegramError as error:
            if not _is_unchanged(error):
                raise _classified(error) from error

    async def _with_photo(
        self, chat_id: int, picture: Picture, call: Callable[[str | bytes], Awaitable[T]]
    ) -> T:
        """Make a call with a picture: by its file id, or uploaded if Telegram does not have it."""
        where = {"chat": chat_id, "picture": picture.digest}
        file_id = await self._photos.find(picture)
        if file_id is not None:
            try:
                return await call(file_id)
            except BadRequest as error:
                if not any(word in error.message.lower() for word in _FILE_UNKNOWN):
                    raise
                log.warning("a file that was sent before is not known: %s", error, extra=where)
                self._photos.forget(picture)
        try:
            content = await self._photos.draw(picture)
        except Exception as error:
            # The logged value draws the picture again; it shows no more than the picture would.
            log.exception("a picture cannot be drawn: %r", without_names(picture), extra=where)
            raise Undrawable(repr(error)) from error
        answer = await call(content)
        if isinstance(answer, Message) and answer.photo:
            self._photos.remember(picture, answer.photo[-1].file_id)
        return answer

    async def remove_keyboard(self, chat_id: int, message_id: int) -> None:
        """Remove a message's buttons and leave its text."""
        try:
            await self._bot.edit_message_reply_markup(chat_id, message_id, reply_markup=None)
        except TelegramError as error:
            if not _is_unchanged(error):
                raise _classified(error) from error

    async def pin(self, chat_id: int, message_id: int) -> None:
        """Pin a message without a notification."""
        try:
            await self._bot.pin_chat_message(chat_id, message_id, disable_notification=True)
        except TelegramError as error:
            raise _classified(error) from error

    async def unpin(self, chat_id: int, message_id: int) -> None:
        """Unpin a message."""
        try:
            await self._bot.unpin_chat_message(chat_id, message_id)
        except TelegramError as error:
            raise _classified(error) from error

    async def delete(self, chat_id: int, message_id: int) -> None:
        """Delete a message; one that is gone already is fine."""
        try:
            await self._bot.delete_message(chat_id, message_id)
        except TelegramError as error:
            failure = _classified(error)
            if not isinstance(failure, MessageGone):
                raise failure from error
