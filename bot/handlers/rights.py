"""Who may choose for a group, and decide at its tables.

Asked at every press: hosts change, and so do admins. Where Telegram does not say who is an admin, nobody is
taken for one, and whoever asked is told just that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.tables.choices import Editors
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView

PRESS_PATIENCE_SECONDS = 1.5
"""How long a press waits for Telegram to say who is an admin: it is to be answered with words, and in time.

The question goes on, and the next press has its answer.
"""


async def is_admin(parts: Parts, guest: Guest) -> bool:
    """Is this person an admin of the group he is in? Raises Refusal: rights_unknown."""
    admins = await parts.lookups.admins(guest.chat_id, PRESS_PATIENCE_SECONDS if guest.is_pressing else None)
    if admins is None:
        raise Refusal(Refused.RIGHTS_UNKNOWN)
    return guest.user_id in admins


async def require_editor(parts: Parts, guest: Guest) -> None:
    """Raises Refusal unless this person may choose for the group he is in.

    The reason is not_host, not_admin or rights_unknown; table_gone in a private chat, where there is no
    group to choose for.
    """
    if guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    editors = (await parts.house.chosen(guest.chat_id)).editors
    view = await _table_of(parts, guest) if editors is Editors.HOST else None
    if editors is Editors.EVERYBODY or (view is not None and _is_host(view, guest.user_id)):
        return
    if await is_admin(parts, guest):
        return
    if editors is Editors.HOST:
        raise Refusal(Refused.NOT_HOST, who="" if view is None else view.host_name)
    raise Refusal(Refused.NOT_ADMIN)


async def require_admin(parts: Parts, guest: Guest) -> None:
    """Raises Refusal: not_admin or rights_unknown, unless this person is an admin of the group he is in."""
    if guest.is_private or not await is_admin(parts, guest):
        raise Refusal(Refused.NOT_ADMIN)


async def do_as_one_may(
    parts: Parts, guest: Guest, unless: Refused, do: Callable[[bool], Awaitable[None]]
) -> None:
    """Do it as anybody would (False) or, where that is refused for this reason, as an admin (True).

    Raises Refusal.
    """
    try:
        await do(False)
    except Refusal as refused:
        if refused.reason is not unless or not await is_admin(parts, guest):
            raise
        await do(True)


async def _table_of(parts: Parts, guest: Guest) -> TableView | None:
    """The table that runs in the chat or topic the guest is in."""
    table_id = await parts.tables.at(guest.chat_id, guest.thread_id)
    return None if table_id is None else await parts.tables.view(table_id, None)


def _is_host(view: TableView, user_id: int) -> bool:
    """Is this the table's host, or somebody who sits in a lobby whose host is silent?"""
    return any(player.user_id == user_id and (player.is_host or view.host_silent) for player in view.players)
