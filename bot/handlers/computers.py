"""Computer players at a group's table: asking them to it, and sending them off.

Anybody at the table may, and admins; it takes no vote.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import remove_answer, replace_answer, turn_page
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.handlers.questions import removing
from bot.handlers.rights import do_as_one_may, is_admin
from bot.locales import Words
from bot.screens.answers import Done, done, refusal
from bot.screens.computers import computers
from bot.tables.lifecycle import Phase
from bot.tables.refusals import Refusal, Refused
from engine import Status
from engine.players import Level

MENU = "computers"
"""The kind of answer that the menu is."""


async def open_computers(parts: Parts, press: Press, asked: callbacks.OpenComputers) -> Answer:
    """Show the menu."""
    await _require_a_say(parts, press.guest, asked.table)
    return Answer(then=lambda: open_menu(parts, press.guest, asked.table))


async def invite(parts: Parts, press: Press, asked: callbacks.Invite) -> Answer:
    """Let a computer player sit down. Where somebody has taken the last seat meanwhile, the menu says so."""
    guest = press.guest
    if asked.level not in tuple(Level):
        raise Refusal(Refused.TABLE_GONE)

    async def seat(may: bool) -> None:
        names = names_in(guest.chat_words)
        await parts.tables.invite(asked.table, guest.user_id, Level(asked.level), names, is_admin=may)

    try:
        await do_as_one_may(parts, guest, Refused.NOT_AT_YOUR_TABLE, seat)
    except Refusal as refused:
        if refused.reason is not Refused.TABLE_FULL:
            raise
        text = refusal(refused.reason, guest.words)
    else:
        view = await parts.tables.view(asked.table, None)
        text = done(Done.COMPUTER_SEATED if view.game is None else Done.COMPUTER_WAITS, guest.words)
    return Answer(text, then=_showing(parts, press, asked.table))


async def send_off(parts: Parts, press: Press, asked: callbacks.SendOff) -> Answer:
    """Send a computer player off. A question that this answers goes; the menu stays."""
    guest = press.guest

    async def send(may: bool) -> None:
        await parts.tables.send_off(asked.table, guest.user_id, -asked.number, is_admin=may)

    text = done(Done.COMPUTER_SENT_OFF, guest.words)
    try:
        await do_as_one_may(parts, guest, Refused.NOT_AT_YOUR_TABLE, send)
    except Refusal as refused:
        if refused.reason is not Refused.NOT_AT_TABLE:
            raise
        text = refusal(refused.reason, guest.words)  # somebody was quicker; what was pressed shows too much
    is_menu = await parts.storage.replies.find(guest.chat_id, press.message_id) == MENU
    then = _showing(parts, press, asked.table) if is_menu else removing(parts, press)
    return Answer(text, then=then)


async def close_computers(parts: Parts, press: Press, asked: callbacks.CloseComputers) -> Answer:
    """Put the menu away."""
    await _require_a_say(parts, press.guest, asked.table)
    return Answer(then=lambda: remove_answer(parts, press, MENU))


async def open_menu(parts: Parts, guest: Guest, table_id: str) -> None:
    """Send the menu; an earlier one goes."""
    view = await parts.tables.view(table_id, None)
    await replace_answer(parts, guest, MENU, computers(view, guest.chat_words))


def names_in(words: Words) -> list[str]:
    """What computer players are called in a language."""
    return words.plain("computers.names").split()


def _showing(parts: Parts, press: Press, table_id: str) -> Callable[[], Awaitable[None]]:
    async def show() -> None:
        view = await parts.tables.view(table_id, None)
        await turn_page(parts, press, MENU, computers(view, press.guest.chat_words))

    return show


async def _require_a_say(parts: Parts, guest: Guest, table_id: str) -> None:
    """Raises Refusal: table_over; not_at_your_table or rights_unknown, unless he may ask computers to it.

    And send them off.
    """
    view = await parts.tables.view(table_id, None)
    if view.phase is Phase.OVER:
        raise Refusal(Refused.TABLE_OVER)
    there = [it.user_id for it in (*view.players, *view.waiting) if it.status in (None, Status.IN)]
    if guest.user_id not in there and not await is_admin(parts, guest):
        raise Refusal(Refused.NOT_AT_YOUR_TABLE)
