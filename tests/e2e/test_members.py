"""People out of the group are out of its table, and people who may not write there can't talk at it.

What `in_silence` does, the bot is not told of, as where it is no admin of a large group.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import (
    CallbackData,
    CancelPremove,
    JoinFromNotification,
    LetBack,
    Rematch,
    Sit,
    StopMatch,
    TellTable,
)
from bot.tables.lifecycle import TablePhase
from engine import Status
from sandbox.model import Member
from sandbox.model import Status as ChatStatus
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.running import Running, running
from tests.e2e.telegram import Button, Message
from tests.e2e.wording import RUSSIAN, beginning, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

CANNOT_WRITE = {"can_send_messages": False}


def in_silence(club: Club, person: Person, status: ChatStatus, rights: dict[str, bool] | None = None) -> None:
    """Change somebody's membership without an update for the bot."""
    server = club.running.telegram.server
    assert server is not None
    server.sandbox.world.chats[club.chat].members[person.user_id] = Member(status, rights or {})


async def stands(club: Club, person: Person, status: Status) -> None:
    """Wait until this person's seat is committed so."""

    async def is_so() -> bool:
        state = await club.committed()
        seat = state.table.seat_of(person.user_id)
        return seat is not None and state.match.seats[seat].status is status

    await club.running.telegram.until(is_so)


async def private_message(person: Person, kind: type[CallbackData]) -> Message:
    """This person's newest message with a button for this, as soon as there is one."""
    shown = person.running.telegram

    async def find() -> Message | None:
        return next((it for it in shown.newest(person.user_id) if has_button(it, kind)), None)

    return await shown.until(find)


async def told_in_private(person: Person, sign: str) -> None:
    """Wait until the bot's newest message in private begins so."""
    shown = person.running.telegram

    async def is_so() -> bool:
        newest = next(shown.newest(person.user_id), None)
        return newest is not None and newest.text.startswith(sign)

    await shown.until(is_so)


async def stands_on_board(club: Club, words: str) -> None:
    """Wait until the group's board has these words."""
    await club.until(lambda: words in club.board.text, f"the table hears {words!r}")


async def says(person: Person, text: str) -> None:
    """Write in private, and have it told at the table."""
    await person.send(person.user_id, text)
    question = await private_message(person, TellTable)
    await person.press(question, button_for(question, TellTable))


@pytest.mark.parametrize("as_admin", [False, True])
@pytest.mark.parametrize("status", ["left", "kicked"])
async def test_who_leaves_the_group_or_is_thrown_out_has_left_the_match(
    bot: Running, status: str, as_admin: bool
) -> None:
    club = await Club.dealt(bot, 3)
    gone = club.people[0]
    if as_admin:
        await bot.telegram.set_member(club.chat, "bot", "administrator")
    await bot.telegram.set_member(club.chat, gone.user_id, status)
    await stands(club, gone, Status.LEFT)
    state = await club.committed()
    assert state.table.host == club.people[1].user_id
    await gone.send(gone.user_id, "слово изгнанного")
    await told_in_private(gone, beginning("not_seated"))


