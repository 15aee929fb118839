"""An event loop in virtual time: when nothing can run, the time jumps to the next timer.

No work is done in other threads: what is meant for an executor runs on the loop, one piece after another, and
so does SQLite (`tests.simulation.database`). So the order of everything that happens follows from the program
and the seed alone.

Each callback belongs to the simulated process in whose context it was scheduled. When a process is killed,
none of its callbacks runs any more, and nothing that it was waiting for reaches it.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar, TypeVarTuple, Unpack
from weakref import WeakKeyDictionary

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

EPOCH = 1_796_040_000.0
"""The wall clock's time at the beginning: 30 November 2026, 12:00 UTC."""
LONGEST_JUMP_SECONDS = 24 * 3600.0
"""asyncio's own bound for a wait."""


class Stalled(Exception):
    """Nothing can run, and no timer is set: whoever is waited for waits too."""


class _Killed(BaseException):
    """Ends the coroutines of a killed process; nobody catches it for good."""


class Process:
    """A simulated process, from its start to its end.

    `step` is called at each of its inputs and outputs: before a statement is executed, and before and after a
    call takes effect. It may kill the process.
    """

    def __init__(self, name: str, step: Callable[[], None] = lambda: None) -> None:
        self.name = name
        self.step = step
        self.is_alive = True
        self.ended = asyncio.Event()
        self.tasks: WeakKeyDictionary[asyncio.Task[Any], contextvars.Context] = WeakKeyDictionary()
        self.close: list[Callable[[], None]] = []
        """What the operating system does at its end: it closes files and connections."""

    def kill(self) -> None:
        """End it; see `SimulatedLoop.kill`."""
        self.is_alive = False
        for close in self.close:
            close()
        self.ended.set()


PROCESS: contextvars.ContextVar[Process | None] = contextvars.ContextVar("PROCESS", default=None)
"""Whose callback runs; None: the world's."""


class _Jumping:
    """In place of a selector: there is no input from outside to be waited for."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> list[Any]:
        """Let the time go by until the next timer."""
        if timeout is None:
            raise Stalled(f"at {self._loop.time():.3f}")
        self._loop.jump(timeout)
        return []

    def close(self) -> None:
        """There is nothing to be closed."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """The loop. It begins at 0.0."""

    _ready: deque[Any]
    _scheduled: list[Any]

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Jumping(self)
        self._now = 0.0
        self._signals: dict[Process, dict[int, Callable[[], object]]] = {}

    def time(self) -> float:
        """Virtual seconds."""
        return self._now

    def wall(self) -> float:
        """Unix seconds."""
        return EPOCH + self._now

    def jump(self, seconds: float) -> None:
        """Let so much time go by at once."""
        self._now += seconds

    def call_soon(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        """As always, but not for a process that has ended."""
        handle = super().call_soon(callback, *args, context=context)
        if not _is_alive(context):
            handle.cancel()
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        """As always, but not for a process that has ended."""
        timer = super().call_at(when, callback, *args, context=context)
        if not _is_alive(context):
            timer.cancel()
        return timer

    def create_task(
        self, coro: Any, *, context: contextvars.Context | None = None, **kwargs: Any
    ) -> asyncio.Task[Any]:
        """As always; the process that it belongs to knows it."""
        context = context or contextvars.copy_context()
        task = super().create_task(coro, context=context, **kwargs)
        owner = context.get(PROCESS)
        if owner is not None:
            owner.tasks[task] = context
        return task

    def run_in_executor(
        self, executor: Any, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Run it on the loop instead, soon."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        self.call_soon(settle, future, func, *args)
        return future

    def add_signal_handler(self, sig: int, callback: Callable[[Unpack[Ts]], object], *args: *Ts) -> None:
        """Keep what the running process does on a signal."""
        process = PROCESS.get()
        assert process is not None, "only simulated processes get signals"
        context = contextvars.copy_context()
        self._signals.setdefault(process, {})[sig] = partial(self.call_soon, callback, *args, context=context)

    def send_signal(self, process: Process, sig: int) -> None:
        """Send a process a signal that it has a handler for."""
        self._signals[process][sig]()

    def kill(self, process: Process) -> None:
        """End a process as SIGKILL does: nothing of it runs any more, not even what was about to."""
        process.kill()
        self._cancel_handles(process)

    def bury(self, process: Process) -> None:
        """Close the coroutines that a killed process has left unfinished. It must not be called from them."""
        self._cancel_handles(process)
        while process.tasks:  # what a coroutine does in the end may begin others
            task, context = process.tasks.popitem()
            if not task.done():
                setattr(task, "_log_destroy_pending", False)  # noqa: B010 (mypy knows no such name)
                _unwind(task, context)
                asyncio._unregister_task(task)

    def _cancel_handles(self, process: Process) -> None:
        self._signals.pop(process, None)
        for handle in [*self._ready, *self._scheduled]:
            if _owner(handle._context) is process:
                handle.cancel()

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody wakes the loop from another thread."""


def settle(future: asyncio.Future[T], func: Callable[[Unpack[Ts]], T], *args: *Ts) -> None:
    """Do some work, and give the future its result, or the exception."""
    try:
        result = func(*args)
    except BaseException as error:  # noqa: BLE001 (whoever awaits the future gets it)
        if not future.done():
            future.set_exception(error)
    else:
        if not future.done():
            future.set_result(result)


def _owner(context: contextvars.Context | None) -> Process | None:
    return PROCESS.get() if context is None else context.get(PROCESS)


def _is_alive(context: contextvars.Context | None) -> bool:
    owner = _owner(context)
    return owner is None or owner.is_alive


def _unwind(task: asyncio.Task[Any], context: contextvars.Context) -> None:
    """End a task's coroutine here and now, or the garbage collector would at some other time.

    What it does in the end is cut off at each `await`, and has no effect outside of the dead process.
    """
    coroutine = task.get_coro()
    assert coroutine is not None
    with suppress(BaseException):
        while True:
            context.run(coroutine.throw, _Killed())
