"""Leaderboards and personal statistics: of the group, or of all groups in private.

In private the leaderboard lists only people that the person has played with, so it does not reveal who plays
in other groups. Everybody can see only their own statistics, and nobody else can turn the pages.
"""

from __future__ import annotations

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command, reply, turn_page
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind, Slot, slot
from bot.records.values import EVERYWHERE
from bot.screens.answers import Done, done
from bot.screens.leaderboards import leaderboard, own_record
from bot.screens.screen import Screen
from bot.settings import CHOICES
from bot.tables.refusals import Refusal, Refused


def _stats_of(user_id: int) -> Slot:
    """The slot of a person's statistics, separate for each person."""
    return slot(Kind.STATS, user_id)


@on(buttons.TurnTop)
async def turn_top(services: Services, press: Press, asked: buttons.TurnTop) -> Answer:
    """Open a page of the leaderboard."""
    screen = await _top(services, press.visitor, asked.page)
    return Answer(then=lambda: turn_page(services, press, Kind.TOP, screen))


@on(buttons.TurnStats)
async def turn_stats(services: Services, press: Press, asked: buttons.TurnStats) -> Answer:
    """Open a page of the presser's own statistics. Raises Refusal: not_yours."""
    if asked.user_id != press.visitor.user_id:
        raise Refusal(Refused.NOT_YOURS)
    return await _stats_shown(services, press, asked.page)


@on(buttons.HideMe)
async def hide_me(services: Services, press: Press, asked: buttons.HideMe) -> Answer:
    """Hide the presser from leaderboards or list them again. Raises Refusal: table_gone in a group."""
    visitor = press.visitor
    if not visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    await services.storage.people.choose(visitor.user_id, CHOICES["hidden"], asked.hidden)
    shown = await _stats_shown(services, press, 0)
    return Answer(done(Done.HIDDEN if asked.hidden else Done.LISTED, visitor.tr), then=shown.then)


async def _stats_shown(services: Services, press: Press, page: int) -> Answer:
    screen = await _stats(services, press.visitor, page)
    return Answer(then=lambda: turn_page(services, press, _stats_of(press.visitor.user_id), screen))


async def _top(services: Services, visitor: Visitor, page: int) -> Screen:
    statistics = services.storage.statistics
    if visitor.is_private:
        ranked = await statistics.companions(visitor.user_id)
        has_played = bool(ranked) or await statistics.has_played(EVERYWHERE, visitor.user_id)
    else:
        ranked = await statistics.leaderboard(visitor.chat_id)
        has_played = bool(ranked) or await statistics.has_played(visitor.chat_id)
    group = await _group(services, visitor)
    return leaderboard(ranked, page, visitor.chat_tr, group, has_played=has_played)


async def _stats(services: Services, visitor: Visitor, page: int) -> Screen:
    scope = EVERYWHERE if visitor.is_private else visitor.chat_id
    person = await services.storage.people.get(visitor.user_id)
    assert person is not None, "a person who presses or types has been stored"
    return own_record(
        visitor.user_id,
        visitor.name,
        await services.storage.statistics.summary(visitor.user_id, scope),
        await services.storage.statistics.duels(visitor.user_id, scope),
        page,
        visitor.chat_tr,
        group=await _group(services, visitor),
        hidden=person.settings.hidden if visitor.is_private else None,
    )


async def _group(services: Services, visitor: Visitor) -> str | None:
    """The title of the visitor's group; None in private."""
    if visitor.is_private:
        return None
    chat = await services.storage.chats.get(visitor.chat_id)
    return "" if chat is None else chat.title


@command("top")
async def top(services: Services, visitor: Visitor) -> None:
    """`/top`: the group's leaderboard; in private, of the people that the person has played with."""
    await reply(services, visitor, Kind.TOP, await _top(services, visitor, 0))


@command("stats")
async def stats(services: Services, visitor: Visitor) -> None:
    """`/stats`: the person's own statistics, in this group or in all groups."""
    await reply(services, visitor, _stats_of(visitor.user_id), await _stats(services, visitor, 0))
