"""Mishaps on order: refusals out of nowhere, slow and lost answers, updates that come twice or late."""

import asyncio
from dataclasses import dataclass

from sandbox.errors import ApiError, ControlError, too_many_requests
from sandbox.model import Json
from sandbox.updates import UpdateQueue

DESCRIPTIONS = {500: "Internal Server Error", 502: "Bad Gateway"}


@dataclass(slots=True)
class Fault:
    """One kind of mishap, for the calls it is meant for.

    ``every`` n-th such call is hit (1: each), ``times`` at most (None: no end).
    """

    method: str | None
    chat: int | None
    times: int | None
    every: int
    status: int | None
    retry_after: int
    hang: float
    lose_answer: bool
    seen: int = 0

    def strikes(self, method: str, chat: object) -> bool:
        """Count a call and say whether it is hit."""
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


class Faults:
    """The mishaps that are on."""

    def __init__(self, updates: UpdateQueue) -> None:
        self._updates = updates
        self._faults: list[Fault] = []

    def clear(self) -> None:
        """Everything works again."""
        self._faults.clear()
        self._updates.duplicated = 0.0
        self._updates.delay = 0.0

    def add(self, order: Json) -> None:
        """Take on what ``POST /control/faults`` asks for; ``{}`` clears.

        Raises:
            ControlError: if the order makes no sense.
        """
        if not order:
            self.clear()
            return
        known = {"method", "chat", "times", "every", "status", "retry_after", "hang", "lose_answer"}
        known |= {"duplicate_updates", "delay_updates"}
        if unknown := order.keys() - known:
            raise ControlError(f"unknown: {', '.join(sorted(unknown))}")
        self._updates.duplicated = float(order.get("duplicate_updates", self._updates.duplicated))
        self._updates.delay = float(order.get("delay_updates", self._updates.delay))
        status, hang, lose = order.get("status"), float(order.get("hang", 0)), bool(order.get("lose_answer"))
        if status not in (None, 429, *DESCRIPTIONS):
            raise ControlError("status must be 429, 500 or 502")
        if status or hang or lose:
            self._faults.append(
                Fault(
                    method=order.get("method"),
                    chat=order.get("chat"),
                    times=order.get("times"),
                    every=max(1, int(order.get("every", 1))),
                    status=status,
                    retry_after=int(order.get("retry_after", 1)),
                    hang=hang,
                    lose_answer=lose,
                )
            )
        elif not order.keys() & {"duplicate_updates", "delay_updates"}:
            raise ControlError(
                "what shall go wrong: status, hang, lose_answer, duplicate_updates or delay_updates?"
            )

    async def before(self, method: str, chat: object) -> bool:
        """Let a call suffer what it must; returns whether its answer shall be lost.

        Raises:
            ApiError: if it is refused out of nowhere.
        """
        lost = False
        for fault in [fault for fault in self._faults if fault.strikes(method, chat)]:
            if fault.hang:
                await asyncio.sleep(fault.hang)
            if fault.status == 429:
                raise too_many_requests(fault.retry_after)
            if fault.status:
                raise ApiError(fault.status, DESCRIPTIONS[fault.status])
            lost = lost or fault.lose_answer
        return lost
