"""The machine that the bot runs on: clocks, randomness, connections, worker processes.

They are all passed in from here, so that a simulation can replace them.
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
    """The machine's resources.

    `wall` returns unix seconds by a clock that may be set; `monotonic` counts seconds by one that cannot be.
    `entropy` returns a number of random bytes; `connect` makes connections to the Bot API; `thinker` creates
    the object that chooses the moves of computer players.
    """

    wall: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    entropy: Callable[[int], bytes] = secrets.token_bytes
    connect: Connect = httpx_connections
    thinker: Callable[[], Thinker] = WorkerPool


THIS_MACHINE = Machine()
