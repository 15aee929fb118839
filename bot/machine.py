"""What the bot takes from the machine it runs on: clocks, randomness, connections, processes that think.

All of them are passed in from here, so that a simulation can put a machine of its own in their place.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.computers.worker_pool import Thinker, WorkerPool
from bot.transport import Connect, httpx_connections


@dataclass(frozen=True, slots=True)
class Machine:
    """`wall` gives unix seconds and may be set; `monotonic` counts seconds and may not.

    `entropy` returns that many random bytes; `connect` opens connections to the Bot API; `thinker` makes what
    chooses the moves of computer players.
    """

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    entropy: Callable[[int], bytes] = secrets.token_bytes
    connect: Connect = httpx_connections
    thinker: Callable[[], Thinker] = WorkerPool


THIS_MACHINE = Machine()
