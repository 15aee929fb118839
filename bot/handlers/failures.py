"""Handles failed updates: apologizes to the person, and logs the update so that it can be replayed.

The log contains no texts, names or cards, and of the bot's own messages only their place, since they may show
a hand. The apology writes nothing to the database, which may be what has failed.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from telegram import Update, User
from telegram.ext import ContextTypes

from bot.buttons import Lay, PickPremoveSuit, PickSuit, SetPremove, TryCard, decode, encode
from bot.handlers.services import Services
from bot.handlers.visitor import thread_of
from bot.locales import Translator, pick_language
from bot.logs import without_words
from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind
from bot.screens.answers import fault
from bot.screens.screen import Screen
from bot.storage.errors import StorageError
from engine.cards import CARDS

log = logging.getLogger(__name__)

_LOGGED_FIELDS = {
    *("update_id", "message_id", "message_thread_id", "media_group_id", "id", "chat_instance"),
    *("migrate_to_chat_id", "migrate_from_chat_id", "date", "edit_date", "until_date"),
    *("type", "status", "language_code", "offset", "length"),
}
"""Fields whose values are logged because they contain nothing personal
(https://core.telegram.org/bots/api#update)."""


async def log_failure(update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """Log a handler's exception, with the update it was handling."""
    facts = (
        json.dumps(without_content(update.to_dict())) if isinstance(update, Update) else type(update).__name__
    )
    log.error("an update was not handled", exc_info=context.error, extra={"update": facts})


@asynccontextmanager
async def apologizing(services: Services, update: Update) -> AsyncIterator[None]:
    """Apologize to the sender of this update if the body raises an exception, and re-raise it.

    A person gets at most one apology a minute in a chat.
    """
    try:
        yield
    except Exception:
        await _apologize(services, update)
        raise


async def _apologize(services: Services, update: Update) -> None:
    sender, chat, message = update.effective_sender, update.effective_chat, update.message
    if sender is None or chat is None or not services.apologies.is_due(sender.id, chat.id, services.now()):
        return
    is_private = sender.id == chat.id
    tr = await translator_of(services, update.effective_user, None if is_private else chat.id)
    try:
        await services.outbox.say(
            chat.id,
            thread_of(message),
            Screen(fault(tr)),
            kind=Kind.REFUSAL,
            asked_by=sender.id,
            reply_to=0 if is_private or message is None else message.message_id,
        )
    except CallFailed as failure:
        log.info("could not apologize: %s", failure, extra={"chat": chat.id, "user": sender.id})


async def translator_of(services: Services, user: User | None, chat_id: int | None) -> Translator:
    """The translator of the group's language, or of the person's own if `chat_id` is None.

    If the database cannot be read, the language of the person's app counts.
    """
    chosen = None
    try:
        if chat_id is not None:
            chat = await services.storage.chats.get(chat_id)
            chosen = None if chat is None else chat.language
        elif user is not None:
            person = await services.storage.people.get(user.id)
            chosen = None if person is None else person.language
    except (StorageError, sqlite3.Error) as failure:
        log.warning("no language could be read: %s", failure)
    return services.catalogues[pick_language(chosen, None if user is None else user.language_code)]


def without_content(part: Any, name: str = "") -> Any:
    """Return a part of an update with its structure but without people's content.

    Texts keep their length, so that their entities still fit; a command keeps its name.
    """
    match part:
        case dict():
            if part.get("from", {}).get("is_bot"):
                return {
                    field: without_content(part[field], field)
                    for field in ("message_id", "date", "chat")
                    if field in part
                }
            kept = {field: without_content(value, field) for field, value in part.items()}
            if isinstance(part.get("text"), str):
                kept["text"] = _without_words_but_commands(part["text"], part.get("entities", ()))
            return kept
        case list():
            return [without_content(item, name) for item in part]
        case bool():
            return part
        case int() | float():
            return part if name in _LOGGED_FIELDS else 0
        case str() if name == "data":
            return _without_card(part)
        case str():
            return part if name in _LOGGED_FIELDS else without_words(part)
    return part


def _without_words_but_commands(text: str, entities: Any) -> str:
    length = max(
        (it["length"] for it in entities if it["type"] == "bot_command" and it["offset"] == 0), default=0
    )
    return text[:length] + without_words(text[length:])


def _without_card(data: str) -> str:
    """Replace the card in a button's data by the first one of the deck."""
    asked = decode(data)
    if asked is None:
        return without_words(data)
    if isinstance(asked, Lay | PickSuit | SetPremove | PickPremoveSuit | TryCard):
        return encode(replace(asked, card=CARDS[0]))
    return data
