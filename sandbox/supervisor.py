"""Keeps the bot running: restarts it when it ends, with a pause if it ended quickly."""

import asyncio
import signal
from collections.abc import Callable

from sandbox.bot_process import BotProcess
from sandbox.state import Sandbox

LASTING = 10.0
"""Seconds after which a run does not count as ending at once."""
LONGEST_PAUSE = 30.0
UNUSABLE = 2
"""The conventional exit status for wrong usage or configuration: another try would end the same way."""


async def supervise(
    sandbox: Sandbox, make: Callable[[], BotProcess], stopped: asyncio.Event, say: Callable[[str], None]
) -> int:
    """Run the bot repeatedly until ``stopped``; return the exit status for the sandbox.

    Gives up when the bot's exit status says that it can't run with this configuration. ``say`` reports every
    start and end.

    Raises:
        OSError: if there is no such program.
    """
    loop = asyncio.get_running_loop()
    signalled = asyncio.ensure_future(stopped.wait())
    short_runs = 0
    try:
        while not stopped.is_set():
            bot, began = make(), loop.time()
            await bot.start()
            sandbox.bot_starts()
            say(f"the bot is process {bot.pid}")
            ended = asyncio.ensure_future(bot.wait())
            await asyncio.wait({ended, signalled}, return_when=asyncio.FIRST_COMPLETED)
            await bot.stop()
            status = await ended
            if stopped.is_set():
                break
            if status == UNUSABLE:
                say(ending(status))
                return status
            sandbox.bot_ended()
            short_runs = short_runs + 1 if loop.time() - began < LASTING else 0
            seconds = pause(short_runs)
            after = f" in {seconds:g} s" if seconds else ""
            say(f"{ending(status)}; starting it anew{after}")
            await asyncio.wait({signalled}, timeout=seconds)
    finally:
        signalled.cancel()
    return 0


def pause(short_runs: int) -> float:
    """Return the seconds before the next start, after so many quick runs in a row."""
    return min(2.0 ** (short_runs - 1), LONGEST_PAUSE) if short_runs else 0.0


def ending(status: int) -> str:
    """Return how the bot has ended, in words; a negative status is a signal's."""
    if status < 0:
        return f"the bot was stopped by {signal.Signals(-status).name}"
    return f"the bot has ended with status {status}"
