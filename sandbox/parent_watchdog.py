"""Becomes the bot, and ends it after its sandbox has ended; otherwise an orphaned bot would poll for ever.

Run as a program, ``parent_watchdog.py COMMAND…``, with a pipe from the sandbox as its input. The sandbox
never writes to the pipe, so end-of-file means that the sandbox has ended, for whatever reason. A second
process waits for that. It starts before the bot does, because the sandbox may be killed at any moment.
"""

import os
import signal
import sys


def main() -> None:
    """Fork the watchdog, then replace this process by the command."""
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
    """Wait for the sandbox's end, then terminate the bot, unless it has already ended."""
    sys.stdin.buffer.read()
    if os.getppid() == bot:
        os.kill(bot, signal.SIGTERM)


if __name__ == "__main__":
    main()
