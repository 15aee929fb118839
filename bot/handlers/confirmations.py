"""Confirmations: questions asked before something is done, and their removal once answered or closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import reply
from bot.handlers.replies import remove
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind, slot
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal, Refused

MOOT = frozenset(
    {
        Refused.TABLE_GONE,
        Refused.TABLE_OVER,
        Refused.NOT_SEATED,
        Refused.NOTHING_TO_LEAVE,
        Refused.NOT_AT_TABLE,
        Refused.NOT_REMOVED,
        Refused.TWO_ARE_LEFT,
    }
)
"""Refusals after which a question is pointless."""

OVER = frozenset({Refused.TABLE_GONE, Refused.TABLE_OVER})
"""Refusals after which a menu of the table is pointless."""


async def ask(
    services: Services, visitor: Visitor, kind: Kind, screen: Screen, *apart: object, table_id: str = ""
) -> None:
    """Ask a person a question; their earlier one of this kind and `apart` in this chat is removed."""
    await reply(services, visitor, slot(kind, visitor.user_id, *apart), screen, table_id=table_id)


@on(buttons.Dismiss)
async def dismiss(services: Services, press: Press, asked: buttons.Dismiss) -> Answer:
    """Close a question."""
    if asked.user_id != press.visitor.user_id:
        raise Refusal(Refused.NOT_ASKED)
    return Answer(then=removing(services, press))


def removing(services: Services, press: Press) -> Callable[[], Awaitable[None]] | None:
    """Return a function that removes the question answered by this press.

    None if the button was not on the message, so that the message must not be touched.
    """
    if not press.is_on_it:
        return None

    return lambda: remove(services, press.visitor.chat_id, press.message_id, press.visitor.user_id)
