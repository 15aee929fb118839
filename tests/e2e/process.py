"""A bot under test, as a separate process."""

import asyncio
import signal
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tests.patience import PATIENCE


class BotProcess:
    """A bot under test: a real process that can be killed and restarted."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], errors: Path | None = None
    ) -> None:
        self.command = list(command)
        self.environment = environment
        self._errors = errors
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, or restart it if it has ended; its standard error is appended to a file."""
        assert not self.is_running, "it runs already"
        with ExitStack() as stack:
            errors = None if self._errors is None else stack.enter_context(self._errors.open("ab"))
            self._process = await asyncio.create_subprocess_exec(
                *self.command, env=self.environment, stderr=errors
            )

    @property
    def is_running(self) -> bool:
        """True if it is running."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """Its process id; after its end the last one."""
        assert self._process is not None
        return self._process.pid

    async def kill(self) -> None:
        """Kill it (SIGKILL), as a power cut would."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> int:
        """Terminate it (SIGTERM) and wait for its end; return its exit status."""
        assert self._process is not None
        if self.is_running:
            self._process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self._process.wait(), PATIENCE)
        except TimeoutError:
            await self.kill()
            raise AssertionError(f"{self.command} did not end on SIGTERM") from None


def free_port() -> int:
    """Return a port of the loopback interface that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
