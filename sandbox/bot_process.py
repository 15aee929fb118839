"""The bot as a child process: started with a token and an address of its own, ended when the sandbox ends."""

import asyncio
import errno
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

STOP_TIMEOUT = 15.0
"""Seconds that a bot gets to end by itself."""
DEFAULT_COMMAND = (sys.executable, "-m", "bot")
DATABASE_NAME = "bot.sqlite3"
WATCHDOG = Path(__file__).with_name("parent_watchdog.py")


class BotProcess:
    """One run of the bot.

    Its environment is the sandbox's, and tells it in ``BOT_TOKEN`` who it is, in ``BOT_API_URL`` where its
    Telegram is, and in ``DATABASE_PATH`` a file in ``folder``, for what it remembers of this world: ids mean
    other people in another one.
    """

    def __init__(self, command: Sequence[str], *, token: str, api_url: str, folder: Path) -> None:
        self._command = list(command)
        self._environment = {
            **os.environ,
            "BOT_TOKEN": token,
            "BOT_API_URL": api_url,
            "DATABASE_PATH": str(folder / DATABASE_NAME),
        }
        self._process: asyncio.subprocess.Process | None = None
        self._leash: int | None = None
        """Our end of the pipe at whose other end is waited for us to end."""

    async def start(self) -> None:
        """Start it.

        Raises:
            OSError: if there is no such program.
        """
        program = self._command[0]
        if shutil.which(program) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
        held, self._leash = os.pipe()
        try:
            # In a session of its own: Ctrl-C in the terminal is for the sandbox, which asks the bot once.
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-S", str(WATCHDOG), *self._command),
                stdin=held,
                env=self._environment,
                start_new_session=True,
            )
        finally:
            os.close(held)

    @property
    def pid(self) -> int:
        """The id of the process, once it has been started."""
        assert self._process is not None
        return self._process.pid

    async def wait(self) -> int:
        """Wait until it has ended by itself; returns its exit status, negative for a signal."""
        assert self._process is not None
        assert self._leash is not None
        status = await self._process.wait()
        os.close(self._leash)
        return status

    async def stop(self) -> None:
        """Ask it to end (SIGTERM), and see that it does."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
        except TimeoutError:
            process.kill()
            await process.wait()
