"""One's own settings, in the private chat: what rings, what is done for one, how one's cards are sorted."""

from __future__ import annotations

from bot import buttons
from bot.handlers.answer import Answer, Press, on
from bot.handlers.commands import turn_page
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.locales import Translator
from bot.messages.kinds import Kind
from bot.screens.screen import HandOrder, Screen
from bot.screens.settings_own import OwnSettings, own_settings
from bot.tables.refusals import Refusal, Refused
from bot.tables.table_talk import Telling


async def page(services: Services, user_id: int, tr: Translator) -> Screen:
    """His settings as they are now."""
    person = await services.storage.people.get(user_id)
    assert person is not None, "whoever presses or types has been seen"
    own = OwnSettings(
        person.sound,
        person.forced_moves,
        HandOrder(person.hand_order),
        person.hidden,
        Telling(person.telling),
    )
    return own_settings(own, tr, services.catalogues)


async def show(services: Services, press: Press, tr: Translator) -> None:
    """Show them in the menu that was pressed."""
    await turn_page(services, press, Kind.SETTINGS, await page(services, press.visitor.user_id, tr))


@on(buttons.ChooseSound)
async def choose_sound(services: Services, press: Press, asked: buttons.ChooseSound) -> Answer:
    """Whether his turns ring."""
    visitor = _in_private(press)
    await services.storage.people.set_sound(visitor.user_id, asked.sound)
    return _shown(services, press)


@on(buttons.ChooseForcedMoves)
async def choose_forced_moves(services: Services, press: Press, asked: buttons.ChooseForcedMoves) -> Answer:
    """Whether moves that leave nothing to decide are made for him."""
    visitor = _in_private(press)
    await services.tables.set_forced_moves(visitor.user_id, asked.made)
    return _shown(services, press)


@on(buttons.ChooseHandOrder)
async def choose_hand_order(services: Services, press: Press, asked: buttons.ChooseHandOrder) -> Answer:
    """How his cards are sorted, at all his tables."""
    visitor = _in_private(press)
    if asked.order not in tuple(HandOrder):
        raise Refusal(Refused.TABLE_GONE)
    await services.storage.people.set_hand_order(visitor.user_id, asked.order)
    for table_id in await services.queries.running_of(visitor.user_id):
        services.messages.invalidate(table_id)
    return _shown(services, press)


@on(buttons.ChooseHidden)
async def choose_hidden(services: Services, press: Press, asked: buttons.ChooseHidden) -> Answer:
    """Whether he stands in lists of players."""
    visitor = _in_private(press)
    await services.storage.people.set_hidden(visitor.user_id, asked.hidden)
    return _shown(services, press)


@on(buttons.ChooseTelling)
async def choose_telling(services: Services, press: Press, asked: buttons.ChooseTelling) -> Answer:
    """Whether what he writes in private is told at his table."""
    visitor = _in_private(press)
    if asked.telling not in tuple(Telling):
        raise Refusal(Refused.TABLE_GONE)
    await services.storage.people.set_telling(visitor.user_id, asked.telling)
    return _shown(services, press)


def _in_private(press: Press) -> Visitor:
    """Who presses. Raises Refusal: table_gone outside of private chats, where there are no such buttons."""
    if not press.visitor.is_private:
        raise Refusal(Refused.TABLE_GONE)
    return press.visitor


def _shown(services: Services, press: Press) -> Answer:
    return Answer(then=lambda: show(services, press, press.visitor.tr))