async def test_who_may_not_write_in_the_group_plays_on_and_is_not_heard_there(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    muted = club.people[1]
    in_silence(club, muted, "restricted", CANNOT_WRITE)
    await muted.send(muted.user_id, "слово молчуна")
    question = await private_message(muted, TellTable)
    tap = await muted.press(question, button_for(question, TellTable))
    assert told(tap.answer, "muted")
    state = await club.settled()
    assert state.table.talk == ()
    assert state.table.is_in(muted.user_id)
    await says(club.people[2], "слышно")
    await club.until(lambda: "слышно" in club.board.text, "the others are heard")


@pytest.mark.parametrize("as_exception", [False, True])
async def test_in_a_group_that_is_closed_to_its_members_only_admins_are_heard(
    bot: Running, as_exception: bool
) -> None:
    """A member's own exception grants nothing that is closed to all."""
    club = await Club.dealt(bot, 3, admins=[2])
    await bot.telegram.act("permissions", chat=club.chat, permissions=CANNOT_WRITE)
    member = club.people[1]
    if as_exception:
        in_silence(club, member, "restricted", {"can_send_messages": True})
    await member.send(member.user_id, "слово ночью")
    question = await private_message(member, TellTable)
    tap = await member.press(question, button_for(question, TellTable))
    assert told(tap.answer, "muted")
    for speaker in (club.host, club.people[2]):  # the owner, and an admin
        await says(speaker, f"слышно {speaker.name}")
        await stands_on_board(club, f"слышно {speaker.name}")
    assert [it.text for it in (await club.settled()).table.talk if "ночью" in it.text] == []


async def test_a_text_reveals_a_removal_that_no_update_told_of(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    gone = club.people[1]
    in_silence(club, gone, "kicked")
    await says(gone, "слово изгнанного")
    await stands(club, gone, Status.LEFT)
    assert (await club.committed()).table.talk == ()


async def test_a_press_reveals_it_too_after_a_long_silence(tmp_path: Path) -> None:
    """After a start the bot has heard of nobody."""
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 3)
        gone = club.people[1]
        in_silence(club, gone, "kicked")
        await bot.bot.stop()
        await bot.bot.start()
        await gone.forge(gone.newest, CancelPremove((await club.committed()).table.id))
        await stands(club, gone, Status.LEFT)


async def test_an_invitation_is_void_after_a_ban_and_for_a_seat_that_was_taken(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=3)
    thrown_out, leaver, visitor = club.strangers
    lobby = await club.message_with(Sit)
    links = [(await it.press(lobby, button_for(lobby, Sit))).answer.payload for it in club.strangers]
    in_silence(club, thrown_out, "kicked")
    await bot.telegram.set_member(club.chat, leaver.user_id, "left")
    await thrown_out.start(links[0])
    await told_in_private(thrown_out, beginning("not_member"))
    await leaver.start(links[1])
    await told_in_private(leaver, beginning("invite_gone"))
    for _ in range(2):  # pressed twice it does no harm
        await visitor.start(links[2])
        await club.until(lambda: club.lobby_lists([*club.people, visitor]), "he sits")
    await visitor.send(club.chat, "/leave")
    await club.until(lambda: club.lobby_lists(club.people), "he has got up")
    await visitor.start(links[2])
    await told_in_private(visitor, beginning("invite_gone"))


async def test_where_members_are_hidden_nobody_is_punished_for_it(bot: Running) -> None:
    club = await Club.founded(bot, 3)
    await bot.telegram.act("hide_members", chat=club.chat, hidden=True)
    await club.gather()
    await club.deal()
    await says(club.people[1], "слышно")
    await club.until(lambda: "слышно" in club.board.text, "he is heard")
    assert (await club.settled()).table.is_in(club.people[1].user_id)


async def test_a_notification_seats_nobody_who_was_removed_from_the_group(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    called = club.people[1]
    await called.send(club.chat, "/bell")
    await stopped(club)
    in_silence(club, called, "kicked")
    await club.host.send(club.chat, "/game")
    bell = await private_message(called, JoinFromNotification)
    tap = await called.press(bell, button_for(bell, JoinFromNotification))
    assert told(tap.answer, "not_member")
    assert (await club.committed()).table.player(called.user_id) is None


async def test_a_rematch_does_not_keep_a_seat_for_who_was_thrown_out(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    await stopped(club)
    in_silence(club, club.people[2], "kicked")
    over = await club.message_with(Rematch)
    await club.people[1].press(over, button_for(over, Rematch))
    await club.until(lambda: club.lobby_lists(club.people[:2]), "the others sit")
    assert (await club.settled()).table.phase is TablePhase.LOBBY


async def stopped(club: Club) -> None:
    """The host ends the table."""
    question = await club.ask(club.host, club.chat, "/stop", "🛑")
    await club.host.press(question, button_for(question, StopMatch))


async def test_a_new_name_is_told_at_the_running_table_and_in_the_hands(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    renamed = club.people[1]
    await bot.telegram.act("rename_user", user=renamed.user_id, first_name="Барсук")
    await renamed.send(club.chat, "/score")
    await club.until(lambda: "Барсук" in club.board.text, "the table tells it")
    await club.until(lambda: "Барсук" in club.host.newest.text, "the other's hand tells it")


async def test_who_was_asked_to_leave_needs_to_be_let_back(bot: Running) -> None:
    club = await Club.gathered(bot, 3)
    removed = club.people[2]
    question = await club.ask(club.host, club.chat, "/kick", RUSSIAN.plain("kick.ask"))
    await club.host.press(question, button_named(question, removed.name))
    lobby = await club.until(lambda: club.lobby_lists(club.people[:2]), "he has got up")
    assert told((await removed.press(lobby, button_for(lobby, Sit))).answer, "removed")
    table_id = (await club.committed()).table.id
    forged = await removed.forge(lobby, LetBack(table_id, removed.user_id))
    assert told(forged, "not_host.named", name=club.host.name)
    question = await club.ask(club.host, club.chat, "/kick", RUSSIAN.plain("kick.ask"))
    back = button_named(question, RUSSIAN.plain("button.let_back", name=removed.name))
    tap = await club.host.press(question, back)
    assert tap.answer.text == RUSSIAN.plain("done.let_back")
    lobby = await club.message_with(Sit)
    await removed.press(lobby, button_for(lobby, Sit))
    await club.until(lambda: club.lobby_lists(club.people), "he sits again")


def button_named(message: Message, text: str) -> Button:
    return next(it for it in message.buttons if it.text == text)
