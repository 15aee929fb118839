"""Kicking by the host, and votes on kicking and stopping."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import CallbackData, Kick, LeaveMatch, StopMatch, VoteAgainst, VoteFor
from bot.tables.lifecycle import Ending, TablePhase
from engine import Status
from tests.e2e.players import Club, Person, button_for, data_of, has_button
from tests.e2e.running import Running, running
from tests.e2e.telegram import Button, Message
from tests.e2e.wording import RUSSIAN, beginning, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

WHOM = RUSSIAN.plain("kick.ask")


def name_of(question: Message, person: Person) -> Button:
    """The button with a person's name under the question whom to ask to leave."""
    wanted = [it for it in question.buttons if getattr(data_of(it), "target", None) == person.user_id]
    return wanted[0]


async def status_of(club: Club, person: Person) -> Status:
    """Return a person's committed status in the match."""
    state = await club.settled()
    seat = state.table.seat_of(person.user_id)
    assert seat is not None
    return state.match.seats[seat].status


async def press_in_group(club: Club, person: Person, kind: type[CallbackData]) -> str | None:
    """Press the group's newest button of this kind; returns the toast."""
    message = await club.message_with(kind)
    return (await person.press(message, button_for(message, kind))).answer.text


# ----------------------------------------------------------------------------------------- asked to leave


async def test_the_host_asks_somebody_to_leave_with_one_question(bot: Running) -> None:
    club = await Club.dealt(bot, 3, strangers=1)
    host, other = club.people[0], club.people[2]
    question = await club.ask(host, club.chat, "/kick", WHOM)
    assert [it.text for it in question.buttons][:-1] == [club.people[1].name, other.name]
    tap = await host.press(question, name_of(question, other))
    assert tap.answer.text == RUSSIAN.plain("done.kicked")
    assert await status_of(club, other) is Status.LEFT
    await club.until(lambda: club.find(Kick) is None, "the question is gone")
    assert f"🚪 {other.name}" in club.board.text


async def test_an_admin_does_so_though_he_does_not_play(bot: Running) -> None:
    club = await Club.dealt(bot, 3, strangers=1)
    question = await club.ask(club.strangers[0], club.chat, "/kick", WHOM)
    await club.strangers[0].press(question, name_of(question, club.people[0]))
    state = await club.settled()
    assert state.match.seats[0].status is Status.LEFT
    assert state.table.host == club.people[1].user_id


async def test_others_vote_and_more_than_half_decide(bot: Running) -> None:
    club = await Club.dealt(bot, 4, strangers=1)
    host, caller, third, fourth = club.people
    question = await club.ask(caller, club.chat, "/kick", WHOM)
    tap = await caller.press(question, name_of(question, host))
    assert tap.answer.text == RUSSIAN.plain("done.vote_opened")
    vote = await club.message_with(VoteFor)
    assert vote.text.startswith(RUSSIAN.plain("vote.kick", name=host.name))
    for nobody in (host, club.strangers[0]):
        assert told((await nobody.press(vote, button_for(vote, VoteFor))).answer, "not_a_voter")
    assert await press_in_group(club, fourth, VoteAgainst) == RUSSIAN.plain("done.voted")
    assert await status_of(club, host) is Status.IN
    assert await press_in_group(club, third, VoteFor) == RUSSIAN.plain("done.voted")
    assert await status_of(club, host) is Status.LEFT
    end = RUSSIAN.plain("vote.kicked", name=host.name, ayes=2, needed=2)
    await club.until(lambda: [it for it in bot.telegram.newest(club.chat) if it.text == end], "it is told")
    assert club.find(VoteFor) is None


