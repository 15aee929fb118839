"""Who may choose for a group, and decide at its tables.

Asked at every press: hosts change, and so do admins. Where Telegram does not say who is an admin, nobody is
taken for one, and whoever asked is told just that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.settings import Editors
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView

PRESS_PATIENCE_SECONDS = 1.5
"""How long a press waits for Telegram to say who is an admin: it is to be answered with words, and in time.

The question goes on, and the next press has its answer.
"""


async def is_admin(services: Services, visitor: Visitor) -> bool:
    """Is this person an admin of the group he is in? Raises Refusal: rights_unknown."""
    admins = await services.lookups.admins(
        visitor.chat_id, PRESS_PATIENCE_SECONDS if visitor.is_pressing else None
    )
    if admins is None:
        raise Refusal(Refused.RIGHTS_UNKNOWN)
    return visitor.user_id in admins


async def require_editor(services: Services, visitor: Visitor) -> None:
    """Raises Refusal unless this person may choose for the group he is in.

    The reason is not_host, not_admin or rights_unknown; table_gone in a private chat, where there is no
    group to choose for.
    """
    if visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    editors = (await services.group_settings.chosen(visitor.chat_id)).editors
    view = await _table_of(services, visitor) if editors is Editors.HOST else None
    if editors is Editors.EVERYBODY or (view is not None and _is_host(view, visitor.user_id)):
        return
    if await is_admin(services, visitor):
        return
    if editors is Editors.HOST:
        raise Refusal(Refused.NOT_HOST, who="" if view is None else view.host_name)
    raise Refusal(Refused.NOT_ADMIN)


async def require_admin(services: Services, visitor: Visitor) -> None:
    """Raises Refusal: not_admin or rights_unknown, unless this person is an admin of the group he is in."""
    if visitor.is_private or not await is_admin(services, visitor):
        raise Refusal(Refused.NOT_ADMIN)


async def with_admin_fallback(
    services: Services, visitor: Visitor, unless: Refused, do: Callable[[bool], Awaitable[None]]
) -> None:
    """Do it as anybody would (False) or, where that is refused for this reason, as an admin (True).

    Raises Refusal.
    """
    try:
        await do(False)
    except Refusal as refused:
        if refused.reason is not unless or not await is_admin(services, visitor):
            raise
        await do(True)


async def _table_of(services: Services, visitor: Visitor) -> TableView | None:
    """The table that runs in the chat or topic the guest is in."""
    table_id = await services.queries.at(visitor.chat_id, visitor.thread_id)
    return None if table_id is None else await services.queries.view(table_id, None)


def _is_host(view: TableView, user_id: int) -> bool:
    """Is this the table's host, or somebody who sits in a lobby whose host is silent?"""
    return any(player.user_id == user_id and (player.is_host or view.host_silent) for player in view.players)
