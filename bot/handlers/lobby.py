"""The lobby: opening a table, sitting down, standing up, starting the match; and invitations by deep link."""

from __future__ import annotations

from dataclasses import replace

from bot import buttons
from bot.handlers import onboarding, rule_sets
from bot.handlers.answer import Answer, Press, on
from bot.handlers.bot_permissions import learn
from bot.handlers.commands import command, command_with_arguments, reply
from bot.handlers.computers import names_in
from bot.handlers.members import check_membership, require_member
from bot.handlers.permissions import with_admin_fallback
from bot.handlers.services import Services
from bot.handlers.subscriptions import notify_subscribers
from bot.handlers.visitor import Visitor, settings_of, table_here
from bot.messages.kinds import Kind, slot
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.tables import transitions
from bot.tables.lifecycle import TablePhase
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status


@on(buttons.Sit)
async def sit(services: Services, press: Press, asked: buttons.Sit) -> Answer:
    """Sit down; a person who has not started the bot is sent to the private chat, where Start seats them."""
    visitor = press.visitor
    if not visitor.reachable:
        return Answer(url=await invitation(services, asked.table, visitor.user_id))
    await services.tables.act(asked.table, visitor.user_id, transitions.sit, visitor.name)
    view = await services.queries.view(asked.table, visitor.user_id)
    what = Done.SEATED if view.phase is TablePhase.LOBBY else Done.SEATED_NEXT_ROUND
    return Answer(done(what, visitor.tr))


@on(buttons.Stand)
async def stand(services: Services, press: Press, asked: buttons.Stand) -> Answer:
    """Stand up."""
    await services.tables.act(asked.table, press.visitor.user_id, transitions.stand)
    return Answer(done(Done.STOOD_UP, press.visitor.tr))


@on(buttons.StartMatch)
async def start_match(services: Services, press: Press, asked: buttons.StartMatch) -> Answer:
    """Deal the first round."""
    visitor = press.visitor

    async def start(may: bool) -> None:
        await services.tables.act(asked.table, visitor.user_id, transitions.start, is_admin=may)

    await with_admin_fallback(services, visitor, Refused.MAY_NOT_DEAL, start)
    return Answer()


@on(buttons.Rematch)
async def rematch(services: Services, press: Press, asked: buttons.Rematch) -> Answer:
    """Open a new table for the same people, unless one has been opened meanwhile."""
    chat_id = await services.queries.chat_of(asked.table)
    names = names_in(press.visitor.chat_tr)
    settings = await settings_of(chat_id, services)
    opened = await services.tables.rematch(asked.table, press.visitor.user_id, settings, names)
    if not opened.is_new:
        return Answer(done(Done.OPEN_ALREADY, press.visitor.tr))
    if chat_id < 0:
        services.background.start(notify_subscribers(services, opened.table_id))
        services.background.start(check_membership(services, opened.table_id))
    return Answer()


async def invitation(services: Services, table_id: str, user_id: int) -> str:
    """Return a link to the private chat that seats this person, and nobody else, at this table."""
    token = await services.storage.invites.create(table_id, user_id, services.now())
    return f"https://t.me/{services.bot_username}?start={token}"


async def _seat_by_invite(services: Services, visitor: Visitor, token: str) -> TableView:
    """Seat a person by the token of an invitation, and return the table. Using a token again does no harm.

    Raises Refusal: invite_gone, not_member, and those of `sit`.
    """
    invites = services.storage.invites
    invite = await invites.find(token, services.now())
    if invite is None or invite.user_id != visitor.user_id:
        raise Refusal(Refused.INVITE_GONE)
    view = await services.queries.view(invite.table_id, visitor.user_id)
    if not view.has_place(visitor.user_id):
        if invite.is_used:
            raise Refusal(Refused.INVITE_GONE)
        await require_member(services, await services.queries.chat_of(view.id), visitor.user_id)
    await _sit_unless_seated(services, visitor, view.id)
    await invites.use(token)
    return await services.queries.view(view.id, visitor.user_id)


async def _sit_unless_seated(services: Services, visitor: Visitor, table_id: str) -> None:
    try:
        await services.tables.act(table_id, visitor.user_id, transitions.sit, visitor.name)
    except Refusal as refused:
        if refused.reason is not Refused.ALREADY_SEATED:
            raise


