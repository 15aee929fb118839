"""An answer that waits for the rate limiter holds up nothing else.

Neither what the same person does elsewhere, nor other groups, nor the clock at the start, nor the end.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.e2e.players import Club, Person, data_of
from tests.e2e.running import Running, running

FOR_EVER = 3600


async def held_group(bot: Running, members: list[int]) -> int:
    """A group to which Telegram lets the bot write nothing as long as the test lasts."""
    chat = await bot.telegram.new_group("Held", members, creator=members[0])
    await bot.telegram.fault(chat=chat, status=429, retry_after=FOR_EVER)
    return chat


async def press_to_move(club: Club) -> Person:
    """Have the player to move press their first button and be answered; return the player."""
    mover = club.person((await club.settled()).mover)
    button = next(it for it in mover.newest.buttons if data_of(it) is not None)
    assert (await mover.press(mover.newest, button)).was_accepted
    return mover


async def test_who_waits_for_an_answer_in_one_group_plays_on_in_another(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        held = await held_group(bot, [person.user_id for person in club.people])
        for person in club.people:
            await person.send(held, "/rules")
        await press_to_move(club)


async def test_a_crowd_that_waits_for_answers_in_one_group_keeps_no_other_from_playing(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        crowd = [await bot.telegram.new_user(f"P{number}") for number in range(270)]
        held = await held_group(bot, crowd)
        for user_id in crowd:
            await bot.telegram.send(user_id, held, "/rules")
        await press_to_move(club)


async def test_commands_that_take_long_do_not_keep_the_clock_from_starting(tmp_path: Path) -> None:
    """They come without end, and of none does Telegram say who may give it."""
    async with running(tmp_path, REMINDER_FROM_SECONDS="3600") as bot:
        club = await Club.dealt(bot, 2)
        talkers = [await bot.telegram.new_user(f"P{number}") for number in range(8)]
        other = await bot.telegram.new_group("Other", talkers)
        await bot.bot.kill()
        before = await club.committed()
        end_turns(bot)
        await bot.telegram.fault(method="getChatAdministrators", hang=FOR_EVER)
        talking = asyncio.create_task(keep_asking(bot, talkers, other))
        await bot.bot.start()

        async def has_moved() -> bool:
            return len((await club.committed()).log) > len(before.log)

        try:
            await bot.telegram.until(has_moved)
        finally:
            talking.cancel()
            await bot.telegram.fault()


async def test_answers_that_wait_do_not_keep_the_bot_from_ending(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        held = await held_group(bot, [club.host.user_id])
        for _ in range(3):
            await club.host.send(held, "/rules")
        await bot.telegram.until(lambda: was_refused(bot, held))
        assert await bot.bot.stop() == 0


def end_turns(bot: Running) -> None:
    """While the bot is dead: let every deadline be that of its last sign of life."""
    with closing(sqlite3.connect(bot.database)) as connection, connection:
        connection.execute("UPDATE tables SET deadline_at = (SELECT at FROM heartbeat)")


async def keep_asking(bot: Running, people: list[int], chat: int) -> None:
    """These people ask for the settings one after another, without end."""
    while True:
        for user_id in people:
            await bot.telegram.send(user_id, chat, "/settings")
            await asyncio.sleep(0.2)


async def was_refused(bot: Running, chat: int) -> bool:
    """Return whether the bot got a 429 there."""
    return any(call["chat_id"] == chat and not call["ok"] for call in await bot.telegram.calls())
