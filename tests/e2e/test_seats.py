"""Sitting down by button, command and link, getting up, leaving a match, stopping it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.buttons import AskLeave, LeaveMatch, Peek, Rematch, Sit, Stand, StopMatch
from bot.tables.lifecycle import Ending, TablePhase
from engine import Join, Leave, Status
from tests.e2e.committed import misplaced_cards, steps
from tests.e2e.players import Club, Person, button_for, has_button
from tests.e2e.recording import Ring
from tests.e2e.running import Running, running
from tests.e2e.sights import Message, payload_of
from tests.e2e.wording import RUSSIAN, beginning, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION, SEATED = "🚪", "✅"
"""How these messages begin: whether one really leaves, and that one has a seat."""


# --------------------------------------------------------------------------------------------- sitting down


async def test_who_has_started_the_bot_sits_down_by_one_press(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    newcomer = club.strangers[0]
    await newcomer.start()
    await club.until(lambda: list(bot.telegram.newest(newcomer.user_id)), "the bot has greeted him")
    lobby = await club.message_with(Sit)
    answer = (await newcomer.press(lobby, button_for(lobby, Sit))).answer
    assert answer.text == RUSSIAN.plain("done.seated")
    assert answer.url is None
    await club.until(lambda: club.lobby_lists([*club.people, newcomer]), "all three are listed")
    assert told((await newcomer.press(lobby, button_for(lobby, Sit))).answer, "already_seated")


async def test_who_has_not_started_the_bot_is_led_to_it_and_seated_there(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    newcomer, lobby = club.strangers[0], await club.message_with(Sit)
    answer = (await newcomer.press(lobby, button_for(lobby, Sit))).answer
    assert (answer.url or "").startswith("https://t.me/sandbox_bot?start=")
    assert club.lobby_lists(club.people), "nobody sits down before he can be written to"
    await newcomer.start(answer.payload)
    await club.until(lambda: club.lobby_lists([*club.people, newcomer]), "all three are listed")
    await club.until(lambda: seated_notice(bot, newcomer), "he is told so")


async def test_who_calls_himself_a_computer_and_host_is_listed_as_neither(bot: Running) -> None:
    club = await Club.gathered(bot, 1)
    forger = await bot.telegram.new_user("🤖 Ада", last_name="👑")
    await bot.telegram.set_member(club.chat, forger, "member")
    await bot.telegram.start(forger)
    await bot.telegram.send(forger, club.chat, "/join")
    listed = [f"1. {club.host.name} 👑", "2. Ада"]

    def is_listed() -> bool:
        lobby = club.find(Sit)
        return lobby is not None and [it for it in lobby.text.splitlines() if it[:1].isdigit()] == listed

    await club.until(lambda: is_listed() or None, "he sits")


async def test_join_is_as_the_button(bot: Running) -> None:
    club = await Club.gathered(bot, 1, strangers=2)
    known, unknown = club.strangers
    await known.start()
    await club.until(lambda: list(bot.telegram.newest(known.user_id)), "the bot has greeted him")
    await known.send(club.chat, "/join")
    await club.until(lambda: club.lobby_lists([*club.people, known]), "he is listed")
    link = await club.ask(unknown, club.chat, "/join", unknown.name)
    await unknown.start(payload_of(link.buttons[0].url))
    await club.until(lambda: club.lobby_lists([*club.people, known, unknown]), "both are listed")
    await club.ask(known, club.chat, "/join", beginning("already_seated"))


async def test_who_sits_in_the_lobby_and_then_starts_the_bot_is_told_of_that_seat(bot: Running) -> None:
    club = await Club.founded(bot, 1, strangers=1)
    host = club.strangers[0]
    await host.send(club.chat, "/game")
    await club.message_with(Sit)
    await club.ask(host, host.user_id, "/start", SEATED)


async def test_a_link_seats_only_the_one_it_was_made_for(bot: Running) -> None:
    club = await Club.gathered(bot, 1, strangers=2)
    invited, other = club.strangers
    lobby = await club.message_with(Sit)
    payload = (await invited.press(lobby, button_for(lobby, Sit))).answer.payload
    assert payload is not None
    async with club.unchanged():
        await club.ask(other, other.user_id, f"/start {payload}", beginning("invite_gone"))
        await club.ask(other, other.user_id, "/start made-up-token", beginning("invite_gone"))
    await invited.start(payload)
    await club.until(lambda: club.lobby_lists([*club.people, invited]), "who was invited is listed")


async def test_a_link_that_is_used_again_does_no_harm(bot: Running) -> None:
    club = await Club.gathered(bot, 1, strangers=1)
    invited, lobby = club.strangers[0], await club.message_with(Sit)
    payload = (await invited.press(lobby, button_for(lobby, Sit))).answer.payload
    await invited.start(payload)
    await club.until(lambda: club.lobby_lists([*club.people, invited]), "who was invited is listed")
    before = await club.settled()
    await club.ask(invited, invited.user_id, f"/start {payload}", SEATED)
    assert (await club.settled()).table == before.table


async def test_a_link_to_a_table_that_is_over_is_refused(bot: Running) -> None:
    club = await Club.gathered(bot, 1, strangers=1)
    invited, lobby = club.strangers[0], await club.message_with(Sit)
    payload = (await invited.press(lobby, button_for(lobby, Sit))).answer.payload
    await club.host.press(lobby, button_for(lobby, Stand))
    await club.until(lambda: club.find(Sit) is None, "the lobby is closed")
    await club.ask(invited, invited.user_id, f"/start {payload}", beginning("table_over"))


async def test_who_joins_in_mid_match_plays_from_the_next_round_on(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=1)
    late = club.strangers[0]
    link = await club.ask(late, club.chat, "/join", late.name)
    await late.start(payload_of(link.buttons[0].url))
    await club.until(lambda: late.name in club.board.text, "the table tells who waits")
    state = await club.settled()
    assert [player.name for player in state.table.waiting] == [late.name]
    await club.play_round()
    highest = max(seat.total for seat in (await club.committed()).match.seats)
    club.people.append(late)
    await club.play(until=lambda: late.buttons() is not None)
    state = await club.settled()
    (joined,) = [step for step in steps(state) if isinstance(step.move, Join)]
    assert joined.after.seats[2].total == highest
    assert misplaced_cards(state) == []


async def test_who_waits_for_a_deal_that_does_not_come_is_told_so(
    bot: Running,
) -> None:
    club = await Club.dealt(bot, 2, strangers=1)
    late = club.strangers[0]
    await late.start()
    await club.until(lambda: list(bot.telegram.newest(late.user_id)), "the bot has greeted him")
    await late.send(club.chat, "/join")
    await club.until(lambda: late.name in club.board.text, "the table tells who waits")
    seated = RUSSIAN.plain("seated.next_round", group="Книжный клуб")
    await club.until(lambda: late.newest.text == seated, "who waits is told so")
    before = len(list(bot.telegram.newest(late.user_id)))
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.host.press(question, button_for(question, StopMatch))
    over = RUSSIAN.plain("hand.never_dealt", group="Книжный клуб")
    await club.until(lambda: late.newest.text == over, "he is told")
    assert late.newest.button_texts == (RUSSIAN.plain("button.to_table"),)
    await club.until(lambda: len(list(bot.telegram.newest(late.user_id))) == before, "in place of that")
    assert seated not in [it.text for it in bot.telegram.newest(late.user_id)]
    assert [it for it in bot.telegram.record if isinstance(it, Ring) and it.text == over] == []
    await club.settled()
    again = await club.message_with(Rematch)
    await club.host.press(again, button_for(again, Rematch))
    await club.until(
        lambda: over not in [it.text for it in bot.telegram.newest(late.user_id)], "it goes with the rematch"
    )


# ------------------------------------------------------------------------------------ getting up and leaving


@pytest.mark.parametrize("way", ["button", "command"])
async def test_one_gets_up_in_the_lobby_at_once_and_the_last_one_closes_it(bot: Running, way: str) -> None:
    club = await Club.gathered(bot, 2)
    host, visitor = club.people
    for person, left in ((host, [visitor]), (visitor, [])):
        if way == "button":
            lobby = await club.message_with(Sit)
            answer = (await person.press(lobby, button_for(lobby, Stand))).answer
            assert answer.text == RUSSIAN.plain("done.stood_up")
        else:
            await club.settled()  # the bot has written down which message the lobby is
            before = (await club.message_with(Sit)).message_id
            await person.send(club.chat, "/leave")
            await club.until(lambda: is_below(bot, club, before), "the table comes down with the news")  # noqa: B023
        if left:
            lobby = await club.until(lambda: club.lobby_lists([visitor]), "he is not on the list any more")
            assert f"{visitor.name} 👑" in lobby.text
    await club.until(lambda: club.find(Sit) is None, "the lobby is closed")
    state = await club.settled()
    assert state.table.ending is Ending.DESERTED


def is_below(bot: Running, club: Club, before: int) -> bool:
    """Return whether the group's newest message is newer than that one, and that one gone."""
    ids = [it.message_id for it in bot.telegram.newest(club.chat)]
    return max(ids) > before and before not in ids


