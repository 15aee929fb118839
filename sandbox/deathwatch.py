"""Ends a bot whose sandbox was killed: a bot without its Telegram would go on asking for ever.

Run as a program of its own, ``deathwatch.py PID``, with a pipe from the sandbox as its input. The sandbox
never writes to it; so when reading comes to an end, the sandbox has ended, however that came about.
"""

import os
import signal
import sys
from contextlib import suppress


def main() -> None:
    """Wait for the sandbox's end, and ask the bot to end as well."""
    process_id = int(sys.argv[1])
    sys.stdin.buffer.read()
    with suppress(ProcessLookupError):
        os.kill(process_id, signal.SIGTERM)


if __name__ == "__main__":
    main()
