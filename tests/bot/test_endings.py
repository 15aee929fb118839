"""Every kind of message ends as its declaration says.

Telegram is reduced to messages that are sent and deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.handlers.answer import Press
from bot.handlers.background import Background
from bot.handlers.commands import remove_answer
from bot.handlers.endings import Endings, end_in_old_language
from bot.handlers.pending_texts import PendingTexts
from bot.handlers.replies import become, end, send, take_slot
from bot.handlers.services import Services
from bot.handlers.visitor import Visitor
from bot.messages.desired import END, board_key, hand_key, kind_of_key
from bot.messages.kinds import ENDS, End, Kind, Slot, kind_of, slot
from bot.messages.outbox import Outbox
from bot.messages.rate_limit import Priority
from bot.messages.reconcile import Action, CallHistory, Mode, reconcile
from bot.screens.screen import Screen
from bot.settings import HandOrder
from bot.storage.replies import Reply
from bot.storage.shown import Shown
from bot.tables import transitions
from bot.tables.context import Timings
from bot.tables.player import Player
from bot.tables.queries import TableQueries
from bot.tables.service import Tables
from bot.tables.transitions import Change
from tests.bot.handlers.chats import Chats, sending
from tests.bot.handlers.forged_world import World
from tests.bot.tables.tables import ANYA, BORIS, NOW, VERA
from tests.patience import PATIENCE

OF_TABLES = {
    Kind.LOBBY: board_key(0),
    Kind.ROUND: board_key(3),
    Kind.VOTE: "vote:1",
    Kind.MATCH_END: END,
    Kind.HAND: hand_key(5),
}
"""The kinds of messages that the reconciler keeps equal to a table's state, and a key of each."""

FOR_GOOD = {Kind.ROUND, Kind.MATCH_END, Kind.FILE, Kind.GROUP_WELCOME, Kind.ALERT}
"""What tells of something that stays so: results, a file, a greeting, a report."""

EACH = [(kind, end) for kind in Kind if kind not in OF_TABLES for end in sorted(ENDS[kind], key=str)]

Cause: TypeAlias = Callable[[Services, str, Slot, int], Awaitable[Any]]


@pytest.fixture
async def chats() -> Chats:
    return Chats()


@pytest.fixture
async def world(tmp_path: Path, chats: Chats) -> AsyncIterator[World]:
    async with sending(tmp_path / "101.sqlite3", chats) as it:
        yield it


async def _again(services: Services, _table_id: str, of: Slot, _message_id: int) -> None:
    await send(services, BORIS.user_id, 0, of, Screen("the next one"))


async def _put_away(services: Services, _table_id: str, of: Slot, message_id: int) -> None:
    pressed = press_in_private(services, message_id)
    await remove_answer(services, pressed, of)


def press_in_private(services: Services, message_id: int) -> Press:
    """Press something as Boris in private."""
    words = services.catalogues["ru"]
    boris = Visitor(BORIS.user_id, "Борис", BORIS.user_id, 0, True, True, words, words, HandOrder.SUIT)
    return Press(boris, message_id, is_on_it=True)


def _act(person: Player, transition: Callable[..., Change], *args: Any, **kwargs: Any) -> Cause:
    """This person does this at the table."""

    async def cause(services: Services, table_id: str, _of: Slot, _message_id: int) -> None:
        await services.tables.act(table_id, person.user_id, transition, *args, **kwargs)

    return cause


CAUSES: dict[End, Cause] = {
    End.NEXT: _again,
    End.PRESS: _put_away,
    End.STAGE: _act(ANYA, transitions.start, is_admin=False),
    End.OVER: _act(ANYA, transitions.stop, is_admin=False),
    End.SEATED: _act(VERA, transitions.sit, VERA.name),
    End.UNSEATED: _act(BORIS, transitions.stand),
    End.DEAL: _act(ANYA, transitions.start, is_admin=False),
    End.MATCH: _act(ANYA, transitions.start, is_admin=False),
    End.LANGUAGE: lambda services, *_: end_in_old_language(services, BORIS.user_id, but=0),
}


@pytest.mark.parametrize(("kind", "ends"), EACH, ids=lambda it: it.name)
async def test_each_kind_ends_as_the_list_says(kind: Kind, ends: End, world: World, chats: Chats) -> None:
    """In a private chat, about a lobby at which its owner sits; for somebody who does not sit there.

    What the beginning of a match ends is in the group.
    """
    lobby = world.tables[0].id
    chat = world.tables[0].chat_id if ends is End.MATCH else BORIS.user_id
    of = slot(kind, VERA.user_id)
    message_id = await send(world.services, chat, 0, of, Screen(kind), table_id=lobby)
    assert (chat, message_id) in chats.messages
    await CAUSES[ends](world.services, lobby, of, message_id)
    await chats.gone(chat, message_id)
    await world.services.background.close()
    assert await world.services.storage.replies.find(chat, message_id) is None
    assert chats.deletions == 1


