"""Computer players: added to and removed from a group's table, a match through a kill, solo tables."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from bot.buttons import (
    AskLeave,
    Choose,
    CloseComputers,
    InviteComputer,
    LeaveMatch,
    OpenAlone,
    OpenComputers,
    OpenSettings,
    PlayAlone,
    Rematch,
    SendOff,
    ShowHint,
    Sit,
    StartMatch,
)
from bot.screens.rule_summaries import capital
from bot.tables.lifecycle import Ending, TablePhase
from engine import Leave, Play, Status, turn_stamp
from engine.players import Level
from tests.e2e.committed import CATALOGUES, misplaced_cards, steps
from tests.e2e.leaks import leaks
from tests.e2e.menus import Menu, newer
from tests.e2e.players import RUSSIANS, Club, Person, button_for, has_button
from tests.e2e.running import Running, running
from tests.e2e.wording import RUSSIAN, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHORT = '{"preset": "classic", "limit": 50, "points": "heavy", "game_end": "first_bust"}'
TWO = OpenAlone(2, "normal", "classic")


async def computers_menu(club: Club, person: Person | None = None) -> Menu:
    """The computers' menu, opened from the lobby's button or the result's."""
    person = person or club.host
    message = await club.message_with(OpenComputers)
    tap = await person.press(message, button_for(message, OpenComputers))
    assert tap.was_accepted, tap.answer
    menu = await club.until(lambda: newer(club, club.chat, message.message_id, CloseComputers), "the menu")
    return Menu(club, person, club.chat, menu.message_id)


async def levels(club: Club) -> list[Level | None]:
    """Return the levels of the seated players: None for people."""
    return [player.level for player in (await club.committed()).table.players]


# ------------------------------------------------------------------------------------------- in a group


async def test_one_person_plays_three_computers_to_the_end_through_a_kill(tmp_path: Path) -> None:
    async with running(tmp_path, DEFAULT_RULES=SHORT, AUTOPILOT_SECONDS="0.05") as bot:
        club = await Club.gathered(bot, 1)
        menu = await computers_menu(club)
        table_id = (await club.committed()).table.id
        for level in Level:
            await menu.press(InviteComputer(table_id, level.value))
        assert await levels(club) == [None, *Level]
        lobby = await club.message_with(StartMatch)
        await club.host.press(lobby, button_for(lobby, StartMatch))
        for _ in range(4):
            await club.next_tap()
        await bot.bot.kill()
        dead = await club.committed()
        await bot.bot.start()
        club.host.look_again()
        await club.play()
        state = await club.settled()
        assert state.log[: len(dead.log)] == dead.log
        assert state.table.ending is Ending.FINISHED
        assert steps(state)[-1].after == state.match
        assert misplaced_cards(state) == []
        assert leaks(bot.telegram.record, state) == []
        assert {-1, -2, -3} & {step.actor for step in steps(state) if isinstance(step.move, Play)}


async def test_who_sits_at_the_table_asks_computers_to_it_and_sends_them_off(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=2)
    stranger, admin = club.strangers
    lobby = await club.message_with(OpenComputers)
    refused = await stranger.press(lobby, button_for(lobby, OpenComputers))
    assert told(refused.answer, "not_at_your_table")
    menu = await computers_menu(club, club.people[1])
    table_id = (await club.committed()).table.id
    await menu.press(InviteComputer(table_id, "easy"))
    await club.until(lambda: "🤖" in lobby_text(club) or None, "it is on the lobby's list")
    await menu.press(InviteComputer(table_id, "strong"))
    assert await levels(club) == [None, None, Level.EASY, Level.STRONG]
    await menu.press(SendOff(table_id, 1))
    assert await levels(club) == [None, None, Level.STRONG]
    assert told(await stranger.forge(menu.now, SendOff(table_id, 2)), "not_at_your_table")
    assert told(await stranger.forge(menu.now, InviteComputer(table_id, "normal")), "not_at_your_table")
    assert told(await admin.forge(menu.now, InviteComputer(table_id, "grandmaster")), "table_gone")
    await admin.forge(menu.now, InviteComputer(table_id, "normal"))
    assert await levels(club) == [None, None, Level.STRONG, Level.NORMAL]
    await menu.press(CloseComputers(table_id))
    await club.until(lambda: menu.find() is None or None, "the menu has gone")


