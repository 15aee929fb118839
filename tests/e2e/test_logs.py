"""The bot's log at its most verbose level: problems are there, secrets are not.

Every end-to-end test searches its bot's log when it ends (see `running`); here things go wrong on purpose.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.buttons import OpenSettings, decode
from bot.starting import UNKNOWN_TOKEN
from tests.e2e.players import Club
from tests.e2e.recording import RecordedTelegram
from tests.e2e.running import running
from tests.e2e.wording import RUSSIAN
from tests.patience import PATIENCE
from tests.processes import started

WRONG_TOKEN = ":".join(("7000000007", "AAF-wrong_wrong_wrong_wrong_wrong-WRONG"))


async def test_calls_that_fail_are_told_without_the_token_and_the_cards(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        # In each chat one message fails in each way; the table's own next change is shown all the same.
        for chat in (club.chat, club.host.user_id):
            for mishap in ({"status": 500}, {"status": 502}, {"lose_answer": True}):
                await bot.telegram.fault(method="editMessageText", chat=chat, times=1, **mishap)
                await club.next_tap()
                await club.settled()
        warnings = [line for line in lines_of(bot.log) if line["level"] == "WARNING"]
        assert warnings
        assert {line["chat"] for line in warnings if "chat" in line} >= {club.chat, club.host.user_id}
        assert all(line.get("table") for line in warnings if "chat" in line)


async def test_the_log_tells_of_a_refused_press_what_is_needed_to_find_it(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        state = await club.settled()
        idle = next(person for person in club.people if person.user_id != state.mover)
        data = club.person(state.mover).newest.buttons[0].data
        assert data is not None
        await idle.forge(idle.newest, data)
        (refused,) = [line for line in lines_of(bot.log) if line["message"].startswith("press refused")]
        assert (refused["user"], refused["chat"]) == (idle.user_id, idle.user_id)
        assert refused["revision"] == state.table.revision
        pressed = decode(data)
        assert refused["action"] == type(pressed).__name__
        assert f".{refused['table']}." in data
        assert data not in bot.log.read_text(), "the data names a card"


async def test_a_fault_of_ours_is_apologised_for_and_logged_without_the_hand(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=True) as bot:
        club = await Club.dealt(bot, 2)
        mover = club.person((await club.settled()).mover)
        rename(bot.database, "people", "people_out_of_reach")
        tap = await mover.tap()
        assert tap.answer.text == RUSSIAN.plain("done.fault")
        rename(bot.database, "people_out_of_reach", "people")
        (problem,) = await until_logged(bot.log, "ERROR")  # which follows the answer
        query = json.loads(problem["update"])["callback_query"]
        assert query["from"]["id"] == mover.user_id
        assert query["message"].keys() == {"chat", "date", "message_id"}
        assert "Traceback" in problem["traceback"]
        mover.look_again()
        assert (await mover.tap()).was_accepted


async def test_a_fault_of_ours_is_logged_without_what_people_have_written(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=True) as bot:
        club = await Club.dealt(bot, 2)
        rename(bot.database, "people", "people_out_of_reach")
        await club.host.send(club.host.user_id, "only a king left")
        (problem,) = await until_logged(bot.log, "ERROR")
        rename(bot.database, "people_out_of_reach", "people")
        assert json.loads(problem["update"])["message"]["from"]["id"] == club.host.user_id
        assert "only a king left" not in bot.log.read_text()


async def test_a_command_that_meets_a_fault_of_ours_is_apologised_for_too(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=True) as bot:
        club = await Club.gathered(bot, 2)
        rename(bot.database, "match_places", "match_places_out_of_reach")
        for chat in (club.chat, club.host.user_id):
            await club.ask(club.host, chat, "/stats", RUSSIAN.plain("done.fault"))
        rename(bot.database, "match_places_out_of_reach", "match_places")
        await until_logged(bot.log, "ERROR")


async def test_a_database_that_is_removed_is_noticed_and_loses_no_move(tmp_path: Path) -> None:
    """Nobody plays meanwhile: the bot notices by itself. Then it is killed, and its next start goes on."""
    async with running(tmp_path, is_faulty=True) as bot:
        club = await Club.dealt(bot, 2)
        state = await club.settled()
        for file in tmp_path.glob("101.sqlite3*"):
            file.unlink()
        (told,) = await until_logged(bot.log, "CRITICAL")
        assert "removed while the bot ran" in told["message"]
        tap = await club.next_tap()
        assert tap is not None
        assert tap.was_accepted
        await bot.bot.kill()
        await bot.bot.start()
        assert (await club.settled()).log[: len(state.log)] == state.log
        assert (await club.next_tap()) is not None


async def test_while_the_database_is_locked_presses_leave_no_traceback_each(tmp_path: Path) -> None:
    async with running(tmp_path, is_faulty=True) as bot:
        club = await Club.dealt(bot, 2)
        mover = club.person((await club.settled()).mover)
        message, buttons = await club.until(mover.buttons, "the mover can press something")
        with closing(sqlite3.connect(bot.database, isolation_level=None)) as shell:
            shell.execute("BEGIN IMMEDIATE")
            for _ in range(3):
                await mover.forge(message, str(buttons[-1].data))
            await until_logged(bot.log, "CRITICAL")
        await club.settled()  # the bot goes on
        about_it = [line for line in lines_of(bot.log) if "another program is writing" in line["message"]]
        assert len(about_it) <= 2, "one when it was met, and the one that says that nobody can play"
        assert "Traceback" not in bot.log.read_text()


async def test_a_wrong_token_is_told_without_being_written_down(tmp_path: Path) -> None:
    path = str(tmp_path / "101.sqlite3")
    wrong = {"BOT_TOKEN": WRONG_TOKEN, "DATABASE_PATH": path, "LOG_LEVEL": "DEBUG"}
    async with (
        RecordedTelegram.in_process() as telegram,
        started(
            *(sys.executable, "-m", "bot"),
            env=telegram.bot_environment | wrong,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        ) as process,
    ):
        output, _ = await process.communicate()
    assert process.returncode == 2
    assert UNKNOWN_TOKEN in output.decode()
    assert WRONG_TOKEN not in output.decode()


async def test_nothing_below_the_chosen_level_is_written_whoever_logs_it(tmp_path: Path) -> None:
    async with running(tmp_path, LOG_LEVEL="WARNING") as bot:
        await Club.dealt(bot, 2)
        assert await bot.bot.stop() == 0
        assert [line for line in lines_of(bot.log) if line["level"] in ("DEBUG", "INFO")] == []


async def test_sigterm_ends_the_bot_in_order_and_its_next_start_goes_on(tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        club = await Club.dealt(bot, 2)
        state = await club.settled()
        assert await bot.bot.stop() == 0
        await bot.bot.start()
        tap = await club.next_tap()
        assert tap is not None
        assert tap.was_accepted
        assert (await club.settled()).log[: len(state.log)] == state.log


async def test_sigterm_lets_what_is_being_handled_come_to_its_end(tmp_path: Path) -> None:
    """An admin has asked for the settings, and Telegram is slow to confirm the right."""
    async with running(tmp_path) as bot:
        club = await Club.gathered(bot, 2, strangers=1)
        admin = club.strangers[0]
        assert bot.telegram.server is not None
        faults = bot.telegram.server.sandbox.faults
        await bot.telegram.fault(method="getChatAdministrators", hang=3600)
        await admin.send(club.chat, "/settings")

        def has_menu() -> bool:
            return club.find(OpenSettings) is not None

        async def is_asked() -> bool:
            return ("getChatAdministrators", club.chat) in [
                (method, int(str(chat))) for method, chat in faults.hanging
            ]

        await until_true(is_asked)
        stopping = asyncio.create_task(bot.bot.stop())
        await until_logged_as(bot.log, "stopping")
        assert not has_menu()
        await bot.telegram.fault()
        assert await stopping == 0
        await club.until(has_menu, "the menu is there")


async def until_true(question: Callable[[], Awaitable[bool]]) -> None:
    """Wait until it is so; of calls that hang the sandbox tells nobody."""
    async with asyncio.timeout(PATIENCE):
        while not await question():  # noqa: ASYNC110 - nothing is told
            await asyncio.sleep(0.02)


async def until_logged_as(log: Path, message: str) -> None:
    """Wait until the bot has written this: a file tells nobody that it has grown."""

    async def is_written() -> bool:
        return any(line["message"] == message for line in lines_of(log))

    await until_true(is_written)


async def until_logged(log: Path, level: str) -> list[dict[str, Any]]:
    """The log's lines of this level, as soon as there are any: a file tells nobody that it has grown."""
    async with asyncio.timeout(PATIENCE):
        while not (lines := [it for it in lines_of(log) if it["level"] == level]):  # noqa: ASYNC110 - a file
            await asyncio.sleep(0.02)
    return lines


def rename(database: Path, table: str, name: str) -> None:
    """Rename a table of a running bot's database, and so take it away from the bot."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(f"ALTER TABLE {table} RENAME TO {name}")


def lines_of(log: Path) -> list[dict[str, Any]]:
    """The log's lines: off a terminal each is a JSON object."""
    whole, _, _ = log.read_text().rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]
