"""Company: cards put aside, table talk, the bell."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.callbacks import (
    AnswerBell,
    ChooseTalk,
    Lay,
    LeaveAside,
    MuteBell,
    PassTurn,
    PickAside,
    PutAside,
    RingMe,
    Sit,
    StartMatch,
    StopMatch,
    Take,
    TakeBack,
)
from bot.tables.lifecycle import DeadlineKind
from engine import Effect, Play
from tests.e2e.committed import Committed, steps
from tests.e2e.players import Club, Person, button_for, has_button, intention_of
from tests.e2e.recording import Ring
from tests.e2e.running import Running, running
from tests.e2e.telegram import Button, Message
from tests.e2e.wording import RUSSIAN, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


def waiting(club: Club, state: Committed) -> Person:
    """Whose turn comes next, clockwise."""
    match = state.match
    assert match.round is not None
    seat = match.round.ring.after[match.round.turn]
    return club.person(state.table.players[seat].user_id)


def aside_buttons(hand: Message) -> list[Button]:
    """The cards of a hand that can be put aside as they are."""
    return [it for it in hand.buttons if isinstance(intention_of(it), PutAside)]


# ------------------------------------------------------------------------------------------------- put aside


async def test_a_card_put_aside_is_laid_in_its_turn_if_it_fits_and_nobody_else_sees_it(
    tmp_path: Path,
) -> None:
    """Everybody who waits puts a card aside, again and again, until one was laid and one was not."""
    async with running(tmp_path, FORCED_SECONDS="0.1") as bot:
        club = await Club.dealt(bot, 3)
        laid, missed = 0, 0
        for _ in range(60):
            if laid and missed:
                break
            state = await when_nothing_makes_itself(club)
            if state.match.round is None:
                await club.next_tap()
                continue
            person = waiting(club, state)
            hand = person.newest
            cards = aside_buttons(hand)
            if cards:
                await person.press(hand, cards[0])
                state = await club.settled()
                aside = [it.user_id for it in state.table.premoves]
                assert person.user_id in aside
                for other in club.people:
                    shown = any("⏱" in it.text for it in bot.telegram.newest(other.user_id))
                    assert shown is (other.user_id in aside)
                assert "⏱" not in club.board.text
            before = len(state.log)
            await club.next_tap()
            state = await when_nothing_makes_itself(club)
            made = [it for it in steps(state)[before:] if it.actor == person.user_id]
            laid += any(isinstance(it.move, Play) for it in made)
            missed += bool(cards) and not made and not state.table.premoves
        assert laid
        assert missed


async def when_nothing_makes_itself(club: Club) -> Committed:
    """What is committed, once no move waits that makes itself."""
    while True:
        state = await club.settled()
        if state.table.deadline is None or state.table.deadline.kind is not DeadlineKind.FORCED:
            return state


async def test_what_is_put_aside_is_changed_and_taken_back_with_a_tap(bot: Running) -> None:
    club, person = await with_two_cards_to_put_aside(bot)
    first, second = aside_buttons(person.newest)[:2]
    await person.press(person.newest, first)
    await club.settled()
    await person.press(person.newest, second)
    state = await club.settled()
    assert [f"⏱ {second.text}"] == [it.text for it in aside_buttons(person.newest) if "⏱" in it.text]
    await person.press(person.newest, button_for(person.newest, TakeBack))
    state = await club.settled()
    assert state.table.premoves == ()
    assert not has_button(person.newest, TakeBack)
    stale = await person.forge(person.newest, TakeBack(state.table.id))
    assert told(stale, "stale")


async def with_two_cards_to_put_aside(bot: Running) -> tuple[Club, Person]:
    """A table at which who comes next holds two cards that are no queens, as nearly always."""
    while True:
        club = await Club.dealt(bot, 3)
        person = waiting(club, await club.settled())
        if len(aside_buttons(person.newest)) >= 2:
            return club, person


async def test_a_queen_is_put_aside_with_her_suit(bot: Running) -> None:
    club, person = await with_a_queen_to_put_aside(bot)
    queen = button_for(person.newest, PickAside)
    await person.press(person.newest, queen)
    back = await club.until(lambda: person.newest if has_button(person.newest, LeaveAside) else None, "suits")
    assert (await club.committed()).table.premoves == ()
    await person.press(back, button_for(back, LeaveAside))
    await club.until(lambda: has_button(person.newest, PickAside), "the hand is there again")
    await person.press(person.newest, button_for(person.newest, PickAside))
    await club.until(lambda: has_button(person.newest, LeaveAside), "the suits once more")
    suits = aside_buttons(person.newest)
    assert [it.text for it in suits] == ["♠️", "♥️", "♦️", "♣️"]
    await person.press(person.newest, suits[1])
    state = await club.settled()
    (premove,) = state.table.premoves
    assert (premove.user_id, premove.suit) == (person.user_id, 1)
    assert state.match.rules.effect_of(premove.card) is Effect.WILD


async def with_a_queen_to_put_aside(bot: Running) -> tuple[Club, Person]:
    """A table at which somebody waits with a queen in his hand."""
    while True:
        club = await Club.dealt(bot, 4)
        state = await club.settled()
        for person in club.people:
            if person.user_id != state.mover and has_button(person.newest, PickAside):
                return club, person


# ------------------------------------------------------------------------------------------------ table talk


async def test_what_a_player_writes_in_private_stands_at_his_table_and_in_every_hand(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    speaker = club.people[1]
    before = len([it for it in bot.telegram.record if isinstance(it, Ring)])
    message_id = await speaker.send(speaker.user_id, "держись, <Аня> & Ко!")
    line = f"💬 {speaker.name}: держись, <Аня> & Ко!"
    await club.until(lambda: line in club.board.text, "the table tells it")
    await club.settled()
    assert club.board.text.splitlines()[-1] == line
    for person in club.people:
        own = line if person is not speaker else line.replace(speaker.name, "вы")
        assert own in person.newest.text
    await club.until(lambda: is_gone(bot, speaker, message_id), "his own message is gone")
    assert len([it for it in bot.telegram.record if isinstance(it, Ring)]) == before, "nobody's phone rings"


def is_gone(bot: Running, person: Person, message_id: int) -> bool:
    """Is this message no longer in somebody's private chat?"""
    return message_id not in [it.message.message_id for it in bot.telegram.now(person.user_id)]


