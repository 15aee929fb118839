"""How commands are heard and answered: who asks, a refusal in words, nothing for edited messages."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from telegram import Update
from telegram.ext import CommandHandler, ContextTypes, filters

from bot.handlers.answer import Press
from bot.handlers.barred import tell_barred
from bot.handlers.guest import Guest, meet, thread_of, words_of_chat
from bot.handlers.parts import Parts
from bot.handlers.replies import take_place
from bot.presenter.courier import CallFailed, NotAllowed
from bot.screens import help as guide
from bot.screens.answers import fault, refusal
from bot.screens.notices import masked
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)

Command = Callable[[Guest], Awaitable[None]]
CommandWithArguments = Callable[[Guest, list[str]], Awaitable[None]]


def command(
    name: str, parts: Parts, do: Command, *, only: filters.BaseFilter = filters.UpdateType.MESSAGE
) -> CommandHandler[ContextTypes.DEFAULT_TYPE, None]:
    """A handler for `/name`; a `Refusal` that `do` raises is told to who asked, and so is a fault of ours."""

    async def without_arguments(guest: Guest, _arguments: list[str]) -> None:
        await do(guest)

    return command_with_arguments(name, parts, without_arguments, only=only)


def command_with_arguments(
    name: str,
    parts: Parts,
    do: CommandWithArguments,
    *,
    only: filters.BaseFilter = filters.UpdateType.MESSAGE,
) -> CommandHandler[ContextTypes.DEFAULT_TYPE, None]:
    """As `command`, with the words that follow the command."""

    async def on_command(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        guest = await meet(update, parts)
        if guest is None:
            await _tell_masked(update, parts)
            return
        try:
            await _notice(parts, guest)
            await do(guest, context.args or [])
        except Refusal as refused:
            text = refusal(refused.reason, guest.chat_words, who=refused.who)
            await reply(
                parts, guest, guide.notice(text, refused.reason, guest.chat_words, parts.bot_username)
            )
        except CallFailed as failure:
            log.info("could not answer: %s", failure, extra={"chat": guest.chat_id, "user": guest.user_id})
        except Exception:
            await reply(parts, guest, Screen(fault(guest.chat_words)))
            raise  # the application's error handler logs it

    return CommandHandler(name, on_command, filters=only & filters.UpdateType.MESSAGE)


async def _notice(parts: Parts, guest: Guest) -> None:
    """Whoever types a command in a group is there, which its table takes note of."""
    table_id = None if guest.is_private else await parts.tables.at(guest.chat_id, guest.thread_id)
    if table_id is not None:
        await parts.tables.notice(table_id, guest.user_id)


async def _tell_masked(update: Update, parts: Parts) -> None:
    """To somebody who writes as the group or as a channel: nobody can tell who he is, and how to show it."""
    message = update.effective_message
    if message is None or message.sender_chat is None:
        return
    words = await words_of_chat(message.chat_id, parts)
    screen = masked(words, as_channel=message.sender_chat.id != message.chat_id)
    thread_id = thread_of(message)
    try:
        message_id = await parts.presenter.say(message.chat_id, thread_id, screen)
    except CallFailed as failure:
        log.info("could not reply: %s", failure, extra={"chat": message.chat_id})
    else:
        await take_place(parts, message.chat_id, thread_id, "masked", message_id)


async def reply(parts: Parts, guest: Guest, screen: Screen) -> int | None:
    """Say something in the chat the guest is in; None where the chat does not allow it."""
    try:
        return await parts.presenter.say(guest.chat_id, guest.thread_id, screen)
    except NotAllowed as failure:
        log.info("may not reply: %s", failure, extra={"chat": guest.chat_id, "user": guest.user_id})
        await tell_barred(parts, guest.chat_id, guest.user_id)
        return None
    except CallFailed as failure:
        log.info("could not reply: %s", failure, extra={"chat": guest.chat_id, "user": guest.user_id})
        return None


async def replace_answer(parts: Parts, guest: Guest, kind: str, screen: Screen) -> None:
    """Send an answer of this kind, and remove the chat's earlier one."""
    message_id = await reply(parts, guest, screen)
    if message_id is not None:
        await take_place(parts, guest.chat_id, guest.thread_id, kind, message_id)


async def turn_page(parts: Parts, press: Press, kind: str, screen: Screen) -> None:
    """Show a page in the message that was pressed, if that is the chat's answer of this kind; else anew.

    Anew also where the message carries a picture and the page has none: no edit can bring that about.
    """
    guest = press.guest

    async def send_anew() -> None:
        await replace_answer(parts, guest, kind, screen)

    is_ours = await parts.storage.replies.find(guest.chat_id, press.message_id) == kind
    if not is_ours or (press.is_on_picture and screen.picture is None):
        await send_anew()
    else:
        parts.presenter.redraw(guest.chat_id, press.message_id, screen, send_anew)


async def remove_answer(parts: Parts, press: Press, kind: str) -> None:
    """Remove the message that was pressed, if it is the chat's answer of this kind."""
    guest = press.guest
    if await parts.storage.replies.find(guest.chat_id, press.message_id) != kind:
        return
    try:
        await parts.presenter.remove(guest.chat_id, press.message_id)
    except CallFailed as failure:
        log.info("answer not removed: %s", failure, extra={"chat": guest.chat_id, "user": guest.user_id})
