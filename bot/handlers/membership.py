"""Leaving, and what Telegram tells of who is where: blocks, groups joined and left, upgrades."""

from __future__ import annotations

import logging

from telegram import ChatMemberUpdated, Update
from telegram.constants import ChatType
from telegram.ext import BaseHandler, ChatMemberHandler, ContextTypes, MessageHandler, filters

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, reply
from bot.handlers.guest import Guest, meet, see, set_reachable, table_here
from bot.handlers.member_cache import Standing
from bot.handlers.members import dismiss, standing_of
from bot.handlers.parts import Parts
from bot.handlers.questions import ask, removing
from bot.handlers.standing import is_admin, is_present, may_pin
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

    async def then() -> None:
        await ask(parts, guest, "leave", guide.ask_leave(view, guest.words, guest.user_id))

    return Answer(then=then)


async def leave_match(parts: Parts, press: Press, asked: callbacks.LeaveMatch) -> Answer:
    """Leave, confirmed. The question goes."""
    if asked.user_id != press.guest.user_id:
        raise Refusal(Refused.NOT_ASKED)
    await parts.tables.leave(asked.table, press.guest.user_id)
    return Answer(done(Done.LEFT, press.guest.words), then=removing(parts, press))


def _require_in(view: TableView) -> None:
    """Raises Refusal unless the viewer has a match to leave: table_over, not_seated, nothing_to_leave."""
    if view.phase is Phase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    if not _is_in(view, view.you):
        raise Refusal(Refused.NOTHING_TO_LEAVE)


def _is_in(view: TableView, seat: int) -> bool:
    """Has he a match to leave? Who plays alone has one when he is out, too: the computers play on."""
    status = view.players[seat].status
    return status is Status.IN or (view.is_alone and status is Status.OUT)


async def _ask_leave_in_private(parts: Parts, guest: Guest) -> None:
    """One question for each match he is in, which it names. Raises Refusal: in_group, if he is in none."""
    views = [
        await parts.tables.view(table_id, guest.user_id)
        for table_id in await parts.tables.running_of(guest.user_id)
    ]
    matches = [view for view in views if view.you is not None and _is_in(view, view.you)]
    if not matches:
        raise Refusal(Refused.IN_GROUP)
    for number, view in enumerate(matches, 1):
        kind = "leave" if number == 1 else f"leave {number}"
        await ask(parts, guest, kind, guide.ask_leave(view, guest.words, guest.user_id))


async def _take_over_standing(parts: Parts, change: ChatMemberUpdated) -> None:
    """What the bot may do in a group has changed: its tables there sleep, wake, or look otherwise."""
    chat_id, member = change.chat.id, change.new_chat_member
    parts.lookups.forget(chat_id)
    log.info("membership: %s", member.status, extra={"chat": chat_id})
    await parts.storage.chats.set_may_pin(chat_id, may_pin(member))
    await parts.storage.chats.set_refused_pictures(chat_id, None)
    if not is_present(member):
        await parts.tables.banish(chat_id)
        return
    parts.presenter.reachable_again(chat_id)
    await parts.tables.readmit(chat_id)
    for table_id in await parts.tables.running_in(chat_id):
        if is_present(change.old_chat_member):
            parts.presenter.mark(table_id)  # its pictures may be sent again
        else:
            await parts.presenter.bring_down(table_id)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room, and Telegram's notices about members."""

    async def leave(guest: Guest) -> None:
        """`/leave`: out of the lobby at once, out of a match after one question."""
        if guest.is_private:
            await _ask_leave_in_private(parts, guest)
            return
        table_id = await table_here(guest, parts)
        view = await parts.tables.view(table_id, guest.user_id)
        if view.you is None:
            await parts.tables.stand(table_id, guest.user_id)
            await parts.presenter.bring_down(table_id)
            return
        _require_in(view)
        await ask(parts, guest, "leave", guide.ask_leave(view, guest.chat_words, guest.user_id, guest.name))

    async def on_own_membership(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """The bot was blocked or unblocked by a person, or its standing in a group has changed."""
        change = update.my_chat_member
        assert change is not None
        chat, person = change.chat, change.from_user
        was_there, is_there = is_present(change.old_chat_member), is_present(change.new_chat_member)
        if chat.type == ChatType.PRIVATE:
            await see(person, parts)
            await set_reachable(person.id, parts, reachable=is_there)
            return
        if chat.type == ChatType.CHANNEL:
            return  # nobody can play there, and whoever reads it shall not be told how
        await parts.storage.chats.see(chat.id, chat.title or "", chat.username, str(chat.type))
        await _take_over_standing(parts, change)
        guest = await meet(update, parts) if is_there else None
        if guest is not None and not was_there and not await parts.tables.running_in(chat.id):
            await reply(parts, guest, guide.group_welcome(guest.chat_words, parts.bot_username))

    async def on_membership(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Where the bot is an admin: somebody has come, gone, or been given other rights."""
        change = update.chat_member
        assert change is not None
        if is_admin(change.old_chat_member) or is_admin(change.new_chat_member):
            parts.lookups.forget(change.chat.id)
        chat_id, user_id = change.chat.id, change.new_chat_member.user.id
        if await parts.storage.people.get(user_id) is not None:
            await see(change.new_chat_member.user, parts)
        standing = standing_of(change.new_chat_member)
        if standing is Standing.OUT:
            await dismiss(parts, chat_id, user_id)
        else:
            parts.members.learn(chat_id, user_id, standing, parts.now())

    async def on_leaving(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """Telegram has written into the group that somebody has left it."""
        message = update.message
        if message is not None and message.left_chat_member is not None:
            parts.lookups.forget(message.chat_id)  # who has left may have been an admin
            await dismiss(parts, message.chat_id, message.left_chat_member.id)

    async def on_upgrade(update: Update, _context: ContextTypes.DEFAULT_TYPE) -> None:
        """The group has become a supergroup: told in the old one and in the new one, in any order."""
        message = update.message
        if message is None:
            return
        old, new = message.migrate_from_chat_id, message.migrate_to_chat_id
        old_chat_id = message.chat_id if old is None else old
        new_chat_id = message.chat_id if new is None else new
        await parts.tables.move_chat(old_chat_id, new_chat_id)

    return [
        command("leave", parts, leave),
        ChatMemberHandler(on_own_membership, ChatMemberHandler.MY_CHAT_MEMBER),
        ChatMemberHandler(on_membership, ChatMemberHandler.CHAT_MEMBER),
        MessageHandler(filters.StatusUpdate.LEFT_CHAT_MEMBER, on_leaving),
        MessageHandler(filters.StatusUpdate.MIGRATE, on_upgrade),
    ]
