"""Inviting computer players to a group's table and removing them.

Everybody at the table and admins may do that, without a vote.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import remove_answer, reply, turn_page
from bot.handlers.confirmations import removing
from bot.handlers.permissions import is_admin, with_admin_fallback
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.locales import Translator
from bot.messages.kinds import Kind
from bot.screens.answers import Done, done, refusal
from bot.screens.computers import computers
from bot.tables import transitions
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refusal, Refused
from engine import Status
from engine.players import Level


@on(buttons.OpenComputers)
async def open_computers(services: Services, press: Press, asked: buttons.OpenComputers) -> Answer:
    """Open the menu."""
    await _require_may_manage(services, press.visitor, asked.table)
    return Answer(then=lambda: open_menu(services, press.visitor, asked.table))


@on(buttons.InviteComputer)
async def invite(services: Services, press: Press, asked: buttons.InviteComputer) -> Answer:
    """Seat a computer player; if the table is full by now, the menu says so."""
    visitor = press.visitor
    if asked.level not in tuple(Level):
        raise Refusal(Refused.TABLE_GONE)

    async def seat(may: bool) -> None:
        names = names_in(visitor.chat_tr)
        await services.tables.act(
            asked.table, visitor.user_id, transitions.invite, Level(asked.level), names, is_admin=may
        )

    try:
        await with_admin_fallback(services, visitor, Refused.NOT_AT_YOUR_TABLE, seat)
    except Refusal as refused:
        if refused.reason is not Refused.TABLE_FULL:
            raise
        text = refusal(refused.reason, visitor.tr)
    else:
        view = await services.queries.view(asked.table, None)
        text = done(Done.COMPUTER_SEATED if view.game is None else Done.COMPUTER_WAITS, visitor.tr)
    return Answer(text, then=_showing(services, press, asked.table))


@on(buttons.SendOff)
async def send_off(services: Services, press: Press, asked: buttons.SendOff) -> Answer:
    """Remove a computer player. If the button was on a question, the question is removed; the menu stays."""
    visitor = press.visitor

    async def send(may: bool) -> None:
        await services.tables.act(
            asked.table, visitor.user_id, transitions.send_off, -asked.number, is_admin=may
        )

    text = done(Done.COMPUTER_SENT_OFF, visitor.tr)
    try:
        await with_admin_fallback(services, visitor, Refused.NOT_AT_YOUR_TABLE, send)
    except Refusal as refused:
        if refused.reason is not Refused.NOT_AT_TABLE:
            raise
        text = refusal(refused.reason, visitor.tr)  # somebody was quicker; still update the message
    is_menu = await services.storage.replies.find(visitor.chat_id, press.message_id) == Kind.COMPUTERS
    then = _showing(services, press, asked.table) if is_menu else removing(services, press)
    return Answer(text, then=then)


@on(buttons.CloseComputers)
async def close_computers(services: Services, press: Press, asked: buttons.CloseComputers) -> Answer:
    """Close the menu."""
    await _require_may_manage(services, press.visitor, asked.table)
    return Answer(then=lambda: remove_answer(services, press, Kind.COMPUTERS))


async def open_menu(services: Services, visitor: Visitor, table_id: str) -> None:
    """Send the menu; an earlier one is removed."""
    view = await services.queries.view(table_id, None)
    await reply(services, visitor, Kind.COMPUTERS, computers(view, visitor.chat_tr), table_id=table_id)


def names_in(tr: Translator) -> list[str]:
    """The names of computer players in a language."""
    return tr.plain("computers.names").split()


def _showing(services: Services, press: Press, table_id: str) -> Callable[[], Awaitable[None]]:
    async def show() -> None:
        view = await services.queries.view(table_id, None)
        await turn_page(
            services, press, Kind.COMPUTERS, computers(view, press.visitor.chat_tr), table_id=table_id
        )

    return show


async def _require_may_manage(services: Services, visitor: Visitor, table_id: str) -> None:
    """Raise Refusal unless the visitor may invite and remove computer players.

    The reason is table_over, not_at_your_table or rights_unknown.
    """
    view = await services.queries.view(table_id, None)
    if view.phase is TablePhase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    present = [it.user_id for it in (*view.players, *view.waiting) if it.status in (None, Status.IN)]
    if visitor.user_id not in present and not await is_admin(services, visitor):
        raise Refusal(Refused.NOT_AT_YOUR_TABLE)
