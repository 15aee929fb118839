"""Runs the bot as a child process that ends with the sandbox."""

import asyncio
import errno
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

STOP_TIMEOUT = 15.0
"""Seconds that the bot gets to shut down."""
DEFAULT_COMMAND = (sys.executable, "-m", "bot")
DATABASE_NAME = "bot.sqlite3"
WATCHDOG = Path(__file__).with_name("parent_watchdog.py")


class BotProcess:
    """One run of the bot.

    It inherits the sandbox's environment, with ``BOT_TOKEN``, ``BOT_API_URL`` and ``DATABASE_PATH`` set. The
    database is a file in ``folder``, because ids mean other people in another world.
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
        self._watchdog_pipe: int | None = None
        """Our end of the pipe whose closing tells the watchdog that the sandbox has ended."""

    async def start(self) -> None:
        """Start the process.

        Raises:
            OSError: if there is no such program.
        """
        program = self._command[0]
        if shutil.which(program) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
        held, self._watchdog_pipe = os.pipe()
        try:
            # A new session keeps Ctrl-C in the terminal for the sandbox, which then stops the bot itself.
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
        """The process id, once the process has been started."""
        assert self._process is not None
        return self._process.pid

    async def wait(self) -> int:
        """Wait until the process ends; return its exit status, negative for a signal."""
        assert self._process is not None
        assert self._watchdog_pipe is not None
        status = await self._process.wait()
        os.close(self._watchdog_pipe)
        return status

    async def stop(self) -> None:
        """Send SIGTERM, and SIGKILL if the process does not end in time."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
        except TimeoutError:
            process.kill()
            await process.wait()
