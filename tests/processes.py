"""Programs that tests run: none of their processes outlives the test, however it ends."""

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.patience import PATIENCE


@asynccontextmanager
async def started(*command: str, **options: Any) -> AsyncIterator[Process]:
    """Run a program, with the options of `asyncio.create_subprocess_exec`.

    At the end it is asked to terminate (SIGTERM) and waited for; after a failure it is killed.
    """
    process = await asyncio.create_subprocess_exec(*command, **options)
    try:
        yield process
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.communicate(), PATIENCE)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()  # reads what is left, so that the pipes are closed
