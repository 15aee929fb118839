"""Removing a player, letting one back and ending the table, and votes on these.

The host and admins decide at once; other people at the table open a vote; nobody else may do it. Anybody can
press a question's button, so permissions are those of the presser and checked again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command
from bot.handlers.confirmations import ask, removing
from bot.handlers.permissions import is_admin, with_admin_fallback
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor, table_here
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.screens.vote import ask_kick, kickable
from bot.tables import transitions
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status


@on(buttons.Kick)
async def kick(services: Services, press: Press, asked: buttons.Kick) -> Answer:
    """Remove a player or open a vote on it, and remove the question."""

    async def decide(may: bool) -> None:
        await services.tables.act(
            asked.table, press.visitor.user_id, transitions.kick, asked.target, is_admin=may
        )

    what = await _decide_or_vote(services, press.visitor, asked.table, asked.target, decide)
    return Answer(
        done(Done.KICKED if what is None else what, press.visitor.tr), then=removing(services, press)
    )


@on(buttons.LetBack)
async def let_back(services: Services, press: Press, asked: buttons.LetBack) -> Answer:
    """Let a removed player sit down again or open a vote on it, and remove the question."""

    async def decide(may: bool) -> None:
        await services.tables.act(
            asked.table, press.visitor.user_id, transitions.let_back, asked.target, is_admin=may
        )

    what = await _decide_or_vote(services, press.visitor, asked.table, asked.target, decide, returns=True)
    return Answer(
        done(Done.LET_BACK if what is None else what, press.visitor.tr), then=removing(services, press)
    )


@on(buttons.StopMatch)
async def stop_match(services: Services, press: Press, asked: buttons.StopMatch) -> Answer:
    """End the table or open a vote on it, and remove the question."""

    async def decide(may: bool) -> None:
        await services.tables.act(asked.table, press.visitor.user_id, transitions.stop, is_admin=may)

    what = await _decide_or_vote(services, press.visitor, asked.table, None, decide)
    return Answer(
        done(Done.STOPPED if what is None else what, press.visitor.tr), then=removing(services, press)
    )


@on(buttons.VoteFor)
async def vote_for(services: Services, press: Press, asked: buttons.VoteFor) -> Answer:
    """Vote yes."""
    await services.tables.act(
        asked.table, press.visitor.user_id, transitions.cast_vote, asked.number, aye=True
    )
    return Answer(done(Done.VOTED, press.visitor.tr))


@on(buttons.VoteAgainst)
async def vote_against(services: Services, press: Press, asked: buttons.VoteAgainst) -> Answer:
    """Vote no."""
    await services.tables.act(
        asked.table, press.visitor.user_id, transitions.cast_vote, asked.number, aye=False
    )
    return Answer(done(Done.VOTED, press.visitor.tr))


async def _decide_or_vote(
    services: Services,
    visitor: Visitor,
    table_id: str,
    target: int | None,
    decide: Callable[[bool], Awaitable[None]],
    *,
    returns: bool = False,
) -> Done | None:
    """Decide at once for the host or an admin and return None, or open a vote. Raises Refusal."""
    try:
        await with_admin_fallback(services, visitor, Refused.NOT_HOST, decide)
        return None
    except Refusal as refused:
        view = await services.queries.view(table_id, visitor.user_id)
        may_vote = _is_participant(view, visitor.user_id)
        if refused.reason not in (Refused.NOT_HOST, Refused.RIGHTS_UNKNOWN) or not may_vote:
            raise
        reason = refused.reason
    await services.tables.act(table_id, visitor.user_id, transitions.call_vote, target, returns=returns)
    return Done.VOTE_OPENED if reason is Refused.NOT_HOST else Done.VOTE_INSTEAD


def _is_participant(view: TableView, user_id: int) -> bool:
    """Whether this person sits in the lobby or is still in the match."""
    return any(player.user_id == user_id and player.status in (None, Status.IN) for player in view.players)


@command("stop")
async def stop(services: Services, visitor: Visitor) -> None:
    """`/stop`: end the table after a confirmation or a vote; a solo table by leaving it."""
    solo_table = await services.queries.at(visitor.chat_id, 0) if visitor.is_private else None
    if solo_table is not None:
        match = await services.queries.view(solo_table, visitor.user_id)
        await ask(
            services,
            visitor,
            Kind.LEAVE_QUESTION,
            guide.ask_leave(match, visitor.tr, visitor.user_id),
            table_id=solo_table,
        )
        return
    view = await _require_table(services, visitor)
    await ask(
        services,
        visitor,
        Kind.STOP_QUESTION,
        guide.ask_stop(view, visitor.chat_tr, visitor.user_id),
        table_id=view.id,
    )


@command("kick")
async def ask_whom(services: Services, visitor: Visitor) -> None:
    """`/kick`: ask whom to remove or let back; the answer is carried out or put to a vote."""
    view = await _require_table(services, visitor)
    if not kickable(view, visitor.user_id) and not view.removed:
        raise Refusal(Refused.ALONE if len(view.players) < 2 else Refused.TWO_ARE_LEFT)
    await ask(
        services,
        visitor,
        Kind.KICK_QUESTION,
        ask_kick(view, visitor.chat_tr, visitor.user_id),
        table_id=view.id,
    )


async def _require_table(services: Services, visitor: Visitor) -> TableView:
    """Return the running table here, if the visitor may decide or vote at it.

    Raises Refusal: in_group, no_table, not_host, rights_unknown.
    """
    view = await services.queries.view(await table_here(visitor, services), visitor.user_id)
    is_host = any(player.is_host and player.user_id == visitor.user_id for player in view.players)
    may = is_host or _is_participant(view, visitor.user_id)
    if not may and not await is_admin(services, visitor):
        raise Refusal(Refused.NOT_HOST, who=view.host_name)
    return view
