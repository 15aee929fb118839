"""Injects faults on request: refusals, slow and lost answers, duplicate and late updates."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from sandbox.errors import ApiError, ControlError, too_many_requests
from sandbox.updates import UpdateQueue

LONGEST = 24 * 3600
"""Longest duration of a fault, in seconds."""
DESCRIPTIONS = {500: "Internal Server Error", 502: "Bad Gateway"}


@dataclass(slots=True)
class Fault:
    """One fault and the calls it applies to.

    It hits every ``every``-th matching call (1: each), at most ``times`` of them (None: no limit).
    """

    method: str | None = None
    chat: int | None = None
    times: int | None = None
    every: int = 1
    status: int | None = None
    retry_after: int = 1
    hang: float = 0.0
    hang_answer: float = 0.0
    lose_answer: bool = False
    seen: int = 0

    def strikes(self, method: str, chat: object) -> bool:
        """Count a call, and return whether it is hit."""
        if self.times == 0 or (self.method or method).lower() != method.lower():
            return False
        if self.chat is not None and str(self.chat) != str(chat):
            return False
        self.seen += 1
        if self.seen % self.every:
            return False
        if self.times is not None:
            self.times -= 1
        return True


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A fault of the answer to a call that took effect: it is delayed by some seconds, or lost."""

    hang: float
    lost: bool


class Faults:
    """The active faults."""

    def __init__(self, updates: UpdateQueue) -> None:
        self._updates = updates
        self._faults: list[Fault] = []
        self._mended = asyncio.Event()
        """Set to release the calls that hang."""
        self.hanging: list[tuple[str, object]] = []
        """Method and chat of each call that is hanging."""

    def clear(self) -> None:
        """Remove all faults; calls that hang continue."""
        self._faults.clear()
        self._mended.set()
        self._mended = asyncio.Event()
        self._updates.duplicated = 0.0
        self._updates.delay = 0.0

    def add(self, fault: Fault) -> None:
        """Apply a fault to calls from now on.

        Raises:
            ControlError: if it makes no sense.
        """
        if fault.status not in (None, 429, *DESCRIPTIONS):
            raise ControlError("status must be 429, 500 or 502")
        if fault.every < 1 or (fault.times is not None and fault.times < 1) or fault.retry_after < 1:
            raise ControlError("every, times and retry_after must be 1 or more")
        if not (0 <= fault.hang <= LONGEST and 0 <= fault.hang_answer <= LONGEST):
            raise ControlError(f"hang and hang_answer must be seconds from 0 to {LONGEST}")
        self._faults.append(fault)

    def disturb_updates(self, *, duplicated: float, delay: float) -> None:
        """Deliver updates twice with a given probability, and late by so many seconds.

        Raises:
            ControlError: if it makes no sense.
        """
        if not 0 <= duplicated <= 1:
            raise ControlError("duplicate_updates must be a probability, from 0 to 1")
        if not 0 <= delay <= LONGEST:
            raise ControlError(f"delay_updates must be seconds from 0 to {LONGEST}")
        self._updates.duplicated, self._updates.delay = duplicated, delay

    async def before(self, method: str, chat: object) -> Aftermath:
        """Apply the faults to a call before it is executed; return what will happen to its answer.

        Raises:
            ApiError: if the fault refuses the call.
        """
        hang, lost = 0.0, False
        for fault in [fault for fault in self._faults if fault.strikes(method, chat)]:
            if fault.hang:
                await self._hang(method, chat, fault.hang)
            if fault.status == 429:
                raise too_many_requests(fault.retry_after)
            if fault.status:
                raise ApiError(fault.status, DESCRIPTIONS[fault.status])
            hang, lost = hang + fault.hang_answer, lost or fault.lose_answer
        return Aftermath(hang, lost)

    async def after(self, method: str, chat: object, aftermath: Aftermath) -> None:
        """Delay the answer of an executed call."""
        if aftermath.hang:
            await self._hang(method, chat, aftermath.hang)

    async def _hang(self, method: str, chat: object, seconds: float) -> None:
        call = (method, chat)
        self.hanging.append(call)
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._mended.wait(), seconds)
        finally:
            self.hanging.remove(call)
