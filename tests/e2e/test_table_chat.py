"""Table talk: what somebody writes in private stays private until the writer agrees."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.buttons import Choose, KeepWords, StartMatch, TellTable
from tests.e2e.menus import Menu
from tests.e2e.players import Club, Person, button_for, data_of, has_button
from tests.e2e.recording import Happening, Ring, Toast, Version
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "у меня только король"


async def question_to(club: Club, person: Person, text: str) -> Message:
    """Somebody writes this in private, and is asked whether the table may know."""
    await person.send(person.user_id, text)
    return await club.until(lambda: question_about(person, text), "there is a question")


def question_about(person: Person, text: str) -> Message | None:
    """The question that quotes these words."""
    newest = person.running.telegram.newest(person.user_id)
    return next((it for it in newest if has_button(it, KeepWords) and f"«{text}»" in it.text), None)


async def tell(club: Club, person: Person, text: str) -> None:
    """Somebody writes this in private, and has the table told."""
    question = await question_to(club, person, text)
    tap = await person.press(question, button_for(question, TellTable))
    assert tap.answer.text == RUSSIAN.plain("done.told")


def who_was_told(record: list[Happening], words: str) -> set[int]:
    """The chats and people that the bot has shown these words, in whatever way."""
    messages = {
        it.message.chat
        for it in record
        if isinstance(it, Version) and it.message.from_bot and words in it.message.text
    }
    return messages | {it.user for it in record if isinstance(it, Toast) and words in (it.text or "")}


def stored(database: Path, words: str) -> bool:
    """Return whether the text is in the database file or its log."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        dump = "\n".join(connection.iterdump())
    files = [it for it in database.parent.glob(f"{database.name}*") if it.is_file()]
    escaped = words.encode("unicode_escape")
    return words in dump or any(
        words.encode() in it.read_bytes() or escaped in it.read_bytes() for it in files
    )


async def test_private_words_reach_nobody_before_their_writer_says_yes(tmp_path: Path) -> None:
    """No message, no toast, no row, no line of the log; and a restart forgets them for good."""
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 3)
        writer = club.people[1]
        question = await question_to(club, writer, SECRET)
        assert "«Книжный клуб»" in question.text, "the table is named"
        await club.next_tap()
        await club.settled()
        assert who_was_told(bot.telegram.record, SECRET) == {writer.user_id}
        assert not stored(bot.database, SECRET)
        await bot.bot.kill()
        await bot.bot.start()
        tap = await writer.press(question, button_for(question, TellTable))
        assert tap.answer.text == RUSSIAN.plain("done.words_gone")
        await club.until(lambda: question_about(writer, SECRET) is None, "the question goes")
        question = await question_to(club, writer, SECRET)
        tap = await writer.press(question, button_for(question, KeepWords))
        assert tap.answer.text == RUSSIAN.plain("done.words_kept")
        await club.until(lambda: question_about(writer, SECRET) is None, "the question goes")
        await club.settled()
        assert who_was_told(bot.telegram.record, SECRET) == {writer.user_id}
        assert not stored(bot.database, SECRET)
        log = bot.log.read_text()
        assert SECRET not in log
        assert SECRET.encode("unicode_escape").decode() not in log
        await tell(club, writer, SECRET)
        await club.until(lambda: SECRET in club.board.text, "after a yes the table tells it")