async def test_leaving_a_match_is_asked_once_and_only_of_who_wants_to(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    leaver, other = club.people[1], club.people[2]
    question = await club.ask(leaver, club.chat, "/leave", QUESTION)
    assert leaver.name in question.text
    before = await club.settled()
    for button in question.buttons:
        assert told((await other.press(question, button)).answer, "not_asked")
    assert (await club.settled()).log == before.log
    assert is_there(bot, question)
    answer = (await leaver.press(question, button_for(question, LeaveMatch))).answer
    assert answer.text == RUSSIAN.plain("done.left")
    await club.until(lambda: not is_there(bot, question), "the question is gone")
    state = await club.settled()
    assert isinstance(steps(state)[-1].move, Leave)
    assert state.match.seats[1].status is Status.LEFT
    assert misplaced_cards(state) == []
    assert await club.ask(leaver, club.chat, "/leave", beginning("nothing_to_leave")) is not None


async def test_the_button_under_a_hand_asks_in_private_before_one_leaves(tmp_path: Path) -> None:
    async with running(tmp_path, CUT="true") as bot:
        club = await Club.gathered(bot, 3)
        await club.deal()
        await club.settled()
        leaver = club.people[1]
        await leaver.press(leaver.newest, button_for(leaver.newest, AskLeave))
        await club.until(lambda: has_button(leaver.newest, LeaveMatch), "it is asked in private")
        await leaver.press(leaver.newest, button_for(leaver.newest, LeaveMatch))
        assert (await club.settled()).match.seats[1].status is Status.LEFT


async def test_who_thinks_better_of_leaving_stays(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    async with club.unchanged():
        question = await club.ask(club.host, club.chat, "/leave", QUESTION)
        await club.host.press(question, RUSSIAN.plain("button.leave_no"))
        await club.until(lambda: not is_there(bot, question), "the question is gone")


# --------------------------------------------------------------------------------------------------- stopping


async def test_the_host_stops_the_match_after_one_question(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=2)
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    before = await club.settled()
    tap = await club.strangers[0].press(question, button_for(question, StopMatch))
    assert told(tap.answer, "not_host.named", name=club.host.name)
    assert (await club.settled()).table == before.table
    answer = (await club.host.press(question, button_for(question, StopMatch))).answer
    assert answer.text == RUSSIAN.plain("done.stopped")
    await club.until(lambda: club.find(Peek) is None, "the table says that it was stopped")
    state = await club.settled()
    assert (state.table.phase, state.table.ending) == (TablePhase.OVER, Ending.STOPPED)
    await club.until(lambda: not is_there(bot, question), "the question is gone")
    stopped = await club.message_with(Rematch)
    assert stopped.text.startswith(RUSSIAN.plain("match.stopped"))


@pytest.mark.parametrize("command", ["/stop", "/kick"])
async def test_who_does_not_play_has_no_say(bot: Running, command: str) -> None:
    club = await Club.dealt(bot, 2, strangers=2)
    before = await club.settled()
    await club.ask(club.strangers[0], club.chat, command, beginning("not_host.named", name=club.host.name))
    assert (await club.settled()).table == before.table


async def test_a_rematch_is_for_those_who_played(bot: Running) -> None:
    club = await Club.dealt(bot, 2, strangers=2)
    question = await club.ask(club.host, club.chat, "/stop", RUSSIAN.plain("stop.ask"))
    await club.host.press(question, button_for(question, StopMatch))
    end = await club.message_with(Rematch)
    await club.settled()
    again = button_for(end, Rematch)
    assert told((await club.strangers[0].press(end, again)).answer, "not_seated")
    assert club.find(Sit) is None
    assert (await club.people[1].press(end, again)).was_accepted
    await club.until(lambda: club.lobby_lists(club.people), "the rematch gathers")
    await club.until(lambda: club.find(Rematch) is None, "there is but one rematch to ask for")
    assert told(await club.host.forge(end, again.data or ""), "stale")


# --------------------------------------------------------------------------------------------------- helpers


def is_there(bot: Running, message: Message) -> bool:
    return message.message_id in [it.message_id for it in bot.telegram.newest(message.chat)]


def seated_notice(bot: Running, person: Person) -> Message | None:
    """Return the private message that confirms somebody's seat."""
    return next((it for it in bot.telegram.newest(person.user_id) if it.text.startswith(SEATED)), None)


def waits(club: Club, person: Person) -> bool:
    """Return whether the table says that this person waits for the next round."""
    board = club.find(Peek)  # there is none while it comes down the chat
    return board is not None and RUSSIAN.plain("table.waiting", names=person.name) in board.text
