"""Declares commands, runs their handlers, and answers them."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from telegram import Update
from telegram.ext import CommandHandler, ContextTypes, filters

from bot.handlers.answer import Press
from bot.handlers.failures import apologizing
from bot.handlers.registry import register_command
from bot.handlers.replies import remove, send
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor, identify, thread_of, translator_of_chat
from bot.handlers.write_forbidden import tell_write_forbidden
from bot.messages.gateway import CallFailed, NotAllowed
from bot.messages.kinds import Kind, Slot, slot
from bot.screens import help as guide
from bot.screens.answers import refusal
from bot.screens.notices import anonymous_sender
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal

log = logging.getLogger(__name__)

HandleCommand = Callable[[Services, Visitor], Awaitable[None]]
HandleCommandWithArguments = Callable[[Services, Visitor, list[str]], Awaitable[None]]


def command(name: str) -> Callable[[HandleCommand], HandleCommand]:
    """Register the decorated function as the handler of `/name`.

    The person gets a reply to a `Refusal` that it raises, and an apology for any other exception. Edited
    messages are ignored.
    """

    def register(handle: HandleCommand) -> HandleCommand:
        async def without_arguments(services: Services, visitor: Visitor, _arguments: list[str]) -> None:
            await handle(services, visitor)

        command_with_arguments(name)(without_arguments)
        return handle

    return register


def command_with_arguments(
    name: str,
) -> Callable[[HandleCommandWithArguments], HandleCommandWithArguments]:
    """Like `command`, for a function that also takes the words after the command."""

    def register(handle: HandleCommandWithArguments) -> HandleCommandWithArguments:
        def make(services: Services) -> CommandHandler[ContextTypes.DEFAULT_TYPE, None]:
            async def on_command(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
                await _run_command(services, update, context.args or [], handle)

            return CommandHandler(name, on_command, filters.UpdateType.MESSAGE)

        register_command(name, make)
        return handle

    return register


async def _run_command(
    services: Services, update: Update, arguments: list[str], handle: HandleCommandWithArguments
) -> None:
    async with apologizing(services, update):
        visitor = await identify(update, services)
        if visitor is None:
            await _tell_anonymous(update, services)
        else:
            await _carry_out_for(services, visitor, arguments, handle)


async def _carry_out_for(
    services: Services, visitor: Visitor, arguments: list[str], handle: HandleCommandWithArguments
) -> None:
    try:
        await _mark_present(services, visitor)
        await handle(services, visitor, arguments)
    except Refusal as refused:
        text = refusal(refused.reason, visitor.chat_tr, who=refused.who)
        notice = guide.notice(text, refused.reason, visitor.chat_tr, services.bot_username)
        await reply(services, visitor, slot(Kind.REFUSAL, visitor.user_id), notice)
    except CallFailed as failure:
        log.info("could not answer: %s", failure, extra={"chat": visitor.chat_id, "user": visitor.user_id})


async def _mark_present(services: Services, visitor: Visitor) -> None:
    """Mark a person who types a command in a group as present at its table."""
    table_id = None if visitor.is_private else await services.queries.at(visitor.chat_id, visitor.thread_id)
    if table_id is not None:
        await services.tables.mark_present(table_id, visitor.user_id)


async def _tell_anonymous(update: Update, services: Services) -> None:
    """Tell somebody who writes as the group or as a channel how to use commands."""
    message = update.effective_message
    if message is None or message.sender_chat is None:
        return
    tr = await translator_of_chat(message.chat_id, services)
    screen = anonymous_sender(tr, as_channel=message.sender_chat.id != message.chat_id)
    thread_id = thread_of(message)
    try:
        await send(
            services,
            message.chat_id,
            thread_id,
            Kind.ANONYMOUS_SENDER,
            screen,
            asked_by=message.sender_chat.id,
            reply_to=message.message_id,
        )
    except CallFailed as failure:
        log.info("could not reply: %s", failure, extra={"chat": message.chat_id})


async def reply(
    services: Services, visitor: Visitor, of: Kind | Slot, screen: Screen, *, table_id: str = ""
) -> None:
    """Answer in the visitor's chat, in a group as a reply; an earlier answer in that slot is removed."""
    try:
        await send(
            services,
            visitor.chat_id,
            visitor.thread_id,
            of,
            screen,
            table_id=table_id,
            asked_by=visitor.user_id,
            reply_to=visitor.message_id,
        )
    except NotAllowed as failure:
        log.info("may not reply: %s", failure, extra={"chat": visitor.chat_id, "user": visitor.user_id})
        await tell_write_forbidden(services, visitor.chat_id, visitor.user_id)
    except CallFailed as failure:
        log.info("could not reply: %s", failure, extra={"chat": visitor.chat_id, "user": visitor.user_id})


async def turn_page(
    services: Services, press: Press, of: Kind | Slot, screen: Screen, *, table_id: str = ""
) -> None:
    """Show a page in the message that was pressed, if it has this slot; otherwise send a new message.

    A new message is also sent if the old one has a picture and the page has none: an edit cannot remove it.
    """
    visitor = press.visitor

    async def send_anew() -> None:
        await reply(services, visitor, of, screen, table_id=table_id)

    is_ours = await services.storage.replies.find(visitor.chat_id, press.message_id) == of
    if not is_ours or (press.is_on_picture and screen.picture is None):
        await send_anew()
    else:
        services.outbox.redraw(visitor.chat_id, press.message_id, screen, send_anew, asked_by=visitor.user_id)


async def remove_answer(services: Services, press: Press, of: Kind | Slot) -> None:
    """Remove the message that was pressed, if it has this slot."""
    visitor = press.visitor
    if await services.storage.replies.find(visitor.chat_id, press.message_id) == of:
        await remove(services, visitor.chat_id, press.message_id, visitor.user_id)
