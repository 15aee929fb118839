"""Leaderboards and one's own record: in a group what was played there, in private over all groups.

In private the leaderboard has only those with whom one has played: who plays in other groups is not told. A
record is shown to who asks for his own, and turned by nobody else.
"""

from __future__ import annotations

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, replace_answer, turn_page
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.records.values import EVERYWHERE
from bot.screens.answers import Done, done
from bot.screens.records import leaderboard, own_record
from bot.screens.screen import Screen
from bot.tables.refusals import Refusal, Refused

TOP = "top"
"""The kind of answer that a leaderboard is."""


def _stats_of(user_id: int) -> str:
    """The kind of answer that somebody's record is: each has his own, so that nobody's replaces another's."""
    return f"stats:{user_id}"


async def turn_top(parts: Parts, press: Press, asked: callbacks.TurnTop) -> Answer:
    """Another page of the leaderboard."""
    screen = await _top(parts, press.guest, asked.page)
    return Answer(then=lambda: turn_page(parts, press, TOP, screen))


async def turn_stats(parts: Parts, press: Press, asked: callbacks.TurnStats) -> Answer:
    """Another page of one's own record. Raises Refusal: not_yours."""
    if asked.user_id != press.guest.user_id:
        raise Refusal(Refused.NOT_YOURS)
    return await _stats_shown(parts, press, asked.page)


async def hide_me(parts: Parts, press: Press, asked: callbacks.HideMe) -> Answer:
    """Whether he stands in lists of players. Raises Refusal: table_gone outside of private chats."""
    guest = press.guest
    if not guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    await parts.storage.people.set_hidden(guest.user_id, asked.hidden)
    shown = await _stats_shown(parts, press, 0)
    return Answer(done(Done.HIDDEN if asked.hidden else Done.LISTED, guest.words), then=shown.then)


async def _stats_shown(parts: Parts, press: Press, page: int) -> Answer:
    screen = await _stats(parts, press.guest, page)
    return Answer(then=lambda: turn_page(parts, press, _stats_of(press.guest.user_id), screen))


async def _top(parts: Parts, guest: Guest, page: int) -> Screen:
    statistics = parts.storage.statistics
    if guest.is_private:
        ranked = await statistics.companions(guest.user_id)
        has_played = bool(ranked) or await statistics.has_played(EVERYWHERE, guest.user_id)
    else:
        ranked = await statistics.leaderboard(guest.chat_id)
        has_played = bool(ranked) or await statistics.has_played(guest.chat_id)
    group = await _group(parts, guest)
    return leaderboard(ranked, page, guest.chat_words, group, has_played=has_played)


async def _stats(parts: Parts, guest: Guest, page: int) -> Screen:
    """The record of who asks, and of nobody else."""
    scope = EVERYWHERE if guest.is_private else guest.chat_id
    person = await parts.storage.people.get(guest.user_id)
    assert person is not None, "whoever presses or types has been seen"
    return own_record(
        guest.user_id,
        guest.name,
        await parts.storage.statistics.summary(guest.user_id, scope),
        await parts.storage.statistics.duels(guest.user_id, scope),
        page,
        guest.chat_words,
        group=await _group(parts, guest),
        hidden=person.hidden if guest.is_private else None,
    )


async def _group(parts: Parts, guest: Guest) -> str | None:
    """The title of the group he is in; None in private."""
    if guest.is_private:
        return None
    chat = await parts.storage.chats.get(guest.chat_id)
    return "" if chat is None else chat.title


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The commands of this room."""

    async def top(guest: Guest) -> None:
        """`/top`: the leaderboard of the group; in private, of those one has played with."""
        await replace_answer(parts, guest, TOP, await _top(parts, guest, 0))

    async def stats(guest: Guest) -> None:
        """`/stats`: one's own record, in this group or in all of them."""
        await replace_answer(parts, guest, _stats_of(guest.user_id), await _stats(parts, guest, 0))

    return [command("top", parts, top), command("stats", parts, stats)]
