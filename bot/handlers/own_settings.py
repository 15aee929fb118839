"""One's own settings, in the private chat: what rings, what is done for one, how one's cards are sorted."""

from __future__ import annotations

from bot import callbacks
from bot.handlers.answer import Answer, Press
from bot.handlers.choosing import MENU
from bot.handlers.commands import turn_page
from bot.handlers.guest import Guest
from bot.handlers.parts import Parts
from bot.locales import Words
from bot.screens.screen import HandOrder, Screen
from bot.screens.settings_own import OwnSettings, own_settings
from bot.tables.company import Telling
from bot.tables.refusals import Refusal, Refused


async def page(parts: Parts, user_id: int, words: Words) -> Screen:
    """His settings as they are now."""
    person = await parts.storage.people.get(user_id)
    assert person is not None, "whoever presses or types has been seen"
    own = OwnSettings(
        person.sound,
        person.forced_moves,
        HandOrder(person.hand_order),
        person.hidden,
        Telling(person.telling),
    )
    return own_settings(own, words, parts.catalogues)


async def show(parts: Parts, press: Press, words: Words) -> None:
    """Show them in the menu that was pressed."""
    await turn_page(parts, press, MENU, await page(parts, press.guest.user_id, words))


async def choose_sound(parts: Parts, press: Press, asked: callbacks.ChooseSound) -> Answer:
    """Whether his turns ring."""
    guest = _in_private(press)
    await parts.storage.people.set_sound(guest.user_id, asked.sound)
    return _shown(parts, press)


async def choose_forced_moves(parts: Parts, press: Press, asked: callbacks.ChooseForcedMoves) -> Answer:
    """Whether moves that leave nothing to decide are made for him."""
    guest = _in_private(press)
    await parts.tables.set_forced_moves(guest.user_id, asked.made)
    return _shown(parts, press)


async def choose_hand_order(parts: Parts, press: Press, asked: callbacks.ChooseHandOrder) -> Answer:
    """How his cards are sorted, at all his tables."""
    guest = _in_private(press)
    if asked.order not in tuple(HandOrder):
        raise Refusal(Refused.TABLE_GONE)
    await parts.storage.people.set_hand_order(guest.user_id, asked.order)
    for table_id in await parts.tables.running_of(guest.user_id):
        parts.presenter.mark(table_id)
    return _shown(parts, press)


async def choose_hidden(parts: Parts, press: Press, asked: callbacks.ChooseHidden) -> Answer:
    """Whether he stands in lists of players."""
    guest = _in_private(press)
    await parts.storage.people.set_hidden(guest.user_id, asked.hidden)
    return _shown(parts, press)


async def choose_telling(parts: Parts, press: Press, asked: callbacks.ChooseTelling) -> Answer:
    """Whether what he writes in private is told at his table."""
    guest = _in_private(press)
    if asked.telling not in tuple(Telling):
        raise Refusal(Refused.TABLE_GONE)
    await parts.storage.people.set_telling(guest.user_id, asked.telling)
    return _shown(parts, press)


def _in_private(press: Press) -> Guest:
    """Who presses. Raises Refusal: table_gone outside of private chats, where there are no such buttons."""
    if not press.guest.is_private:
        raise Refusal(Refused.TABLE_GONE)
    return press.guest


def _shown(parts: Parts, press: Press) -> Answer:
    return Answer(then=lambda: show(parts, press, press.guest.words))
