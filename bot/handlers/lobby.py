"""Around the lobby:

opening a table, sitting down, getting up, starting the match; and personal deep links.
"""

from __future__ import annotations

from dataclasses import replace

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers import first_evening, rule_sets
from bot.handlers.answer import Answer, Press
from bot.handlers.bell import ring
from bot.handlers.commands import command, command_with_arguments, reply
from bot.handlers.computers import names_in
from bot.handlers.guest import Guest, settings_of, table_here
from bot.handlers.members import look_over, require_member
from bot.handlers.parts import Parts
from bot.handlers.rights import do_as_one_may
from bot.handlers.standing import learn
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.tables.lifecycle import Phase
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status


async def sit(parts: Parts, press: Press, asked: callbacks.Sit) -> Answer:
    """Sit down; who has not started the bot is sent to the private chat, where Start seats him."""
    guest = press.guest
    if not guest.reachable:
        return Answer(url=await invitation(parts, asked.table, guest.user_id))
    await parts.tables.sit(asked.table, Player(guest.user_id, guest.name))
    view = await parts.tables.view(asked.table, guest.user_id)
    what = Done.SEATED if view.phase is Phase.LOBBY else Done.SEATED_NEXT_ROUND
    return Answer(done(what, guest.words))


async def stand(parts: Parts, press: Press, asked: callbacks.Stand) -> Answer:
    """Get up again."""
    await parts.tables.stand(asked.table, press.guest.user_id)
    return Answer(done(Done.STOOD_UP, press.guest.words))


async def start_match(parts: Parts, press: Press, asked: callbacks.StartMatch) -> Answer:
    """Deal the first round."""
    guest = press.guest

    async def start(may: bool) -> None:
        await parts.tables.start(asked.table, guest.user_id, is_admin=may)

    await do_as_one_may(parts, guest, Refused.MAY_NOT_DEAL, start)
    return Answer()


async def rematch(parts: Parts, press: Press, asked: callbacks.Rematch) -> Answer:
    """A new table for the same people; where one has been opened in the meantime, the way to that."""
    chat_id = await parts.tables.chat_of(asked.table)
    names = names_in(press.guest.chat_words)
    settings = await settings_of(chat_id, parts)
    opened = await parts.tables.rematch(asked.table, press.guest.user_id, settings, names)
    if not opened.is_new:
        return Answer(done(Done.OPEN_ALREADY, press.guest.words))
    if chat_id < 0:
        parts.background.start(ring(parts, opened.table_id))
        parts.background.start(look_over(parts, opened.table_id))
    return Answer()


async def invitation(parts: Parts, table_id: str, user_id: int) -> str:
    """A link into the private chat that seats this person, and nobody else, at this table."""
    token = await parts.storage.invites.create(table_id, user_id, parts.now())
    return f"https://t.me/{parts.bot_username}?start={token}"


async def _seated_by(parts: Parts, guest: Guest, token: str) -> TableView:
    """The table that a link into the private chat has seated this person at.

    It does so once; to press it again does no harm.

    Raises Refusal: invite_gone, not_member, and as `sit`.
    """
    invites = parts.storage.invites
    invite = await invites.find(token, parts.now())
    if invite is None or invite.user_id != guest.user_id:
        raise Refusal(Refused.INVITE_GONE)
    view = await parts.tables.view(invite.table_id, guest.user_id)
    if not view.has_place(guest.user_id):
        if invite.is_used:
            raise Refusal(Refused.INVITE_GONE)
        await require_member(parts, await parts.tables.chat_of(view.id), guest.user_id)
    await _sit_unless_seated(parts, guest, view.id)
    await invites.use(token)
    return await parts.tables.view(view.id, guest.user_id)


async def _sit_unless_seated(parts: Parts, guest: Guest, table_id: str) -> None:
    try:
        await parts.tables.sit(table_id, Player(guest.user_id, guest.name))
    except Refusal as refused:
        if refused.reason is not Refused.ALREADY_SEATED:
            raise


async def open_table(parts: Parts, guest: Guest) -> str:
    """Open a lobby where the guest is, or bring the table that is open there down the chat. Its id."""
    host = Player(guest.user_id, guest.name)
    settings = await settings_of(guest.chat_id, parts)
    opened = await parts.tables.open(guest.chat_id, guest.thread_id, host, settings)
    if opened.is_new:
        parts.background.start(ring(parts, opened.table_id))
        await learn(parts, guest.chat_id)
    else:
        await parts.tables.readmit(guest.chat_id)
        parts.presenter.reachable_again(guest.chat_id)
        await parts.presenter.bring_down(opened.table_id)
    return opened.table_id


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def game(guest: Guest) -> None:
        """`/game`: a lobby, or the table that is open here, at the bottom of the chat."""
        if guest.is_private:
            await reply(parts, guest, guide.add_to_group(guest.words, parts.bot_username))
            return
        await open_table(parts, guest)

    async def join(guest: Guest) -> None:
        """`/join`: as the button «Сесть»."""
        table_id = await table_here(guest, parts)
        if not guest.reachable:
            url = await invitation(parts, table_id, guest.user_id)
            await reply(parts, guest, guide.open_private_chat(guest.chat_words, guest.name, url))
            return
        await parts.tables.sit(table_id, Player(guest.user_id, guest.name))
        await parts.presenter.bring_down(table_id)
        view = await parts.tables.view(table_id, guest.user_id)
        if view.phase is not Phase.LOBBY:
            await _tell_seated(
                parts, replace(guest, chat_id=guest.user_id, thread_id=0, is_private=True), view
            )

    async def start(guest: Guest, arguments: list[str]) -> None:
        """`/start`, alone or with what a deep link brings: an invitation, or another group's rules."""
        token = rule_sets.token_in(arguments[0]) if arguments else None
        if token is not None:
            await rule_sets.bring(parts, guest, token)
            return
        if not guest.is_private:
            await reply(parts, guest, guide.help_screen(guest.chat_words, parts.bot_username))
            return
        is_newcomer = await first_evening.is_newcomer(parts, guest.user_id)
        if arguments:
            view = await _seated_by(parts, guest, arguments[0])
            await _tell_seated(parts, guest, view, is_newcomer=is_newcomer)
            return
        tables = await _seated_at(parts, guest.user_id)
        for view in tables:
            await _tell_seated(parts, guest, view, is_newcomer=await _has_never_finished(parts, guest))
        if not tables:
            await (first_evening.begin(parts, guest) if is_newcomer else _welcome(parts, guest))

    return [
        command("game", parts, game),
        command("join", parts, join),
        command_with_arguments("start", parts, start),
    ]


async def _seated_at(parts: Parts, user_id: int) -> list[TableView]:
    """The groups' tables at which this person sits, waits for a seat or is still in the match."""
    tables = await parts.tables.running_of(user_id)
    views = [await parts.tables.view(table_id, user_id) for table_id in tables]
    return [
        view
        for view in views
        if not view.is_alone and (view.you is None or view.players[view.you].status is Status.IN)
    ]


async def _has_never_finished(parts: Parts, guest: Guest) -> bool:
    """Has this person been at no table whose match is over?"""
    return await parts.tables.latest_over_of(guest.user_id) is None


async def _tell_seated(parts: Parts, guest: Guest, view: TableView, *, is_newcomer: bool = False) -> None:
    """Say in the private chat that the guest has a seat, and where."""
    url = await parts.presenter.table_url(view.id)
    await reply(parts, guest, guide.seated(view, guest.words, url, is_newcomer=is_newcomer))


async def _welcome(parts: Parts, guest: Guest) -> None:
    await reply(parts, guest, guide.welcome(guest.words, parts.bot_username))
