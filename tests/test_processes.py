"""What tests start ends with them, also when they fail and it does not want to."""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest

from tests.e2e.process import BotProcess
from tests.e2e.telegram import Telegram
from tests.processes import started

STUBBORN = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", file=sys.stderr, flush=True)
time.sleep(3600)
"""
PROGRAM = (sys.executable, "-c", STUBBORN)


class Failure(Exception):
    """A test's."""


async def test_a_program_is_killed_when_its_test_fails() -> None:
    processes: list[Process] = []

    async def failing() -> None:
        async with started(*PROGRAM, stderr=PIPE) as process:
            processes.append(process)
            assert process.stderr is not None
            assert await process.stderr.readline() == b"ready\n"
            raise Failure

    with pytest.raises(Failure):
        await failing()
    assert [process.returncode for process in processes] == [-signal.SIGKILL]


async def test_a_bot_is_killed_when_its_test_fails(tmp_path: Path) -> None:
    bots: list[BotProcess] = []

    async def failing() -> None:
        errors = tmp_path / "bot.log"
        async with Telegram.in_process() as telegram, telegram.bot(*PROGRAM, errors=errors) as bot:
            bots.append(bot)
            while not errors.read_text():  # noqa: ASYNC110 - nothing tells that a file has been written
                await asyncio.sleep(0.01)
            raise Failure

    with pytest.raises(Failure):
        await failing()
    assert [bot.is_running for bot in bots] == [False]
