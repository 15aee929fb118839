"""Score sheets, charts, rules and help, which anybody may read. Each answer replaces the earlier one."""

from __future__ import annotations

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command, command_with_arguments, reply, turn_page
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor, settings_of
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens import rules, score
from bot.screens.chart import chart_screen
from bot.screens.phrases import place_name
from bot.tables.refusals import Refusal, Refused
from engine import Rules


@on(buttons.ShowScore)
async def show_score(services: Services, press: Press, asked: buttons.ShowScore) -> Answer:
    """Send a table's score sheet to the chat of the press."""
    visitor = press.visitor
    view = await services.queries.view(asked.table, visitor.user_id)

    async def show() -> None:
        await reply(services, visitor, Kind.SCORE, score.score([view], visitor.chat_tr))

    return Answer(then=show)


@on(buttons.ShowChart)
async def show_chart(services: Services, press: Press, asked: buttons.ShowChart) -> Answer:
    """Send the chart of a table's match to the chat of the press. Raises Refusal: no_rounds."""
    visitor = press.visitor
    view = await services.queries.view(asked.table, visitor.user_id)
    if not view.rounds:
        raise Refusal(Refused.NO_ROUNDS)

    async def show() -> None:
        await reply(services, visitor, Kind.CHART, chart_screen(view, visitor.chat_tr))

    return Answer(then=show)


@on(buttons.ReadRules)
async def read_rules(services: Services, press: Press, asked: buttons.ReadRules) -> Answer:
    """Open a page of the rules, in the same message if it shows the rules already."""
    visitor = press.visitor
    if asked.table:
        its_rules, place = await _rules_of_table(services, visitor, asked.table)
    else:
        place, its_rules = "", (await settings_of(visitor.chat_id, services)).rules
    screen = rules.rules(
        its_rules, visitor.chat_tr, services.bot_username, asked.chapter, table=asked.table, place=place
    )
    return Answer(then=lambda: turn_page(services, press, Kind.RULES, screen))


@command("score")
async def score_sheet(services: Services, visitor: Visitor) -> None:
    """`/score`: the current or last match here; in private, those at all of the person's tables."""
    if visitor.is_private:
        table_ids = await services.queries.running_of(visitor.user_id)
        latest = await services.queries.latest_of(visitor.user_id)
        before = await services.queries.latest_over_of(visitor.user_id)
    else:
        table_ids = ()
        latest = await services.queries.latest_at(visitor.chat_id, visitor.thread_id)
        before = await services.queries.latest_over_at(visitor.chat_id, visitor.thread_id)
    if not table_ids:
        table_ids = () if latest is None else (latest,)
    if not table_ids:
        raise Refusal(Refused.AT_NO_TABLE if visitor.is_private else Refused.NO_TABLE)
    views = [await services.queries.view(table_id, visitor.user_id) for table_id in table_ids]
    if before is not None and all(view.game is None for view in views):
        views = [await services.queries.view(before, visitor.user_id)]
    await reply(services, visitor, Kind.SCORE, score.score(views, visitor.chat_tr))


@command_with_arguments("rules")
async def rule_book(services: Services, visitor: Visitor, arguments: list[str]) -> None:
    """`/rules`: the rules in force here; with arguments, the answer to that question."""
    table_id, place = await _table_meant(services, visitor), ""
    if table_id:
        its_rules, place = await _rules_of_table(services, visitor, table_id)
    else:
        its_rules = (await settings_of(visitor.chat_id, services)).rules
    tr, bot_username = visitor.chat_tr, services.bot_username
    if arguments:
        screen = rules.answer(its_rules, tr, bot_username, " ".join(arguments), table=table_id)
    else:
        screen = rules.rules(its_rules, tr, bot_username, table=table_id, place=place)
    await reply(services, visitor, Kind.RULES, screen)


async def _table_meant(services: Services, visitor: Visitor) -> str:
    """The running table of this chat or topic, in private the visitor's that changed last; empty if none."""
    here = await services.queries.at(visitor.chat_id, visitor.thread_id)
    if here is not None or not visitor.is_private:
        return here or ""
    running = await services.queries.running_of(visitor.user_id)
    latest = await services.queries.latest_of(visitor.user_id)
    return latest if latest in running else "".join(running[-1:])


async def _rules_of_table(services: Services, visitor: Visitor, table_id: str) -> tuple[Rules, str]:
    """Return a table's rules, and its name if it belongs to another chat. Raises Refusal: table_gone."""
    view = await services.queries.view(table_id, visitor.user_id)
    is_elsewhere = visitor.is_private and not view.is_solo
    return view.rules, place_name(view, visitor.tr) if is_elsewhere else ""


@command("help")
async def help_page(services: Services, visitor: Visitor) -> None:
    """`/help`: how to play, and the commands."""
    await reply(services, visitor, Kind.HELP, guide.help_screen(visitor.chat_tr, services.bot_username))
