"""Answers that take longer than a press may wait arrive as messages; none is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.buttons import Choose, OpenSettings, Sit, StartMatch
from tests.e2e.players import Club, button_for
from tests.e2e.running import Running, running
from tests.e2e.telegram import Message
from tests.e2e.wording import RUSSIAN, told


@contextmanager
def writing(bot: Running) -> Iterator[None]:
    """Have another program hold the database's write lock."""
    with closing(sqlite3.connect(bot.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


async def private_line(club: Club, user_id: int, words: str) -> None:
    """Wait until somebody is told this in private, under the group's title."""
    text = f"Книжный клуб\n{words}"
    await club.until(
        lambda: any(it.text == text for it in club.running.telegram.newest(user_id)), f"{text!r} is told"
    )


async def test_who_presses_while_telegram_is_slow_to_say_who_is_an_admin_is_told_that_and_then_the_answer(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, program="bot") as bot:
        club = await Club.gathered(bot, 2)
        lobby = await club.message_with(StartMatch)
        visitor = club.people[1]
        await bot.telegram.fault(method="getChatAdministrators", hang=3600)
        assert told((await visitor.press(lobby, button_for(lobby, StartMatch))).answer, "rights_unknown")
        await bot.telegram.fault()
        answer = (await visitor.press(lobby, button_for(lobby, StartMatch))).answer
        assert told(answer, "may_not_deal.named", name=club.host.name)


async def test_what_could_not_be_answered_in_time_is_told_in_private_or_in_the_group(tmp_path: Path) -> None:
    async with running(tmp_path, program="bot") as bot:
        club = await Club.gathered(bot, 2, strangers=2)
        known, unknown = club.strangers
        await known.start()
        await club.until(lambda: list(bot.telegram.newest(known.user_id)), "he is greeted")
        lobby = await club.message_with(Sit)
        with writing(bot):
            tap = await known.press(lobby, button_for(lobby, Sit))
            assert (tap.answer.answered, tap.answer.text) == (True, None)
        await private_line(club, known.user_id, RUSSIAN.plain("done.seated"))
        with writing(bot):
            tap = await unknown.press(lobby, button_for(lobby, Sit))
            assert (tap.answer.answered, tap.answer.url) == (True, None)
        invited = RUSSIAN.plain("private.first", name=unknown.name)
        await club.until(lambda: next(bot.telegram.newest(club.chat)).text == invited, "he is invited")
        (button,) = next(bot.telegram.newest(club.chat)).buttons
        assert button.url is not None
        await unknown.start(button.url.split("start=")[1])
        await club.until(lambda: club.lobby_lists([*club.people, known, unknown]), "all sit")


async def test_words_for_somebody_who_cannot_be_written_to_come_with_his_next_press(tmp_path: Path) -> None:
    async with running(tmp_path, program="bot") as bot:
        club = await Club.founded(bot, 2)
        await club.host.send(club.chat, "/game")
        await club.message_with(Sit)
        await club.host.send(club.chat, "/settings")
        menu = await club.message_with(OpenSettings)
        answers = []
        for hints in (True, False, True):  # each a change, which has to be written
            shown = await bot.telegram.message(menu.chat, menu.message_id)
            with writing(bot):
                answers.append((await club.host.forge(menu, Choose("hints", hints))).text)

            async def is_redrawn(before: Message | None = shown) -> bool:
                return await bot.telegram.message(menu.chat, menu.message_id) != before

            await bot.telegram.until(is_redrawn)
        assert answers[:2] == [None, None]
        assert answers[2] is not None
        assert answers[2].startswith("✅")


async def test_a_press_that_could_not_be_carried_out_in_the_end_does_not_look_like_a_success(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, program="bot", is_faulty=True) as bot:
        club = await Club.gathered(bot, 2)
        lobby = await club.message_with(StartMatch)
        with writing(bot):
            tap = await club.host.press(lobby, button_for(lobby, StartMatch))
            assert (tap.answer.answered, tap.answer.text) == (True, None)
            await private_line(club, club.host.user_id, RUSSIAN.plain("done.fault"))
        await club.deal()
