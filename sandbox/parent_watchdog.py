"""Becomes the bot, and ends it when its sandbox has ended: without Telegram it would go on asking for ever.

Run as a program of its own, ``parent_watchdog.py COMMAND…``, with a pipe from the sandbox as its input. The
sandbox never writes to it; so when reading comes to an end, the sandbox has ended, however that came about. A
second process waits for that. It is there before the bot is, since a sandbox may be killed at any moment.
"""

import os
import signal
import sys


def main() -> None:
    """Leave a watch behind, and become the command."""
    bot = os.getpid()
    if os.fork() == 0:
        watch(bot)
        os._exit(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
    command = sys.argv[1:]
    try:
        os.execvp(command[0], command)  # noqa: S606 - the command that whoever runs the sandbox has given
    except OSError as error:
        sys.exit(f"cannot start {command[0]}: {error.strerror}")


def watch(bot: int) -> None:
    """Wait for the sandbox's end, and ask the bot to end as well. One that has ended is nobody's parent."""
    sys.stdin.buffer.read()
    if os.getppid() == bot:
        os.kill(bot, signal.SIGTERM)


if __name__ == "__main__":
    main()
