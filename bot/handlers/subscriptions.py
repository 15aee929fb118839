"""Subscriptions: private notifications about new tables in a group.

A person is notified at most once a day by each group, and not about a table where they already sit.
Leaving the group ends the subscription (`members`).
"""

from __future__ import annotations

import logging

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import command, reply
from bot.handlers.members import require_member
from bot.handlers.replies import become, send
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.locales import pick_language
from bot.messages.gateway import CallFailed
from bot.messages.kinds import Kind, slot
from bot.screens import help as guide
from bot.screens.answers import Done, done
from bot.screens.subscriptions import subscription_set, table_opened, unsubscribed
from bot.storage.replies import Reply
from bot.tables import transitions
from bot.tables.refusals import Refusal, Refused

log = logging.getLogger(__name__)

DAY_SECONDS = 86_400.0


@on(buttons.Subscribe)
async def subscribe(services: Services, press: Press, _asked: buttons.Subscribe) -> Answer:
    """Subscribe the presser to notifications about new tables in this group."""
    visitor = press.visitor
    if visitor.is_private:
        raise Refusal(Refused.IN_GROUP)
    if not visitor.reachable:
        raise Refusal(Refused.NO_PRIVATE_CHAT)
    await services.storage.subscriptions.add(visitor.user_id, visitor.chat_id)
    return Answer(done(Done.SUBSCRIBED, visitor.tr))


@on(buttons.JoinFromNotification)
async def join_from_notification(
    services: Services, press: Press, asked: buttons.JoinFromNotification
) -> Answer:
    """Seat a subscriber at the table from the notification, if they are still a member of its group."""
    visitor = press.visitor
    chat_id = await services.queries.chat_of(asked.table)
    if not await services.storage.subscriptions.has(visitor.user_id, chat_id):
        raise Refusal(Refused.ELSEWHERE)
    if not (await services.queries.view(asked.table, None)).has_place(visitor.user_id):
        await require_member(services, chat_id, visitor.user_id)
    await services.tables.act(asked.table, visitor.user_id, transitions.sit, visitor.name)
    view = await services.queries.view(asked.table, visitor.user_id)

    async def show() -> None:
        url = await services.messages.table_url(asked.table)
        seated = Reply(visitor.chat_id, 0, slot(Kind.SEATED, asked.table), press.message_id, asked.table)
        await become(services, seated, guide.seated(view, visitor.tr, url))

    return Answer(done(Done.SEATED, visitor.tr), then=show if press.is_on_it else None)


@on(buttons.Unsubscribe)
async def unsubscribe(services: Services, press: Press, asked: buttons.Unsubscribe) -> Answer:
    """Unsubscribe the presser from the group of this table."""
    visitor = press.visitor
    view = await services.queries.view(asked.table, None)
    had_one = await services.storage.subscriptions.remove(
        visitor.user_id, await services.queries.chat_of(asked.table)
    )
    if not (had_one or press.is_on_it):
        raise Refusal(Refused.ELSEWHERE)

    async def show() -> None:
        screen = unsubscribed(visitor.tr, view.chat_title, services.bot_username)
        await become(services, Reply(visitor.chat_id, 0, Kind.SUBSCRIPTION, press.message_id), screen)

    return Answer(done(Done.UNSUBSCRIBED, visitor.tr), then=show if press.is_on_it else None)


async def notify_subscribers(services: Services, table_id: str) -> None:
    """Notify the subscribers of a table that has just been opened."""
    view = await services.queries.view(table_id, None)
    chat_id = await services.queries.chat_of(table_id)
    seated = [player.user_id for player in view.players]
    now = services.now()
    subscribers = await services.storage.subscriptions.claim_due(chat_id, seated, now - DAY_SECONDS, now)
    people = await services.storage.people.get_many(subscribers)
    for person in people.values():
        if not person.reachable:
            continue
        tr = services.catalogues[pick_language(person.language, person.language_code)]
        try:
            await send(
                services,
                person.user_id,
                0,
                slot(Kind.TABLE_OPENED, chat_id),
                table_opened(table_id, view.chat_title, tr),
                table_id=table_id,
                silent=not person.settings.sound,
            )
        except CallFailed as failure:
            log.info("not notified: %s", failure, extra={"user": person.user_id, "chat": chat_id})


@command("bell")
async def toggle(services: Services, visitor: Visitor) -> None:
    """`/bell`: subscribe to notifications about new tables here, or unsubscribe."""
    if visitor.is_private:
        raise Refusal(Refused.IN_GROUP)
    if await services.storage.subscriptions.remove(visitor.user_id, visitor.chat_id):
        is_on = False
    elif not visitor.reachable:
        raise Refusal(Refused.NO_PRIVATE_CHAT)
    else:
        await services.storage.subscriptions.add(visitor.user_id, visitor.chat_id)
        is_on = True
    screen = subscription_set(visitor.chat_tr, visitor.name, services.bot_username, is_on=is_on)
    await reply(services, visitor, Kind.SUBSCRIPTION, screen)
