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
from bot.tables.refusals import Refusal, Refused


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
        view = await services.queries.view(asked.table, visitor.user_id)
        its_rules = view.rules
    else:
        its_rules = (await settings_of(visitor.chat_id, services)).rules
    screen = rules.rules(its_rules, visitor.chat_tr, services.bot_username, asked.chapter, asked.table)
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
    its_rules = (await settings_of(visitor.chat_id, services)).rules
    table_id = await services.queries.at(visitor.chat_id, visitor.thread_id)
    if table_id is not None:
        its_rules = (await services.queries.view(table_id, None)).rules
    if arguments:
        screen = rules.answer(its_rules, visitor.chat_tr, services.bot_username, " ".join(arguments))
    else:
        screen = rules.rules(its_rules, visitor.chat_tr, services.bot_username)
    await reply(services, visitor, Kind.RULES, screen)


@command("help")
async def help_page(services: Services, visitor: Visitor) -> None:
    """`/help`: how to play, and the commands."""
    await reply(services, visitor, Kind.HELP, guide.help_screen(visitor.chat_tr, services.bot_username))