async def test_in_a_match_computers_come_for_the_next_deal_and_go_without_a_vote(bot: Running) -> None:
    club = await Club.gathered(bot, 2, strangers=1)
    host, visitor = club.people
    menu = await computers_menu(club)
    table_id = (await club.committed()).table.id
    await menu.press(InviteComputer(table_id, "normal"))
    lobby = await club.message_with(StartMatch)
    await host.press(lobby, button_for(lobby, StartMatch))
    menu = await Menu.opened(club, visitor, club.chat, "/play", CloseComputers)
    await menu.press(InviteComputer(table_id, "easy"))
    assert [player.level for player in (await club.committed()).table.waiting] == [Level.EASY]
    await menu.press(SendOff(table_id, 2))
    assert (await club.committed()).table.waiting == ()
    question = await Menu.opened(club, visitor, club.chat, "/kick", SendOff)
    await question.press(SendOff(table_id, 1))
    state = await club.committed()
    assert [seat.status for seat in state.match.seats] == [Status.IN, Status.IN, Status.LEFT]
    assert state.table.vote is None
    assert (steps(state)[-1].move, steps(state)[-1].actor) == (Leave(2), visitor.user_id)
    await club.until(lambda: question.find() is None or None, "the question has gone")


async def test_what_asks_about_computers_goes_when_there_is_nothing_left_to_ask(bot: Running) -> None:
    club = await Club.gathered(bot, 1)
    host = club.host
    menu = await computers_menu(club)
    table_id = (await club.committed()).table.id
    for level in ("easy", "strong"):
        await menu.press(InviteComputer(table_id, level))
    await club.deal()
    await club.until(partial(is_gone, club, menu.message_id), "the lobby's menu goes with the deal")
    question = await Menu.opened(club, host, club.chat, "/kick", SendOff)
    assert (await host.forge(club.board, SendOff(table_id, 1))).answered
    assert told(await question.press(SendOff(table_id, 1)), "not_at_table")
    await club.until(lambda: question.find() is None, "the question has gone")
    question = await Menu.opened(club, host, club.chat, "/kick", SendOff)
    leaving = await Menu.opened(club, host, club.chat, "/leave", LeaveMatch)
    await leaving.press(LeaveMatch(table_id, host.user_id))
    await club.until(partial(is_gone, club, question.message_id), "it has gone")
    for asked in (SendOff(table_id, 2), CloseComputers(table_id)):
        assert told(await host.forge(await club.message_with(Rematch), asked), "table_over")


async def test_a_group_may_have_hints_and_a_computer_that_plays_for_the_absent(bot: Running) -> None:
    plain = await Club.dealt(bot, 2)
    mover = plain.person((await plain.until_it_is_quiet()).mover)
    state = await plain.committed()
    hint = ShowHint(state.table.id, turn_stamp(state.match))
    assert not has_button(mover.newest, ShowHint)
    assert told(await mover.forge(mover.newest, hint), "no_hints")
    menu = await Menu.of_group(plain)
    await menu.press(OpenSettings("hints"))
    chosen = await menu.press(Choose("hints", True))
    assert chosen.text == RUSSIAN.plain("done.chosen", what=capital(RUSSIAN.plain("answer.hints.true")))
    assert RUSSIAN.plain("settings.playing") not in menu.now.text
    await plain.until(
        lambda: has_button(mover.newest, ShowHint) or None, "the match that is running has them"
    )
    club = await Club.gathered(bot, 2)
    menu = await Menu.of_group(club)
    await menu.press(OpenSettings("hints"))
    await menu.press(Choose("hints", True))
    await menu.turn_to_first()
    await menu.press(OpenSettings("stand_in"))
    await menu.press(Choose("stand_in", True))
    settings = (await club.committed()).table.settings
    assert (settings.hints, settings.stand_in) == (True, True)
    await club.deal()
    state = await club.until_it_is_quiet()
    mover = club.person(state.mover)
    tap = await mover.press(mover.newest, button_for(mover.newest, ShowHint))
    assert tap.answer.show_alert
    assert (tap.answer.text or "").startswith("💡 ")
    assert (await club.committed()).match == state.match


def lobby_text(club: Club) -> str:
    """Return the lobby's text."""
    lobby = club.find(StartMatch)
    return "" if lobby is None else lobby.text


# ------------------------------------------------------------------------------------------------ alone


async def at_private(bot: Running) -> Club:
    """Create a person with a private chat, who has pressed START."""
    name = RUSSIANS[0]
    user_id = await bot.telegram.new_user(name, language="ru")
    person = Person(bot, user_id, name, "ru", random.Random(name))
    await person.start()
    return Club(bot, user_id, [person], [])


async def begin(club: Club, *choices: OpenAlone) -> None:
    """Begin a match by `/play` and its menu, after these choices; then the menu goes."""
    menu = await Menu.opened(club, club.host, club.chat, "/play", PlayAlone)
    for choice in choices:
        await menu.press(choice)
    last = choices[-1] if choices else TWO
    await menu.press(PlayAlone(last.opponents, last.level, last.preset))
    await club.until(lambda: menu.find() is None or None, "the menu has gone")


