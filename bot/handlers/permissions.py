"""Permissions to change a group's settings and to decide at its tables.

They are checked at every press, since hosts and admins change. If Telegram does not say who is an admin,
nobody counts as one, and the refusal says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.settings import Editors
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView

PRESS_PATIENCE_SECONDS = 1.5
"""The longest wait of a press for the list of admins, so that it can still be answered in time.

The look-up continues, and its result is there for the next press.
"""


async def is_admin(services: Services, visitor: Visitor) -> bool:
    """Whether the visitor is an admin of the group. Raises Refusal: rights_unknown."""
    admins = await services.lookups.admins(
        visitor.chat_id, PRESS_PATIENCE_SECONDS if visitor.is_pressing else None
    )
    if admins is None:
        raise Refusal(Refused.RIGHTS_UNKNOWN)
    return visitor.user_id in admins


async def require_editor(services: Services, visitor: Visitor) -> None:
    """Raise Refusal unless the visitor may change the settings of the group.

    The reason is not_host, not_admin or rights_unknown; in a private chat, table_gone.
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
    """Raise Refusal (not_admin, rights_unknown) unless the visitor is an admin of the group."""
    if visitor.is_private or not await is_admin(services, visitor):
        raise Refusal(Refused.NOT_ADMIN)


async def with_admin_fallback(
    services: Services, visitor: Visitor, unless: Refused, do: Callable[[bool], Awaitable[None]]
) -> None:
    """Call `do(False)`; if it is refused for the reason `unless` and the visitor is an admin, `do(True)`.

    Raises Refusal.
    """
    try:
        await do(False)
    except Refusal as refused:
        if refused.reason is not unless or not await is_admin(services, visitor):
            raise
        await do(True)


async def _table_of(services: Services, visitor: Visitor) -> TableView | None:
    """The running table in the visitor's chat or topic."""
    table_id = await services.queries.at(visitor.chat_id, visitor.thread_id)
    return None if table_id is None else await services.queries.view(table_id, None)


def _is_host(view: TableView, user_id: int) -> bool:
    """Whether this is the table's host, or anybody in a lobby whose host is silent."""
    return any(player.user_id == user_id and (player.is_host or view.host_silent) for player in view.players)
