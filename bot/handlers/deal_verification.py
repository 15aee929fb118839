"""`/fair` and `/export`: how to verify a deal, and a finished match as a file."""

from __future__ import annotations

import json
from pathlib import Path

from bot.handlers.commands import command, reply
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.kinds import Kind
from bot.screens import help as guide
from bot.screens.fair import fair
from bot.tables.refusals import Refusal, Refused

DEAL = Path(__file__).parent / "files/deal.txt"
"""A stand-alone program that repeats a deal. It is sent to people, not imported."""


@command("fair")
async def check(services: Services, visitor: Visitor) -> None:
    """`/fair`: how to verify a deal, with the seeds of the last rounds here, or at the person's last table.

    If no round of the current match is over, those of the match before. In private, with a program.
    """
    if visitor.is_private:
        latest = await services.queries.latest_of(visitor.user_id)
        before = await services.queries.latest_over_of(visitor.user_id)
    else:
        latest = await services.queries.latest_at(visitor.chat_id, visitor.thread_id)
        before = await services.queries.latest_over_at(visitor.chat_id, visitor.thread_id)
    view = None
    for table_id in (latest, before):
        if table_id is not None and (view is None or not view.rounds):
            view = await services.queries.view(table_id, visitor.user_id)
    await reply(services, visitor, Kind.FAIR, fair(view, visitor.chat_tr))
    if visitor.is_private:
        caption = visitor.tr.plain("fair.deal")
        name = f"{DEAL.stem}.py"
        await services.outbox.say_file(visitor.chat_id, name, DEAL.read_bytes(), caption, kind=Kind.FILE)


@command("export")
async def export(services: Services, visitor: Visitor) -> None:
    """`/export`: the person's last finished match, in private."""
    if not visitor.is_private:
        await reply(
            services,
            visitor,
            Kind.PRIVATE_ONLY,
            guide.only_in_private(visitor.chat_tr, services.bot_username),
        )
        return
    table_id = await services.queries.latest_over_of(visitor.user_id)
    if table_id is None:
        raise Refusal(Refused.NO_MATCH_YET)
    document = await services.queries.export(table_id)
    content = json.dumps(document, ensure_ascii=False, indent=1).encode()
    caption = visitor.tr.plain("export.caption")
    await services.outbox.say_file(
        visitor.chat_id,
        f"101-{table_id}.json",
        content,
        caption,
        kind=Kind.FILE,
        asked_by=visitor.user_id,
    )