async def test_a_question_is_asked_once_and_asked_anew_it_replaces_the_first(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    asker = club.people[1]
    leaving = RUSSIAN.plain("leave.ask_name", name=asker.name)
    for command, sign in (("/kick", WHOM), ("/stop", RUSSIAN.plain("stop.ask")), ("/leave", leaving)):
        first = await club.ask(asker, club.chat, command, sign)
        await club.ask(asker, club.chat, command, sign)
        await club.until(lambda: first not in list(bot.telegram.newest(club.chat)), "one is left")  # noqa: B023
    await club.ask(club.people[2], club.chat, "/kick", WHOM)
    assert len([it for it in bot.telegram.newest(club.chat) if has_button(it, Kick)]) == 2, (
        "one for each asker"
    )


async def test_a_question_that_has_no_answer_any_more_says_so_and_goes(bot: Running) -> None:
    """Whom it asks of has left meanwhile; the match has ended meanwhile."""
    club = await Club.dealt(bot, 4)
    host, asker, other, gone = club.people
    kick = await club.ask(asker, club.chat, "/kick", WHOM)
    leave = await club.ask(gone, club.chat, "/leave", RUSSIAN.plain("leave.ask_name", name=gone.name))
    await gone.press(leave, button_for(leave, LeaveMatch))
    assert await status_of(club, gone) is Status.LEFT
    assert told((await asker.press(kick, name_of(kick, gone))).answer, "not_at_table")
    await club.until(lambda: club.find(Kick) is None, "the question goes")
    kick = await club.ask(asker, club.chat, "/kick", WHOM)
    leave = await club.ask(other, club.chat, "/leave", RUSSIAN.plain("leave.ask_name", name=other.name))
    stop = await club.ask(host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    again = await club.ask(asker, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await host.press(stop, button_for(stop, StopMatch))
    for person, question in ((asker, kick), (other, leave), (asker, again)):
        assert told((await person.press(question, question.buttons[0])).answer, "table_over")
    questions = (Kick, LeaveMatch, StopMatch)
    await club.until(lambda: not any(club.find(kind) for kind in questions), "all of them go")


async def test_ones_own_name_under_anothers_question_asks_nobody_to_leave(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    host, asker = club.people[:2]
    question = await club.ask(asker, club.chat, "/kick", WHOM)
    assert told((await host.press(question, name_of(question, host))).answer, "yourself")
    assert await status_of(club, host) is Status.IN
    assert club.find(Kick) == question, "it is still there for who has asked"


async def test_a_vote_that_nobody_decides_ends_when_its_time_is_up_and_changes_nothing(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, VOTE_SECONDS="1") as bot:
        kicking, stopping = await Club.dealt(bot, 3), await Club.dealt(bot, 3)
        host, caller, _ = kicking.people
        question = await kicking.ask(caller, kicking.chat, "/kick", WHOM)
        await caller.press(question, name_of(question, host))
        question = await stopping.ask(stopping.people[1], stopping.chat, "/stop", RUSSIAN.plain("stop.ask"))
        await stopping.people[1].press(question, button_for(question, StopMatch))
        stays = RUSSIAN.plain("vote.stays", name=host.name, ayes=1, needed=2)
        goes_on = RUSSIAN.plain("vote.goes_on", ayes=1, needed=2)
        for club, end in ((kicking, stays), (stopping, goes_on)):
            vote = await club.until(lambda: find_text(club, end), "it is told how the vote has ended")  # noqa: B023
            assert not vote.buttons
            state = await club.settled()
            assert state.table.phase is TablePhase.PLAYING
            assert {seat.status for seat in state.match.seats} == {Status.IN}
            late = VoteFor(state.table.id, 1)
            assert told(await club.people[2].forge(vote, late), "stale")


def find_text(club: Club, text: str) -> Message | None:
    """The group's newest message that reads so."""
    return next((it for it in club.running.telegram.newest(club.chat) if it.text == text), None)


async def test_of_two_only_one_who_is_away_can_be_asked_to_leave(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    await club.ask(club.host, club.chat, "/kick", beginning("two_are_left"))
    forged = Kick((await club.settled()).table.id, club.people[1].user_id)
    assert told(await club.host.forge(club.board, forged), "two_are_left")
    await club.miss_turns(club.people[1])
    question = await club.ask(club.host, club.chat, "/kick", WHOM)
    await club.host.press(question, name_of(question, club.people[1]))
    assert (await club.settled()).table.ending is Ending.FINISHED


async def test_players_end_a_match_by_a_vote(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    question = await club.ask(club.people[1], club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.people[1].press(question, button_for(question, StopMatch))
    vote = await club.message_with(VoteFor)
    assert vote.text.startswith(RUSSIAN.plain("vote.stop"))
    await press_in_group(club, club.people[2], VoteFor)
    await club.until(lambda: club.find(VoteFor) is None, "the vote is over")
    assert (await club.settled()).table.ending is Ending.STOPPED


async def test_an_admin_of_another_group_has_no_say_here(bot: Running) -> None:
    """A client can send any data from any chat: the right is asked of the table's own group."""
    club = await Club.dealt(bot, 2)
    elsewhere = await Club.founded(bot, 1)
    boss = elsewhere.people[0]
    await boss.send(elsewhere.chat, "/game")
    message = await elsewhere.until(lambda: next(bot.telegram.newest(elsewhere.chat), None), "a lobby")
    table_id = (await club.settled()).table.id
    await bot.telegram.set_member(club.chat, boss.user_id, "member")
    for data in (StopMatch(table_id), Kick(table_id, club.host.user_id)):
        assert told(await boss.forge(message, data), "elsewhere")
        assert told(await boss.forge(club.board, data), "not_host.named", name=club.host.name)
    assert (await club.settled()).table.phase is TablePhase.PLAYING
