"""Who may choose for a group, and decide at its tables.

Asked anew at every press: hosts change, and so do admins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.handlers.guest import Guest, is_admin
from bot.handlers.parts import Parts
from bot.tables.choices import Editors
from bot.tables.refusals import Refusal, Refused


async def require_editor(parts: Parts, guest: Guest) -> None:
    """Raises Refusal: not_host or not_admin, unless this person may choose for the group he is in.

    And table_gone in a private chat, where there is no group to choose for.
    """
    if guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    editors = (await parts.house.chosen(guest.chat_id)).editors
    if editors is Editors.EVERYBODY or (editors is Editors.HOST and await _is_host(parts, guest)):
        return
    if not await is_admin(guest.chat_id, guest.user_id, parts):
        raise Refusal(Refused.NOT_HOST if editors is Editors.HOST else Refused.NOT_ADMIN)


async def require_admin(parts: Parts, guest: Guest) -> None:
    """Raises Refusal: not_admin, unless this person is an admin of the group he is in."""
    if guest.is_private or not await is_admin(guest.chat_id, guest.user_id, parts):
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
        if refused.reason is not unless or not await is_admin(guest.chat_id, guest.user_id, parts):
            raise
        await do(True)


async def _is_host(parts: Parts, guest: Guest) -> bool:
    """Of the table that runs in the chat or topic he is in."""
    table_id = await parts.tables.at(guest.chat_id, guest.thread_id)
    if table_id is None:
        return False
    view = await parts.tables.view(table_id, None)
    return any(player.is_host and player.user_id == guest.user_id for player in view.players)