@pytest.mark.parametrize("kind", [kind for kind in Kind if ENDS[kind] & {End.STAGE, End.OVER}])
async def test_what_should_have_ended_while_the_bot_was_down_ends_at_its_start(
    kind: Kind, world: World, chats: Chats
) -> None:
    lobby = world.tables[0].id
    of = slot(kind, VERA.user_id)
    message_id = await send(world.services, BORIS.user_id, 0, of, Screen(kind), table_id=lobby)
    unheard = Tables(world.services.storage, TableQueries(world.services.storage, lambda: NOW), Timings())
    await unheard.act(lobby, ANYA.user_id, transitions.stop, is_admin=False)
    assert (BORIS.user_id, message_id) in chats.messages
    restarted = replace(world.services, queries=TableQueries(world.services.storage, lambda: NOW))
    await Endings(restarted).catch_up()
    await chats.gone(BORIS.user_id, message_id)


async def test_what_was_replaced_when_the_bot_was_killed_goes_at_the_start(
    world: World, chats: Chats
) -> None:
    """Killed while the earlier menu waits for its deletion, of which the next process knows nothing."""
    chat, services = BORIS.user_id, world.services
    chats.may_delete.clear()
    earlier = await send(services, chat, 0, Slot(Kind.SETTINGS), Screen("menu"))
    replacing = asyncio.create_task(send(services, chat, 0, Slot(Kind.SETTINGS), Screen("the next menu")))
    await asyncio.wait_for(chats.deleting.wait(), PATIENCE)
    replacing.cancel()
    with suppress(asyncio.CancelledError):
        await replacing
    assert (chat, earlier) in chats.messages
    chats.may_delete.set()
    restarted = replace(services, outbox=Outbox(services.outbox._gateway, world.scheduler, lambda: NOW))
    await Endings(restarted).catch_up()
    await chats.gone(chat, earlier)
    assert list(chats.messages.values()) == ["the next menu"]
    assert await services.storage.replies.replaced() == []


async def test_what_comes_too_late_goes_at_once(world: World, chats: Chats) -> None:
    """The lobby has closed while the call to it was on its way."""
    lobby = world.tables[0].id
    await world.services.tables.act(lobby, ANYA.user_id, transitions.stop, is_admin=False)
    late = Reply(BORIS.user_id, 0, slot(Kind.TABLE_OPENED, -1), 50, lobby, "lobby")
    chats.messages[late.chat_id, late.message_id] = "call"
    await take_slot(world.services, late)
    await chats.gone(late.chat_id, late.message_id)