async def test_what_is_told_stands_at_the_table_and_in_every_hand(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    speaker = club.people[1]
    before = len([it for it in bot.telegram.record if isinstance(it, Ring)])
    question = await question_to(club, speaker, "держись, <Аня> & Ко!")
    there = [it for it in await bot.telegram.messages(speaker.user_id) if it.text == "держись, <Аня> & Ко!"]
    await speaker.press(question, button_for(question, TellTable))
    line = f"💬 {speaker.name}: держись, <Аня> & Ко!"
    await club.until(lambda: line in club.board.text, "the table tells it")
    await club.settled()
    assert club.board.text.splitlines()[-1] == line
    for person in club.people:
        own = line if person is not speaker else line.replace(speaker.name, "вы")
        assert own in person.newest.text
    await club.until(lambda: is_gone(bot, there[0]), "the words are gone from the chat")
    assert question_about(speaker, "держись, <Аня> & Ко!") is None
    assert len([it for it in bot.telegram.record if isinstance(it, Ring)]) == before, "nobody's phone rings"


def is_gone(bot: Running, message: Message) -> bool:
    return message.message_id not in [it.message.message_id for it in bot.telegram.now(message.chat)]


async def test_a_no_that_comes_while_telegram_is_asked_holds(bot: Running) -> None:
    club = await Club.dealt(bot, 3)
    writer = club.people[1]
    question = await question_to(club, writer, SECRET)
    await bot.telegram.fault(method="getChatMember", hang=3600)
    yes = asyncio.create_task(writer.press(question, button_for(question, TellTable)))
    await club.until(lambda: writer.unanswered is not None, "the table is to be told")
    # The bot waits for the first press of a person only for a while before it hears the next one.
    kept = await writer.press(question, button_for(question, KeepWords))
    assert kept.answer.text == RUSSIAN.plain("done.words_kept")
    await bot.telegram.fault()
    await yes
    await club.until(lambda: question not in list(bot.telegram.newest(writer.user_id)), "it is over")
    await club.settled()
    assert (await club.committed()).table.talk == ()


async def test_an_answer_can_be_for_good_and_is_changed_in_the_settings(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    never, always = club.people
    question = await question_to(club, never, "молчу")
    (button,) = [it for it in question.buttons if data_of(it) == KeepWords(message_of(question), True)]
    tap = await never.press(question, button)
    assert tap.answer.text == RUSSIAN.plain("done.words_kept_always")
    await club.ask(never, never.user_id, "и молчу", RUSSIAN.plain("talk.kept"))
    question = await question_to(club, always, "привет")
    (button,) = [it for it in question.buttons if is_for_good(it.data)]
    await always.press(question, button)
    await club.until(lambda: "привет" in club.board.text, "it is told")
    await club.ask(always, always.user_id, "ещё", RUSSIAN.plain("refusal.too_soon"))
    menu = await Menu.opened(club, never, never.user_id, "/settings", Choose)
    await menu.press(Choose("telling", "ask"))
    await menu.until_offered(Choose("telling", "never"))
    await question_to(club, never, "а теперь?")
    assert "молчу" not in club.board.text


def message_of(question: Message) -> int:
    """The message that a question is about."""
    asked = data_of(button_for(question, KeepWords))
    assert isinstance(asked, KeepWords)
    return asked.message_id


def is_for_good(data: str | None) -> bool:
    """Return whether this button has the table told, now and always."""
    return data is not None and data.startswith("tt.") and data.endswith(".1")


async def test_who_speaks_before_the_deal_keeps_the_words_and_is_told_where_they_stand(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    speaker, told_so = club.people[1], RUSSIAN.plain("talk.told", group="").rstrip()
    await tell(club, speaker, "скоро начнём?")
    await club.until(lambda: is_said_in_the_lobby(club, speaker, "скоро начнём?"), "the lobby tells it")
    await club.until(lambda: speaker.newest.text.startswith(told_so), "the speaker is told so")
    there = await bot.telegram.messages(speaker.user_id)
    assert "скоро начнём?" in [it.text for it in there]


def is_said_in_the_lobby(club: Club, speaker: Person, text: str) -> bool:
    """Return whether the lobby ends with this text."""
    lobby = club.find(StartMatch)
    return lobby is not None and lobby.text.splitlines()[-1] == f"💬 {speaker.name}: {text}"


async def test_one_person_is_heard_once_in_ten_seconds_and_a_long_word_is_cut(bot: Running) -> None:
    club = await Club.dealt(bot, 2)
    speaker = club.people[0]
    await speaker.send(speaker.user_id, "а" * 300)
    question = await club.until(lambda: question_about(speaker, f"{'а' * 99}…"), "there is a question")
    await speaker.press(question, button_for(question, TellTable))
    await club.until(lambda: "💬" in club.board.text, "it is heard")
    assert club.board.text.splitlines()[-1] == f"💬 {speaker.name}: {'а' * 99}…"
    question = await question_to(club, speaker, "и ещё")
    tap = await speaker.press(question, button_for(question, TellTable))
    assert tap.answer.text == RUSSIAN.plain("refusal.too_soon")
    await club.settled()
    assert "и ещё" not in club.board.text
    assert question_about(speaker, "и ещё") is not None, "it can be answered again"


async def test_at_several_tables_one_says_which_always(bot: Running) -> None:
    first = await Club.dealt(bot, 2)
    chat = await bot.telegram.new_group("Дача", [it.user_id for it in first.people])
    second = Club(bot, chat, first.people, [])
    await second.gather()
    await second.deal()
    speaker = first.people[1]
    menu = await Menu.opened(first, speaker, speaker.user_id, "/settings", Choose)
    await menu.press(Choose("telling", "always"))
    await menu.until_offered(Choose("telling", "ask"))
    question = await question_to(first, speaker, "привет, дачники")
    assert RUSSIAN.plain("talk.ask_which") in question.text
    assert [it.text for it in question.buttons if isinstance(data_of(it), TellTable)] == [
        "Книжный клуб",
        "Дача",
    ]
    await speaker.press(question, "Дача")
    await second.until(lambda: "привет, дачники" in second.board.text, "it is heard there")
    await first.settled()
    assert "привет" not in first.board.text


async def test_a_group_may_do_without_talk_and_who_sits_nowhere_is_told_so(bot: Running) -> None:
    club = await Club.gathered(bot, 2)
    settings = await club.ask(club.host, club.chat, "/settings", "⚙️")
    speaker = club.people[1]
    early = await question_to(club, speaker, "рано")
    assert (await club.host.forge(settings, Choose("talk", False))).answered
    tap = await speaker.press(early, button_for(early, TellTable))
    assert tap.answer.text == RUSSIAN.plain("refusal.no_talk")
    await club.until(lambda: question_about(speaker, "рано") is None, "the question goes")
    await club.deal()
    await club.ask(speaker, speaker.user_id, "эй", RUSSIAN.plain("refusal.no_talk"))
    assert "💬" not in club.board.text
    nobody = (await Club.founded(bot, 1)).people[0]
    await nobody.start()
    await club.until(lambda: any(True for _ in bot.telegram.newest(nobody.user_id)), "welcome")
    await nobody.send(nobody.user_id, "привет")
    await club.until(lambda: nobody.newest.text == RUSSIAN.plain("tables.none"), "he is told")