async def test_alone_one_plays_in_one_message_from_the_first_tap_to_the_rematch(bot: Running) -> None:
    words = CATALOGUES["ru"]
    club = await at_private(bot)
    person = club.host
    await begin(club, OpenAlone(1, "normal", "classic"), OpenAlone(1, "easy", "classic"))
    await club.until(lambda: len(list(bot.telegram.newest(club.chat))) == 1, "what led there has gone")
    state = await club.until_it_is_quiet()
    before = {it.message_id for it in bot.telegram.newest(club.chat)}
    assert [player.level for player in state.table.players] == [None, Level.EASY]
    assert (state.table.deadline, state.table.settings.turn_seconds) == (None, None)
    tap = await person.press(person.newest, button_for(person.newest, ShowHint))
    assert tap.answer.show_alert
    assert (tap.answer.text or "").startswith("💡 ")
    person.look_again()
    await club.play()
    state = await club.settled()
    assert state.table.ending is Ending.FINISHED
    assert {it.message_id for it in bot.telegram.newest(club.chat)} == before
    seen = [it for it in bot.telegram.record if getattr(it, "chat", None) == club.chat]
    assert leaks(seen, state) == []
    assert words.plain("button.rematch") in person.newest.button_texts
    tap = await person.press(person.newest, button_for(person.newest, Rematch))
    assert tap.was_accepted, tap.answer
    again = await club.settled()
    assert again.table.id != state.table.id
    assert (again.table.phase, len(again.table.players)) == (TablePhase.PLAYING, 2)
    assert len(list(bot.telegram.newest(club.chat))) == len(before) + 1


async def test_every_command_works_where_one_plays_alone(bot: Running) -> None:
    club = await at_private(bot)
    person = club.host
    await begin(club)
    state = await club.settled()
    assert [player.level for player in state.table.players] == [None, Level.NORMAL, Level.NORMAL]
    await club.ask(person, club.chat, "/score", "📊")
    await club.ask(person, club.chat, "/rules", "📖")
    await club.ask(person, club.chat, "/fair", "🔐")
    await club.ask(person, club.chat, "эй", "Боты слов не читают")
    for command in ("/hand", "/table", "/play"):
        state = await club.settled()
        (there,) = [it for it in state.shown.values() if it.key.startswith("hand")]
        await person.send(club.chat, command)
        await club.until(partial(is_gone, club, there.message_id), f"{command} brings it down")
        await club.settled()
    stopping = await Menu.opened(club, person, club.chat, "/stop", LeaveMatch)
    question = await Menu.opened(club, person, club.chat, "/leave", LeaveMatch)
    await club.until(partial(is_gone, club, stopping.message_id), "one question is enough")
    await question.press(LeaveMatch(state.table.id, person.user_id))
    over = await club.settled()
    assert (over.table.phase, over.table.ending) == (TablePhase.OVER, Ending.DESERTED)
    sheet = await club.ask(person, club.chat, "/score", "📊")
    assert CATALOGUES["ru"].plain("score.stopped") in sheet.text
    last = await Menu.opened(club, person, club.chat, "/play", PlayAlone)
    assert last.offers(PlayAlone(2, "normal", "classic"))
    over_there = next(it for it in bot.telegram.newest(club.chat) if has_button(it, Rematch))
    await person.press(over_there, button_for(over_there, Rematch))
    await club.until(partial(is_gone, club, last.message_id), "the choice goes with the deal")
    assert told(await person.forge(person.newest, OpenAlone(1, "easy", "classic")), "match_running")
    assert told(await person.forge(person.newest, PlayAlone(2, "normal", "classic")), "match_running")


async def test_nobody_else_is_let_in_where_one_plays_alone(bot: Running) -> None:
    club, other = await at_private(bot), await at_private(bot)
    await begin(club)
    state = await club.until_it_is_quiet()
    table_id, stranger = state.table.id, other.host
    assert told(await stranger.forge(stranger.newest, Sit(table_id)), "elsewhere")
    assert told(await stranger.forge(stranger.newest, InviteComputer(table_id, "easy")), "elsewhere")
    assert told(await stranger.forge(stranger.newest, AskLeave(table_id)), "not_seated")
    for opponents, level, preset in ((0, "easy", "classic"), (4, "easy", "classic"), (1, "x", "classic")):
        forged = PlayAlone(opponents, level, preset)
        assert told(await stranger.forge(stranger.newest, forged), "table_gone")
    assert told(await stranger.forge(stranger.newest, OpenAlone(1, "easy", "x")), "table_gone")
    group = await Club.founded(bot, 1)
    await group.host.send(group.chat, "/game")
    lobby = await group.message_with(StartMatch)
    assert told(await group.host.forge(lobby, PlayAlone(1, "easy", "classic")), "table_gone")
    assert (await club.committed()).table == state.table


def is_gone(club: Club, message_id: int) -> bool | None:
    return all(it.message_id != message_id for it in club.running.telegram.newest(club.chat)) or None