async def open_table(services: Services, visitor: Visitor) -> str:
    """Open a lobby in the visitor's chat or topic, or repost the table that is open there; return its id."""
    host = Player(visitor.user_id, visitor.name)
    settings = await settings_of(visitor.chat_id, services)
    opened = await services.tables.open(visitor.chat_id, visitor.thread_id, host, settings)
    if opened.is_new:
        services.background.start(notify_subscribers(services, opened.table_id))
        await learn(services, visitor.chat_id)
    else:
        await services.tables.change_in(visitor.chat_id, transitions.bot_returned)
        services.messages.access_restored(visitor.chat_id)
        await services.messages.repost(opened.table_id)
    return opened.table_id


@command("game")
async def game(services: Services, visitor: Visitor) -> None:
    """`/game`: open a lobby, or repost the table that is open here."""
    if visitor.is_private:
        await reply(services, visitor, Kind.WELCOME, guide.add_to_group(visitor.tr, services.bot_username))
        return
    await open_table(services, visitor)


@command("join")
async def join(services: Services, visitor: Visitor) -> None:
    """`/join`: like the button «Сесть»."""
    table_id = await table_here(visitor, services)
    if not visitor.reachable:
        url = await invitation(services, table_id, visitor.user_id)
        screen = guide.open_private_chat(visitor.chat_tr, visitor.name, url)
        await reply(services, visitor, slot(Kind.INVITATION, visitor.user_id), screen, table_id=table_id)
        return
    await services.tables.act(table_id, visitor.user_id, transitions.sit, visitor.name)
    await services.messages.repost(table_id)
    view = await services.queries.view(table_id, visitor.user_id)
    if view.phase is not TablePhase.LOBBY:
        await _tell_seated(
            services, replace(visitor, chat_id=visitor.user_id, thread_id=0, is_private=True), view
        )


@command_with_arguments("start")
async def start(services: Services, visitor: Visitor, arguments: list[str]) -> None:
    """`/start`, alone or with a deep link's payload: an invitation, or another group's rules."""
    token = rule_sets.token_in(arguments[0]) if arguments else None
    if token is not None:
        await rule_sets.show_shared(services, visitor, token)
        return
    if not visitor.is_private:
        await reply(services, visitor, Kind.HELP, guide.help_screen(visitor.chat_tr, services.bot_username))
        return
    is_newcomer = await onboarding.is_newcomer(services, visitor.user_id)
    if arguments:
        view = await _seat_by_invite(services, visitor, arguments[0])
        await _tell_seated(services, visitor, view, is_newcomer=is_newcomer)
        return
    tables = await _seated_at(services, visitor.user_id)
    for view in tables:
        await _tell_seated(services, visitor, view, is_newcomer=await _has_never_finished(services, visitor))
    if not tables:
        await (onboarding.send_lesson(services, visitor) if is_newcomer else _welcome(services, visitor))


async def _seated_at(services: Services, user_id: int) -> list[TableView]:
    """The groups' tables where this person sits, waits for a seat or is still in the match."""
    tables = await services.queries.running_of(user_id)
    views = [await services.queries.view(table_id, user_id) for table_id in tables]
    return [
        view
        for view in views
        if not view.is_solo and (view.you is None or view.players[view.you].status is Status.IN)
    ]


async def _has_never_finished(services: Services, visitor: Visitor) -> bool:
    """Whether no table of this person has been finished."""
    return await services.queries.latest_over_of(visitor.user_id) is None


async def _tell_seated(
    services: Services, visitor: Visitor, view: TableView, *, is_newcomer: bool = False
) -> None:
    """Confirm the seat in the private chat."""
    url = await services.messages.table_url(view.id)
    screen = guide.seated(view, visitor.tr, url, is_newcomer=is_newcomer)
    await reply(services, visitor, slot(Kind.SEATED, view.id), screen, table_id=view.id)


async def _welcome(services: Services, visitor: Visitor) -> None:
    await reply(services, visitor, Kind.WELCOME, guide.welcome(visitor.tr, services.bot_username))
