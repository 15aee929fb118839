"""Solo matches against computers in the private chat; `/play` for them, and for computers in a group."""

from __future__ import annotations

from dataclasses import replace

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command, remove_answer, reply, turn_page
from bot.handlers.computers import names_in, open_menu
from bot.handlers.lobby import open_table
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens.answers import refusal
from bot.screens.opponents import MOST_OPPONENTS, Opponents, choice, opponents_at
from bot.settings import TableSettings
from bot.tables.player import Player
from bot.tables.refusals import Refusal, Refused
from engine import PRESETS, Rules
from engine.players import Level


@on(buttons.OpenAlone)
async def open_alone(services: Services, press: Press, asked: buttons.OpenAlone) -> Answer:
    """Open the choice of opponents, or change it if the button is on it.

    From elsewhere, the last opponents are selected; if a match is running, it is sent again instead, as by
    `/play`.
    """
    visitor = press.visitor
    chosen = _checked(visitor, asked.opponents, asked.level, asked.preset)
    is_menu = await services.storage.replies.find(visitor.chat_id, press.message_id) == Kind.OPPONENTS
    if not is_menu:
        running = await services.queries.at(visitor.chat_id, 0)
        if running is not None:
            text = refusal(Refused.MATCH_RUNNING, visitor.tr)
            return Answer(text, then=lambda: services.messages.renew_hand(running, visitor.user_id))
        chosen = await _last(services, visitor.user_id) or chosen
    return Answer(then=lambda: turn_page(services, press, Kind.OPPONENTS, choice(chosen, press.visitor.tr)))


@on(buttons.PlayAlone)
async def play_alone(services: Services, press: Press, asked: buttons.PlayAlone) -> Answer:
    """Start a match by the rules of a preset."""
    chosen = _checked(press.visitor, asked.opponents, asked.level, asked.preset)
    return await _begin(services, press, chosen, Rules.from_document({"preset": chosen.preset}))


@on(buttons.PlayByRules)
async def play_by_rules(services: Services, press: Press, asked: buttons.PlayByRules) -> Answer:
    """Start a match by a group's saved rules, against as many of the last opponents as they have seats for.

    Raises Refusal: rules_gone; table_gone in a group.
    """
    if not press.visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    rules = (await services.group_settings.rule_set(asked.token)).rules
    last = await _last(services, press.visitor.user_id) or Opponents()
    chosen = replace(last, count=min(last.count, rules.max_seats - 1))
    return await _begin(services, press, chosen, rules)


async def _begin(services: Services, press: Press, chosen: Opponents, rules: Rules) -> Answer:
    """Start a match; if one is running, say so and send it again."""
    visitor = press.visitor
    settings = TableSettings(rules, None, talk=False, hints=True)
    opponents = [chosen.level] * chosen.count
    names = names_in(visitor.tr)
    opened = await services.tables.open_solo(
        Player(visitor.user_id, visitor.name), opponents, names, settings
    )

    async def show() -> None:
        if not opened.is_new:
            await services.messages.renew_hand(opened.table_id, visitor.user_id)
        await remove_answer(services, press, Kind.OPPONENTS)

    text = "" if opened.is_new else refusal(Refused.MATCH_RUNNING, visitor.tr)
    return Answer(text, then=show)


def _checked(visitor: Visitor, count: int, level: str, preset: str) -> Opponents:
    """Validate a choice of opponents. Raises Refusal: table_gone for values not offered, and in a group."""
    is_known = 1 <= count <= MOST_OPPONENTS and level in tuple(Level) and preset in PRESETS
    if not visitor.is_private or not is_known:
        raise Refusal(Refused.TABLE_GONE)
    return Opponents(count, Level(level), preset)


async def _last(services: Services, user_id: int) -> Opponents | None:
    """The opponents of the person's last solo match; None if there has been none."""
    table_id = await services.queries.latest_at(user_id, 0)
    return None if table_id is None else opponents_at(await services.queries.view(table_id, None))


@command("play")
async def play(services: Services, visitor: Visitor) -> None:
    """`/play`: in private, the solo match or a choice of opponents; in a group, the menu of computers."""
    if not visitor.is_private:
        table_id = await open_table(services, visitor)
        await open_menu(services, visitor, table_id)
        return
    running = await services.queries.at(visitor.chat_id, 0)
    if running is not None:
        await services.messages.renew_hand(running, visitor.user_id)
        return
    chosen = await _last(services, visitor.user_id) or Opponents()
    await reply(services, visitor, Kind.OPPONENTS, choice(chosen, visitor.tr))
