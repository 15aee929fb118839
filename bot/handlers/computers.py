"""Computer players at a group's table: asking them to it, and sending them off.

Anybody at the table may, and admins; it takes no vote.
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
    """Show the menu."""
    await _require_a_say(services, press.visitor, asked.table)
    return Answer(then=lambda: open_menu(services, press.visitor, asked.table))


@on(buttons.InviteComputer)
async def invite(services: Services, press: Press, asked: buttons.InviteComputer) -> Answer:
    """Let a computer player sit down. Where somebody has taken the last seat meanwhile, the menu says so."""
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
    """Send a computer player off. A question that this answers goes; the menu stays."""
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
        text = refusal(refused.reason, visitor.tr)  # somebody was quicker; what was pressed shows too much
    is_menu = await services.storage.replies.find(visitor.chat_id, press.message_id) == Kind.COMPUTERS
    then = _showing(services, press, asked.table) if is_menu else removing(services, press)
    return Answer(text, then=then)


@on(buttons.CloseComputers)
async def close_computers(services: Services, press: Press, asked: buttons.CloseComputers) -> Answer:
    """Put the menu away."""
    await _require_a_say(services, press.visitor, asked.table)
    return Answer(then=lambda: remove_answer(services, press, Kind.COMPUTERS))


async def open_menu(services: Services, visitor: Visitor, table_id: str) -> None:
    """Send the menu; an earlier one goes."""
    view = await services.queries.view(table_id, None)
    await reply(services, visitor, Kind.COMPUTERS, computers(view, visitor.chat_tr), table_id=table_id)


def names_in(tr: Translator) -> list[str]:
    """What computer players are called in a language."""
    return tr.plain("computers.names").split()


def _showing(services: Services, press: Press, table_id: str) -> Callable[[], Awaitable[None]]:
    async def show() -> None:
        view = await services.queries.view(table_id, None)
        await turn_page(
            services, press, Kind.COMPUTERS, computers(view, press.visitor.chat_tr), table_id=table_id
        )

    return show


async def _require_a_say(services: Services, visitor: Visitor, table_id: str) -> None:
    """Raises Refusal: table_over; not_at_your_table or rights_unknown, unless he may ask computers to it.

    And send them off.
    """
    view = await services.queries.view(table_id, None)
    if view.phase is TablePhase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    there = [it.user_id for it in (*view.players, *view.waiting) if it.status in (None, Status.IN)]
    if visitor.user_id not in there and not await is_admin(services, visitor):
        raise Refusal(Refused.NOT_AT_YOUR_TABLE)
