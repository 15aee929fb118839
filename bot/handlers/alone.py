"""Playing alone against computers, in the private chat; the command for that, and for them in a group."""

from __future__ import annotations

from dataclasses import replace

from telegram import Update
from telegram.ext import BaseHandler, ContextTypes

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.commands import command, remove_answer, replace_answer, turn_page
from bot.handlers.computers import names_in, open_menu
from bot.handlers.guest import Guest
from bot.handlers.lobby import open_table
from bot.handlers.parts import Parts
from bot.screens.answers import refusal
from bot.screens.opponents import MOST_OPPONENTS, Opponents, choice, opponents_at
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from bot.tables.settings import TableSettings
from engine import PRESETS, Rules
from engine.players import Level

MENU = "play"
"""The kind of answer that the choice of opponents is."""


async def open_alone(parts: Parts, press: Press, asked: callbacks.OpenAlone) -> Answer:
    """Choose opponents; from a button elsewhere, those of last time are chosen already."""
    chosen = _checked(press.guest, asked.opponents, asked.level, asked.preset)
    is_menu = await parts.storage.replies.find(press.guest.chat_id, press.message_id) == MENU
    if not is_menu:
        chosen = await _last(parts, press.guest.user_id) or chosen
    return Answer(then=lambda: turn_page(parts, press, MENU, choice(chosen, press.guest.words)))


async def play_alone(parts: Parts, press: Press, asked: callbacks.PlayAlone) -> Answer:
    """Begin a match by the rules of a preset."""
    chosen = _checked(press.guest, asked.opponents, asked.level, asked.preset)
    return await _begin(parts, press, chosen, Rules.from_document({"preset": chosen.preset}))


async def play_by_rules(parts: Parts, press: Press, asked: callbacks.PlayByRules) -> Answer:
    """Begin a match by rules that a group has saved, against as many of last time's opponents as have seats.

    Raises Refusal: rules_gone; table_gone in groups, where there is no such button.
    """
    if not press.guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    rules = (await parts.house.rule_set(asked.token)).rules
    last = await _last(parts, press.guest.user_id) or Opponents()
    chosen = replace(last, count=min(last.count, rules.max_seats - 1))
    return await _begin(parts, press, chosen, rules)


async def _begin(parts: Parts, press: Press, chosen: Opponents, rules: Rules) -> Answer:
    """Begin a match; if one is running, say so and bring it down here."""
    guest = press.guest
    settings = TableSettings(rules, None, talk=False, hints=True)
    opponents = [chosen.level] * chosen.count
    names = names_in(guest.words)
    opened = await parts.tables.open_alone(Player(guest.user_id, guest.name), opponents, names, settings)

    async def show() -> None:
        if not opened.is_new:
            await parts.presenter.renew_hand(opened.table_id, guest.user_id)
        await remove_answer(parts, press, MENU)

    text = "" if opened.is_new else refusal(Refused.MATCH_RUNNING, guest.words)
    return Answer(text, then=show)


def _checked(guest: Guest, count: int, level: str, preset: str) -> Opponents:
    """What was chosen. Raises Refusal: table_gone for what no button of ours says, and in groups."""
    is_known = 1 <= count <= MOST_OPPONENTS and level in tuple(Level) and preset in PRESETS
    if not guest.is_private or not is_known:
        raise Refusal(Refused.TABLE_GONE)
    return Opponents(count, Level(level), preset)


async def _last(parts: Parts, user_id: int) -> Opponents | None:
    """Whom somebody has played alone against last; None if he never has."""
    table_id = await parts.tables.latest_at(user_id, 0)
    return None if table_id is None else opponents_at(await parts.tables.view(table_id, None))


def handlers(parts: Parts) -> list[BaseHandler[Update, ContextTypes.DEFAULT_TYPE, None]]:
    """The command of this room."""

    async def play(guest: Guest) -> None:
        """`/play`: in private one's match, or a choice of opponents; in a group the table's computers."""
        if not guest.is_private:
            table_id = await open_table(parts, guest)
            await open_menu(parts, guest, table_id)
            return
        running = await parts.tables.at(guest.chat_id, 0)
        if running is not None:
            await parts.presenter.renew_hand(running, guest.user_id)
            return
        chosen = await _last(parts, guest.user_id) or Opponents()
        await replace_answer(parts, guest, MENU, choice(chosen, guest.words))

    return [command("play", parts, play)]
