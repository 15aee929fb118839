"""Leaving, stopping, and what Telegram tells of who is where: blocks, groups joined and left, upgrades."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from telegram import Update
from telegram.constants import ChatMemberStatus, ChatType
from telegram.ext import BaseHandler, ChatMemberHandler, ContextTypes, MessageHandler, filters

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, reply
from bot.handlers.guest import Guest, is_admin, meet, set_reachable
from bot.handlers.parts import Parts
from bot.presenter.courier import CallFailed
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.tables.lifecycle import Phase
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status

log = logging.getLogger(__name__)


async def ask_leave(parts: Parts, press: Press, asked: callbacks.AskLeave) -> Answer:
    """Ask once whether he really leaves."""
    guest = press.guest
    view = await parts.tables.view(asked.table, guest.user_id)
    _require_in(view)

    async def ask() -> None:
        await reply(parts, guest, guide.ask_leave(view, guest.words, guest.user_id))

    return Answer(then=ask)


async def leave_match(parts: Parts, press: Press, asked: callbacks.LeaveMatch) -> Answer:
    """Leave, confirmed. The question goes."""
    if asked.user_id != press.guest.user_id:
        raise Refusal(Refused.NOT_ASKED)
    await parts.tables.leave(asked.table, press.guest.user_id)
    return Answer(done(Done.LEFT, press.guest.words), then=_removing(parts, press))


async def stop_match(parts: Parts, press: Press, asked: callbacks.StopMatch) -> Answer:
    """Stop the match, confirmed by somebody who may. The question goes."""
    guest = press.guest
    try:
        await parts.tables.stop(asked.table, guest.user_id, is_admin=False)
    except Refusal as refused:
        if refused.reason is not Refused.NOT_HOST or not await is_admin(guest.chat_id, guest.user_id, parts):
            raise
        await parts.tables.stop(asked.table, guest.user_id, is_admin=True)
    return Answer(done(Done.STOPPED, guest.words), then=_removing(parts, press))


async def dismiss(parts: Parts, press: Press, asked: callbacks.Dismiss) -> Answer:
    """Close a question."""
    if asked.user_id != press.guest.user_id:
        raise Refusal(Refused.NOT_ASKED)
    return Answer(then=_removing(parts, press))


def _require_in(view: TableView) -> None:
    """Raises Refusal unless the viewer has a match to leave: table_over, not_seated, nothing_to_leave."""
    if view.phase is Phase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    if view.players[view.you].status is not Status.IN:
        raise Refusal(Refused.NOTHING_TO_LEAVE)


def _removing(parts: Parts, press: Press) -> Callable[[], Awaitable[None]] | None:
    """What removes the question that was answered by this press; None where it was no answer to it."""
    if not press.is_on_it:
        return None

    async def remove() -> None:
        try:
            await parts.presenter.remove(press.guest.chat_id, press.message_id)
        except CallFailed as failure:
            log.info("question not removed: %s", failure, extra={"chat": press.guest.chat_id})

    return remove


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room, and Telegram's notices about members."""

    async def leave(guest: Guest) -> None:
        """`/leave`: out of the lobby at once, out of a match after one question."""
        table_id = None if guest.is_private else await parts.tables.at(guest.chat_id, guest.thread_id)
        if table_id is None:
            raise Refusal(Refused.NO_TABLE)
        view = await parts.tables.view(table_id, guest.user_id)
        if view.you is None:
            await parts.tables.stand(table_id, guest.user_id)
            return
        _require_in(view)
        await reply(parts, guest, guide.ask_leave(view, guest.chat_words, guest.user_id, guest.name))

    async def stop(guest: Guest) -> None:
        """`/stop`: ends the table after one question; the host and admins may."""
        table_id = None if guest.is_private else await parts.tables.at(guest.chat_id, guest.thread_id)
        if table_id is None:
            raise Refusal(Refused.NO_TABLE)
        view = await parts.tables.view(table_id, guest.user_id)
        is_host = any(player.is_host and player.user_id == guest.user_id for player in view.players)
        if not is_host and not await is_admin(guest.chat_id, guest.user_id, parts):
            raise Refusal(Refused.NOT_HOST)
        await reply(parts, guest, guide.ask_stop(view, guest.chat_words, guest.user_id))

    async def on_own_membership(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """The bot was blocked or unblocked by a person, added to a group or thrown out of one."""
        change = update.my_chat_member
        assert change is not None
        is_there = change.new_chat_member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
        if change.chat.type == ChatType.PRIVATE:
            await parts.storage.people.see(
                change.from_user.id, change.from_user.full_name, change.from_user.language_code
            )
            await set_reachable(change.from_user.id, parts, reachable=is_there)
            return
        log.info("membership: %s", change.new_chat_member.status, extra={"chat": change.chat.id})
        if is_there:
            parts.presenter.reachable_again(change.chat.id)
        was_there = change.old_chat_member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
        guest = await meet(update, parts)
        if guest is not None and is_there and not was_there:
            await reply(parts, guest, guide.group_welcome(guest.chat_words, parts.bot_username))

    async def on_upgrade(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """The group has become a supergroup."""
        message = update.message
        if message is not None and message.migrate_to_chat_id is not None:
            await parts.tables.move_chat(message.chat_id, message.migrate_to_chat_id)

    return [
        command("leave", parts, leave),
        command("stop", parts, stop),
        ChatMemberHandler(on_own_membership, ChatMemberHandler.MY_CHAT_MEMBER),
        MessageHandler(filters.StatusUpdate.MIGRATE, on_upgrade),
    ]