async def test_a_press_is_answered_before_what_it_ends_goes(
    world: World, chats: Chats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.messages.reconciler.ANSWER_SECONDS", 600.0)
    lobby = world.tables[0].id
    message_id = await send(
        world.services, BORIS.user_id, 0, slot(Kind.TABLE_OPENED, -1), Screen("call"), table_id=lobby
    )
    with world.services.messages.answering(lobby):
        await world.services.tables.act(lobby, ANYA.user_id, transitions.stop, is_admin=False)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(chats.gone(BORIS.user_id, message_id), 0.5)
    await chats.gone(BORIS.user_id, message_id)


OPENED = slot(Kind.TABLE_OPENED, -1)


async def called_to_lobby(world: World) -> tuple[str, int]:
    """Tell Boris that the lobby is open; the table's id and the message's."""
    lobby = world.tables[0].id
    return lobby, await send(world.services, BORIS.user_id, 0, OPENED, Screen("call"), table_id=lobby)


async def test_a_message_that_has_become_another_ends_as_that(world: World, chats: Chats) -> None:
    lobby, message_id = await called_to_lobby(world)
    seated = slot(Kind.SEATED, lobby)
    await become(world.services, Reply(BORIS.user_id, 0, seated, message_id, lobby), Screen("seated"))
    assert await world.services.storage.replies.find(BORIS.user_id, message_id) == seated
    await world.services.tables.act(lobby, BORIS.user_id, transitions.stand)
    await chats.gone(BORIS.user_id, message_id)


async def test_a_message_that_becomes_another_while_it_is_being_deleted_is_sent_anew(
    world: World, chats: Chats
) -> None:
    """«✋ Сесть» is pressed as the match begins, and the answer «✅ Вы за столом» goes nowhere else."""
    lobby, message_id = await called_to_lobby(world)
    seated = slot(Kind.SEATED, lobby)
    chats.may_delete.clear()
    await world.services.tables.act(lobby, ANYA.user_id, transitions.start, is_admin=False)
    await chats.deleting.wait()
    becoming = asyncio.create_task(
        become(world.services, Reply(BORIS.user_id, 0, seated, message_id, lobby), Screen("seated"))
    )
    await asyncio.wait({becoming}, timeout=0.3)
    chats.may_delete.set()
    await becoming
    await settled(world)
    assert [text for (chat, _), text in chats.messages.items() if chat == BORIS.user_id] == ["seated"]
    ((_, anew),) = (place for place in chats.messages if place[0] == BORIS.user_id)
    assert await world.services.storage.replies.find(BORIS.user_id, anew) == seated


async def test_a_message_that_has_become_another_outlives_the_end_of_what_it_was(
    world: World, chats: Chats
) -> None:
    lobby, message_id = await called_to_lobby(world)
    seated = slot(Kind.SEATED, lobby)
    was = Reply(BORIS.user_id, 0, OPENED, message_id, lobby, "lobby")
    await become(world.services, replace(was, kind=seated), Screen("seated"))
    await end(world.services, was)
    assert (BORIS.user_id, message_id) in chats.messages
    assert await world.services.storage.replies.find(BORIS.user_id, message_id) == seated


async def test_a_message_that_became_another_is_left_by_the_next_of_what_it_was(
    world: World, chats: Chats
) -> None:
    lobby, message_id = await called_to_lobby(world)
    seated = slot(Kind.SEATED, lobby)
    await become(world.services, Reply(BORIS.user_id, 0, seated, message_id, lobby), Screen("seated"))
    await send(world.services, BORIS.user_id, 0, OPENED, Screen("next call"), table_id=lobby)
    assert (BORIS.user_id, message_id) in chats.messages


async def test_a_restart_is_no_deal(world: World, chats: Chats) -> None:
    """What somebody has asked for in the middle of a hand stays, until the next one is dealt."""
    lobby = world.tables[0].id
    await world.services.tables.act(lobby, ANYA.user_id, transitions.start, is_admin=False)
    await settled(world)
    question = slot(Kind.LEAVE_QUESTION, BORIS.user_id)
    await send(world.services, BORIS.user_id, 0, question, Screen("?"), table_id=lobby)
    way = await send(world.services, BORIS.user_id, 0, Kind.OWN_TABLES, Screen("way"))
    menu = await send(world.services, world.tables[0].chat_id, 0, Kind.SETTINGS, Screen("menu"))
    await restarted(world).catch_up()
    assert (BORIS.user_id, way) in chats.messages
    assert (world.tables[0].chat_id, menu) in chats.messages


async def test_a_deal_that_a_restart_has_overtaken_ends_what_it_should(world: World, chats: Chats) -> None:
    lobby = world.tables[0].id
    question = slot(Kind.LEAVE_QUESTION, BORIS.user_id)
    await send(world.services, BORIS.user_id, 0, question, Screen("?"), table_id=lobby)
    way = await send(world.services, BORIS.user_id, 0, Kind.OWN_TABLES, Screen("way"))
    menu = await send(world.services, world.tables[0].chat_id, 0, Kind.SETTINGS, Screen("menu"))
    unheard = Tables(world.services.storage, TableQueries(world.services.storage, lambda: NOW), Timings())
    await unheard.act(lobby, ANYA.user_id, transitions.start, is_admin=False)
    await restarted(world).catch_up()
    assert (BORIS.user_id, way) not in chats.messages
    assert (world.tables[0].chat_id, menu) not in chats.messages


async def test_a_deal_leaves_what_is_about_another_table(world: World, chats: Chats) -> None:
    lobby, other = world.tables[0].id, world.tables[8].id
    seated = slot(Kind.SEATED, other)
    message_id = await send(world.services, BORIS.user_id, 0, seated, Screen("seated"), table_id=other)
    await world.services.tables.act(lobby, ANYA.user_id, transitions.start, is_admin=False)
    await settled(world)
    assert (BORIS.user_id, message_id) in chats.messages


@pytest.mark.parametrize("kind", [kind for kind in Kind if End.MATCH in ENDS[kind]])
async def test_a_match_leaves_the_menus_of_other_topics_and_of_the_next_match(
    kind: Kind, world: World, chats: Chats
) -> None:
    lobby = world.tables[0]
    elsewhere = await send(world.services, lobby.chat_id, 5, kind, Screen("in another topic"))
    await world.services.tables.act(lobby.id, ANYA.user_id, transitions.start, is_admin=False)
    await settled(world)
    later = await send(world.services, lobby.chat_id, 0, kind, Screen("for the next match"))
    await world.services.tables.act(lobby.id, VERA.user_id, transitions.sit, VERA.name)
    await settled(world)
    assert {(lobby.chat_id, elsewhere), (lobby.chat_id, later)} <= set(chats.messages)


async def settled(world: World) -> None:
    """Wait for all work that nobody waits for."""
    while tasks := world.services.background._tasks:
        await asyncio.wait(tasks)


def restarted(world: World) -> Endings:
    """Return the parts as another process would begin, with the same database."""
    queries = TableQueries(world.services.storage, lambda: NOW)
    tables = Tables(world.services.storage, queries, Timings())
    return Endings(replace(world.services, queries=queries, tables=tables, background=Background()))


async def test_words_are_forgotten_with_the_question_about_them(world: World, chats: Chats) -> None:
    lobby = world.tables[0].id
    world.services.pending_texts.keep(BORIS.user_id, 7, "secret", lobby)
    of = slot(Kind.TALK_QUESTION, BORIS.user_id)
    message_id = await send(world.services, BORIS.user_id, 0, of, Screen("?"), table_id=lobby)
    await world.services.tables.act(lobby, ANYA.user_id, transitions.stop, is_admin=False)
    await chats.gone(BORIS.user_id, message_id)
    assert world.services.pending_texts.find(BORIS.user_id, 7) is None


async def test_newer_words_outlive_the_question_about_older_ones(world: World, chats: Chats) -> None:
    lobby, other = world.tables[0].id, world.tables[8].id
    world.services.pending_texts.keep(BORIS.user_id, 7, "old", lobby)
    of = slot(Kind.TALK_QUESTION, BORIS.user_id)
    message_id = await send(world.services, BORIS.user_id, 0, of, Screen("?"), table_id=lobby)
    world.services.pending_texts.keep(BORIS.user_id, 9, "new", other)  # the question about it is on its way
    await world.services.tables.act(lobby, ANYA.user_id, transitions.stop, is_admin=False)
    await chats.gone(BORIS.user_id, message_id)
    await settled(world)
    assert world.services.pending_texts.find(BORIS.user_id, 9) == "new"


def test_words_that_could_not_be_told_come_back_unless_there_are_newer_ones() -> None:
    pending_texts = PendingTexts()
    pending_texts.keep(1, 7, "old", "t")
    taken = pending_texts.take(1, 7)
    assert taken is not None
    assert pending_texts.take(1, 7) is None
    pending_texts.put_back(1, taken)
    assert pending_texts.find(1, 7) == "old"
    pending_texts.take(1, 7)
    pending_texts.keep(1, 9, "new")
    pending_texts.put_back(1, taken)
    assert pending_texts.find(1, 9) == "new"


def test_of_several_people_the_oldest_words_are_forgotten_first() -> None:
    pending_texts = PendingTexts()
    for user_id in range(PendingTexts.MOST + 1):
        pending_texts.keep(user_id, 7, "words")
    assert pending_texts.find(0, 7) is None
    assert pending_texts.find(PendingTexts.MOST, 7) == "words"


# -------------------------------------------------------------------------------------------- the list itself


def test_every_kind_is_on_the_list_and_few_are_for_good() -> None:
    assert set(ENDS) == set(Kind)
    assert {kind for kind in Kind if not ENDS[kind]} == FOR_GOOD
    assert {end for ends in ENDS.values() for end in ends} == {*CAUSES, End.STATE}


@pytest.mark.parametrize("kind", Kind)
def test_a_slot_tells_its_kind(kind: Kind) -> None:
    assert kind_of(kind) is kind
    assert kind_of(slot(kind, 5)) is kind
    assert kind_of(slot(kind, 5, 2)) is kind


def test_slots_of_earlier_versions_are_understood_or_left_alone() -> None:
    assert kind_of("stats:5") is Kind.STATS
    assert kind_of("ask:leave:5") is Kind.LEAVE_QUESTION
    assert kind_of("ask:leave 2:5") is None


@pytest.mark.parametrize(("kind", "key"), OF_TABLES.items())
def test_a_tables_message_is_deleted_when_its_state_wants_it_no_more_or_loses_its_buttons_for_good(
    kind: Kind, key: str
) -> None:
    assert kind_of_key(key) is kind
    there = Shown("t", key, -1, 5, "", Mode.PLAIN, 0.0)
    memory = CallHistory(lambda *_: 0.0, lambda _: 0.0, lambda _: 0.0, {})
    (step,) = reconcile("t", {}, {key: there}, memory, 0.0)
    assert step.priority is Priority.HISTORY
    assert step.action is (Action.DELETE if End.STATE in ENDS[kind] else Action.REMOVE_KEYBOARD)