async def test_who_speaks_before_he_has_cards_keeps_his_words_and_is_told_where_they_stand(
    bot: Running,
) -> None:
    club = await Club.gathered(bot, 2)
    speaker, told_him = club.people[1], RUSSIAN.plain("talk.told", group="").rstrip()
    message_id = await speaker.send(speaker.user_id, "скоро начнём?")
    await club.until(lambda: is_said_in_the_lobby(club, speaker, "скоро начнём?"), "the lobby tells it")
    await club.until(lambda: speaker.newest.text.startswith(told_him), "he is told so")
    there = await bot.telegram.messages(speaker.user_id)
    assert "скоро начнём?" in [it.text for it in there if it.message_id == message_id]


def is_said_in_the_lobby(club: Club, speaker: Person, text: str) -> bool:
    """Does the lobby end with what he said?"""
    lobby = club.find(StartMatch)
    return lobby is not None and lobby.text.splitlines()[-1] == f"💬 {speaker.name}: {text}"


async def test_one_person_is_heard_once_in_ten_seconds_and_a_long_word_is_cut(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    speaker = club.people[0]
    await speaker.send(speaker.user_id, "а" * 300)
    await club.until(lambda: "💬" in club.board.text, "it is heard")
    assert club.board.text.splitlines()[-1] == f"💬 {speaker.name}: {'а' * 99}…"
    refusal = RUSSIAN.plain("refusal.too_soon")
    await club.ask(speaker, speaker.user_id, "и ещё", refusal)
    assert "и ещё" not in club.board.text


async def test_at_several_tables_one_is_heard_where_one_has_played_last(bot: Running) -> None:
    first = await Club.dealt(bot, 2)
    chat = await bot.telegram.new_group("Дача", [it.user_id for it in first.people])
    second = Club(bot, chat, first.people, [])
    await second.gather()
    await second.deal()
    for club, other in ((first, second), (second, first)):
        speaker = club.person((await club.settled()).mover)
        state = await club.committed()
        move = next(it for it in speaker.running.telegram.newest(speaker.user_id) if is_of(it, state))
        await speaker.press(move, next(it for it in move.buttons if is_a_move(it)))
        await club.settled()
        await heard_at(club, speaker, f"привет, {club.chat}")
        assert f"привет, {club.chat}" not in other.board.text


async def heard_at(club: Club, speaker: Person, word: str) -> None:
    """Somebody writes this in private, and it is told at this club's table."""
    await speaker.send(speaker.user_id, word)
    await club.until(lambda: word in club.board.text, "it is heard where he moved")


def is_of(message: Message, state: Committed) -> bool:
    """Is this the hand to move with at this table?"""
    moves = [intention_of(it) for it in message.buttons if is_a_move(it)]
    return any(getattr(move, "table", "") == state.table.id for move in moves)


def is_a_move(button: Button) -> bool:
    """Does a press of it move at once?"""
    return isinstance(intention_of(button), Lay | Take | PassTurn)


async def test_a_group_may_do_without_talk_and_who_sits_nowhere_is_told_so(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    settings = await club.ask(club.host, club.chat, "/settings", "⚙️")
    assert (await club.host.forge(settings, ChooseTalk(False))).answered
    await club.deal()
    speaker = club.people[1]
    await club.ask(speaker, speaker.user_id, "эй", RUSSIAN.plain("refusal.no_talk"))
    assert "💬" not in club.board.text
    nobody = (await Club.founded(bot, 1)).people[0]
    await nobody.start()
    await club.until(lambda: any(True for _ in bot.telegram.newest(nobody.user_id)), "welcome")
    await nobody.send(nobody.user_id, "привет")
    await club.until(lambda: nobody.newest.text == RUSSIAN.plain("tables.none"), "he is told")


# -------------------------------------------------------------------------------------------------- the bell


async def test_who_has_asked_for_it_is_called_once_a_day_and_sits_down_or_mutes_it(bot: Running) -> None:
    club = await Club.founded(bot, 3, strangers=1)
    opener, by_command, by_button = club.people
    for person in club.people:
        await person.start()
    asked = RUSSIAN.plain("bell.on", name=by_command.name, bot="sandbox_bot").split(",")[0]
    await club.ask(by_command, club.chat, "/bell", asked)
    await closed_table(club, opener)
    closed = await club.message_with(RingMe)
    tap = await by_button.press(closed, button_for(closed, RingMe))
    assert tap.answer.text == RUSSIAN.plain("done.bell_on")
    calls = RUSSIAN.plain("bell.rings", group="Книжный клуб")
    first = await club.until(
        lambda: found(by_command, calls), "the first one was called when that table opened"
    )
    assert found(by_button, calls) is None
    await opener.send(club.chat, "/game")
    await club.message_with(Sit)
    second = await club.until(lambda: found(by_button, calls), "the second one is called to the next table")
    assert [it for it in bot.telegram.newest(by_command.user_id) if it.text == calls] == [first]
    await club.until(lambda: by_button.user_id in rung(bot, calls), "his phone rings")
    assert sorted(rung(bot, calls)) == sorted([by_command.user_id, by_button.user_id])
    tap = await by_button.press(second, button_for(second, AnswerBell))
    assert tap.answer.text == RUSSIAN.plain("done.seated")
    await club.until(lambda: club.lobby_lists([opener, by_button]), "he sits")
    await club.until(lambda: found(by_button, calls) is None, "the call has become the way to the table")
    tap = await by_command.press(first, button_for(first, MuteBell))
    assert tap.answer.text == RUSSIAN.plain("done.bell_off")
    await club.until(lambda: found(by_command, calls) is None, "it says so")
    mute = MuteBell((await club.committed()).table.id)
    assert told(await by_command.forge(by_command.newest, mute), "elsewhere"), "there is nothing to mute"


def rung(bot: Running, text: str) -> list[int]:
    """Whose phones have rung for a message that reads so, each time."""
    return [it.user for it in bot.telegram.record if isinstance(it, Ring) and it.text == text]


async def closed_table(club: Club, host: Person) -> None:
    """A table is opened and closed before anything is dealt."""
    await host.send(club.chat, "/game")
    await club.message_with(Sit)
    question = await club.ask(host, club.chat, "/stop", RUSSIAN.plain("stop.ask_lobby"))
    await host.press(question, button_for(question, StopMatch))


def found(person: Person, text: str) -> Message | None:
    """The message in somebody's private chat that reads so."""
    return next((it for it in person.running.telegram.newest(person.user_id) if it.text == text), None)


async def test_who_leaves_the_group_is_called_no_more(bot: Running) -> None:
    club = await Club.founded(bot, 3)
    gone = club.people[1]
    for person in club.people:
        await person.start()
    for person in (gone, club.people[2]):
        await club.ask(person, club.chat, "/bell", f"🔔 {person.name}")
    await bot.telegram.set_member(club.chat, gone.user_id, "left")
    await club.host.send(club.chat, "/game")
    calls = RUSSIAN.plain("bell.rings", group="Книжный клуб")
    await club.until(lambda: found(club.people[2], calls), "who is there is called")
    assert found(gone, calls) is None


async def test_the_bell_needs_a_private_chat_and_is_turned_off_by_the_same_word(bot: Running) -> None:
    club = await Club.founded(bot, 2)
    await club.ask(club.host, club.chat, "/bell", RUSSIAN.plain("refusal.no_private_chat"))
    await club.host.start()
    await club.ask(club.host, club.chat, "/bell", f"🔔 {club.host.name}")
    await club.ask(club.host, club.chat, "/bell", f"🔕 {club.host.name}")
