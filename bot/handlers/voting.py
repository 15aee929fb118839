"""Asking somebody to leave, ending the table, and the votes on both.

The host and admins decide at once; who sits at the table opens a vote; nobody else is heard. Whoever presses
under a question acts for himself: what he may is looked up anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command
from bot.handlers.guest import Guest, table_here
from bot.handlers.parts import Parts
from bot.handlers.questions import ask, removing
from bot.handlers.rights import do_as_one_may, is_admin
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.screens.vote import ask_kick, kickable
from bot.tables.refusals import Refusal, Refused
from bot.tables.view import TableView
from engine import Status


async def kick(parts: Parts, press: Press, asked: callbacks.Kick) -> Answer:
    """Ask somebody to leave. The question goes."""

    async def decide(may: bool) -> None:
        await parts.tables.kick(asked.table, press.guest.user_id, asked.target, is_admin=may)

    what = await _decide_or_vote(parts, press.guest, asked.table, asked.target, decide)
    return Answer(done(Done.KICKED if what is None else what, press.guest.words), then=removing(parts, press))


async def stop_match(parts: Parts, press: Press, asked: callbacks.StopMatch) -> Answer:
    """Stop the match, confirmed. The question goes."""

    async def decide(may: bool) -> None:
        await parts.tables.stop(asked.table, press.guest.user_id, is_admin=may)

    what = await _decide_or_vote(parts, press.guest, asked.table, None, decide)
    return Answer(
        done(Done.STOPPED if what is None else what, press.guest.words), then=removing(parts, press)
    )


async def vote_for(parts: Parts, press: Press, asked: callbacks.VoteFor) -> Answer:
    """Vote for what was proposed."""
    await parts.tables.cast(asked.table, press.guest.user_id, asked.number, aye=True)
    return Answer(done(Done.VOTED, press.guest.words))


async def vote_against(parts: Parts, press: Press, asked: callbacks.VoteAgainst) -> Answer:
    """Vote against it."""
    await parts.tables.cast(asked.table, press.guest.user_id, asked.number, aye=False)
    return Answer(done(Done.VOTED, press.guest.words))


async def _decide_or_vote(
    parts: Parts, guest: Guest, table_id: str, target: int | None, decide: Callable[[bool], Awaitable[None]]
) -> Done | None:
    """Do it at once for the host or an admin (None), or open a vote. Raises Refusal."""
    try:
        await do_as_one_may(parts, guest, Refused.NOT_HOST, decide)
        return None
    except Refusal as refused:
        has_a_say = _has_a_say(await parts.tables.view(table_id, guest.user_id), guest.user_id)
        if refused.reason not in (Refused.NOT_HOST, Refused.RIGHTS_UNKNOWN) or not has_a_say:
            raise
        reason = refused.reason
    await parts.tables.call_vote(table_id, guest.user_id, target)
    return Done.VOTE_OPENED if reason is Refused.NOT_HOST else Done.VOTE_INSTEAD


def _has_a_say(view: TableView, user_id: int) -> bool:
    """Does this person sit in the lobby, or is he still in the match?"""
    return any(player.user_id == user_id and player.status in (None, Status.IN) for player in view.players)


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def stop(guest: Guest) -> None:
        """`/stop`: ends the table after one question, or a vote; who plays alone ends it by leaving."""
        alone = await parts.tables.at(guest.chat_id, 0) if guest.is_private else None
        if alone is not None:
            match = await parts.tables.view(alone, guest.user_id)
            await ask(parts, guest, "leave", guide.ask_leave(match, guest.words, guest.user_id))
            return
        view = await _table_with_a_say(guest)
        await ask(parts, guest, "stop", guide.ask_stop(view, guest.chat_words, guest.user_id))

    async def ask_whom(guest: Guest) -> None:
        """`/kick`: whom to ask to leave; the answer is carried out, or voted on."""
        view = await _table_with_a_say(guest)
        if not kickable(view, guest.user_id):
            raise Refusal(Refused.ALONE if len(view.players) < 2 else Refused.TWO_ARE_LEFT)
        await ask(parts, guest, "kick", ask_kick(view, guest.chat_words, guest.user_id))

    async def _table_with_a_say(guest: Guest) -> TableView:
        """The running table here, if the guest has a say in it.

        Raises Refusal: in_group, no_table, not_host, rights_unknown.
        """
        view = await parts.tables.view(await table_here(guest, parts), guest.user_id)
        is_host = any(player.is_host and player.user_id == guest.user_id for player in view.players)
        may = is_host or _has_a_say(view, guest.user_id)
        if not may and not await is_admin(parts, guest):
            raise Refusal(Refused.NOT_HOST, who=view.host_name)
        return view

    return [command("stop", parts, stop), command("kick", parts, ask_whom)]
