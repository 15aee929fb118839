"""Permissions when Telegram does not say who is an admin: nobody is one, and nobody is told otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.buttons import (
    CallbackData,
    Choose,
    CloseComputers,
    DeleteRuleSet,
    HouseRules,
    InviteComputer,
    Kick,
    OpenComputers,
    OpenSettings,
    SendOff,
    SetLanguage,
    StartMatch,
    StopMatch,
    UseRuleSet,
)
from bot.handlers.answer import Answer, Press
from bot.handlers.dispatch import dispatch
from bot.handlers.visitor import Visitor
from bot.screens.answers import Done, done, refusal
from bot.settings import HandOrder
from bot.tables.lifecycle import TablePhase
from bot.tables.refusals import Refused
from tests.bot.handlers.forged_world import ADMIN, World, building

LOBBY, COMPANY, PLAYED = -1, -9, -2
"""Groups with a lobby, with one in which a computer player sits, and with a running match."""
SEATED = 2
"""Sits in all of them, and has opened none."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with building(tmp_path / "101.sqlite3") as world:
        world.telegram.is_silent = True
        yield world


async def press(world: World, user_id: int, chat_id: int, asked: CallbackData) -> Answer:
    """This person presses a button in this group."""
    words = world.services.catalogues["ru"]
    visitor = Visitor(user_id, "Имя", chat_id, 0, False, True, words, words, HandOrder.SUIT, is_pressing=True)
    return await dispatch(world.services, Press(visitor, message_id=7, is_on_it=False), asked)


def table_in(world: World, chat_id: int) -> str:
    """The table of this group."""
    return next(table.id for table in world.tables if table.chat_id == chat_id)


async def test_an_admin_is_told_that_telegram_did_not_say_whatever_he_asks_for(world: World) -> None:
    lobby, company, played = (table_in(world, chat) for chat in (LOBBY, COMPANY, PLAYED))
    presses: tuple[tuple[int, CallbackData], ...] = (
        (LOBBY, StartMatch(lobby)),
        (LOBBY, InviteComputer(lobby, "easy")),
        (LOBBY, OpenComputers(lobby)),
        (LOBBY, CloseComputers(lobby)),
        (COMPANY, SendOff(company, 1)),
        (PLAYED, Kick(played, SEATED)),
        (PLAYED, StopMatch(played)),
        (LOBBY, OpenSettings("")),
        (LOBBY, Choose("editors", "everybody")),
        (LOBBY, Choose("hints", True)),
        (LOBBY, SetLanguage("en")),
        (LOBBY, UseRuleSet(world.token)),
        (LOBBY, DeleteRuleSet(world.token)),
    )
    unknown = refusal(Refused.RIGHTS_UNKNOWN, world.services.catalogues["ru"])
    before = world.changes()
    for chat_id, asked in presses:
        answer = await press(world, ADMIN, chat_id, asked)
        assert (answer.text, answer.then) == (unknown, None), asked
    assert world.changes() == before
    world.telegram.is_silent = False
    for chat_id in (LOBBY, PLAYED):
        world.services.lookups.forget(chat_id)
    assert (await press(world, ADMIN, LOBBY, StartMatch(lobby))).text == ""
    assert (await press(world, ADMIN, PLAYED, StopMatch(played))).text == done(
        Done.STOPPED, world.services.catalogues["ru"]
    )


async def test_who_has_a_say_opens_a_vote_and_is_told_why_and_the_book_of_rules_opens_too(
    world: World,
) -> None:
    words = world.services.catalogues["ru"]
    played = table_in(world, PLAYED)
    answer = await press(world, SEATED, PLAYED, StopMatch(played))
    assert answer.text == done(Done.VOTE_INSTEAD, words)
    view = await world.services.queries.view(played, None)
    assert view.phase is TablePhase.PLAYING
    assert view.vote is not None
    answer = await press(world, SEATED, LOBBY, HouseRules(table_in(world, LOBBY)))
    assert answer.text == refusal(Refused.RIGHTS_UNKNOWN, words)
    assert answer.then is not None
