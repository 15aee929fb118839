"""Leaving a match, and Telegram's updates about membership: blocks, joins, departures, upgrades."""

from __future__ import annotations

import logging

from telegram import ChatMemberUpdated, Update
from telegram.constants import ChatType
from telegram.ext import ChatMemberHandler, filters

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.bot_permissions import is_admin, is_present, may_pin
from bot.handlers.commands import command, reply
from bot.handlers.confirmations import ask, removing
from bot.handlers.failures import apologizing
from bot.handlers.member_cache import MemberStatus
from bot.handlers.members import handle_departure, status_of
from bot.handlers.registry import on_member_change, on_message
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor, identify, see, set_reachable, table_here
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.tables import transitions
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status

log = logging.getLogger(__name__)


@on(buttons.AskLeave)
async def ask_leave(services: Services, press: Press, asked: buttons.AskLeave) -> Answer:
    """Ask for confirmation before leaving."""
    visitor = press.visitor
    view = await services.queries.view(asked.table, visitor.user_id)
    _require_in(view)

    async def then() -> None:
        await ask(
            services,
            visitor,
            Kind.LEAVE_QUESTION,
            guide.ask_leave(view, visitor.tr, visitor.user_id),
            table_id=view.id,
        )

    return Answer(then=then)


@on(buttons.LeaveMatch)
async def leave_match(services: Services, press: Press, asked: buttons.LeaveMatch) -> Answer:
    """Leave after the confirmation, and remove the question."""
    if asked.user_id != press.visitor.user_id:
        raise Refusal(Refused.NOT_ASKED)
    await services.tables.act(asked.table, press.visitor.user_id, transitions.leave)
    return Answer(done(Done.LEFT, press.visitor.tr), then=removing(services, press))


def _require_in(view: TableView) -> None:
    """Raise Refusal (table_over, not_seated, nothing_to_leave) unless the viewer has a match to leave."""
    if view.phase is TablePhase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    if view.you is None:
        raise Refusal(Refused.NOT_SEATED)
    if not _is_in(view, view.you):
        raise Refusal(Refused.NOTHING_TO_LEAVE)


def _is_in(view: TableView, seat: int) -> bool:
    """Whether the seat has a match to leave; a solo match also after the player is out."""
    status = view.players[seat].status
    return status is Status.IN or (view.is_solo and status is Status.OUT)


async def _ask_leave_in_private(services: Services, visitor: Visitor) -> None:
    """Ask for confirmation for each of the visitor's matches. Raises Refusal: in_group, if there are none."""
    views = [
        await services.queries.view(table_id, visitor.user_id)
        for table_id in await services.queries.running_of(visitor.user_id)
    ]
    matches = [view for view in views if view.you is not None and _is_in(view, view.you)]
    if not matches:
        raise Refusal(Refused.IN_GROUP)
    for number, view in enumerate(matches, 1):
        await ask(
            services,
            visitor,
            Kind.LEAVE_QUESTION,
            guide.ask_leave(view, visitor.tr, visitor.user_id),
            *([] if number == 1 else [number]),
            table_id=view.id,
        )


async def _welcome_group(services: Services, update: Update) -> None:
    """Greet a group in which no table is running."""
    visitor = await identify(update, services)
    if visitor is not None and not await services.queries.running_in(visitor.chat_id):
        screen = guide.group_welcome(visitor.chat_tr, services.bot_username)
        await reply(services, visitor, Kind.GROUP_WELCOME, screen)


async def _apply_bot_permissions(services: Services, change: ChatMemberUpdated) -> None:
    """Store a change of the bot's membership or permissions in a group, and apply it to the tables there."""
    chat, chat_id, member = change.chat, change.chat.id, change.new_chat_member
    await services.storage.chats.see(chat_id, chat.title or "", chat.username, str(chat.type))
    services.lookups.forget(chat_id)
    log.info("membership: %s", member.status, extra={"chat": chat_id})
    await services.storage.chats.set_may_pin(chat_id, may_pin(member))
    await services.storage.chats.set_refused_pictures(chat_id, None)
    if not is_present(member):
        await services.tables.change_in(chat_id, transitions.bot_removed)
        return
    services.messages.access_restored(chat_id)
    await services.tables.change_in(chat_id, transitions.bot_returned)
    for table_id in await services.queries.running_in(chat_id):
        if is_present(change.old_chat_member):
            services.messages.invalidate(table_id)  # its pictures may be sent again
        else:
            await services.messages.repost(table_id)


@command("leave")
async def leave(services: Services, visitor: Visitor) -> None:
    """`/leave`: leave the lobby at once, or a match after a confirmation."""
    if visitor.is_private:
        await _ask_leave_in_private(services, visitor)
        return
    table_id = await table_here(visitor, services)
    view = await services.queries.view(table_id, visitor.user_id)
    if view.you is None:
        await services.tables.act(table_id, visitor.user_id, transitions.stand)
        await services.messages.repost(table_id)
        return
    _require_in(view)
    await ask(
        services,
        visitor,
        Kind.LEAVE_QUESTION,
        guide.ask_leave(view, visitor.chat_tr, visitor.user_id, visitor.name),
        table_id=view.id,
    )


@on_member_change(ChatMemberHandler.MY_CHAT_MEMBER)
async def on_own_membership(services: Services, update: Update) -> None:
    """Handle that a person has blocked or unblocked the bot, or a change of its membership in a group."""
    change = update.my_chat_member
    assert change is not None
    chat, person = change.chat, change.from_user
    was_there, is_there = is_present(change.old_chat_member), is_present(change.new_chat_member)
    if chat.type == ChatType.PRIVATE:
        await see(person, services)
        await set_reachable(person.id, services, reachable=is_there)
        return
    if chat.type == ChatType.CHANNEL:
        return  # nobody can play in a channel, so no welcome either
    if is_there and not was_there:
        async with apologizing(services, update):
            await _apply_bot_permissions(services, change)
            await _welcome_group(services, update)
    else:
        await _apply_bot_permissions(services, change)


@on_member_change(ChatMemberHandler.CHAT_MEMBER)
async def on_membership(services: Services, update: Update) -> None:
    """Handle a change of somebody's membership, which Telegram reports where the bot is an admin."""
    change = update.chat_member
    assert change is not None
    if is_admin(change.old_chat_member) or is_admin(change.new_chat_member):
        services.lookups.forget(change.chat.id)
    chat_id, user_id = change.chat.id, change.new_chat_member.user.id
    if await services.storage.people.get(user_id) is not None:
        await see(change.new_chat_member.user, services)
    status = status_of(change.new_chat_member)
    if status is MemberStatus.OUT:
        await handle_departure(services, chat_id, user_id)
    else:
        services.members.learn(chat_id, user_id, status, services.now())


@on_message(filters.StatusUpdate.LEFT_CHAT_MEMBER)
async def on_leaving(services: Services, update: Update) -> None:
    """Handle the service message that somebody has left the group."""
    message = update.message
    if message is not None and message.left_chat_member is not None:
        services.lookups.forget(message.chat_id)  # it may have been an admin
        await handle_departure(services, message.chat_id, message.left_chat_member.id)


@on_message(filters.StatusUpdate.MIGRATE)
async def on_upgrade(services: Services, update: Update) -> None:
    """Handle a group's upgrade to a supergroup, reported in both chats in any order."""
    message = update.message
    if message is None:
        return
    old, new = message.migrate_from_chat_id, message.migrate_to_chat_id
    old_chat_id = message.chat_id if old is None else old
    new_chat_id = message.chat_id if new is None else new
    await services.tables.move_chat(old_chat_id, new_chat_id)
