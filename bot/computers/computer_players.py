"""Makes the moves of computer players: has a worker choose one, pauses as a person would, and plays it.

Nothing here is stored. A move goes through the table service with the stamp it was chosen for, like a press.
Until then the table has a deadline, at which a quick move is made instead; so a crash costs a better move at
most.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.computers.worker_pool import Thinker, ThoughtFailed
from bot.tables import transitions
from bot.tables.context import LONGEST_PAUSE, Timings
from bot.tables.refusals import Refusal, Refused
from bot.tables.service import Tables
from bot.tables.turns import ComputerTurn

log = logging.getLogger(__name__)

UNWATCHED: Final = 0.3
"""The pause where no person is left in the match, as a multiple of the usual one."""
IN_ROW: Final = 3.8
"""So many times the least pause it takes after another computer's move in a group, up to as many seconds.

A group gets a message in 3.53 s (`rate_limit`): its table keeps up, and something is left for answers.
"""

_OVERTAKEN: Final = (
    Refused.STALE,
    Refused.NOT_YOUR_TURN,
    Refused.TABLE_OVER,
    Refused.TABLE_GONE,
    Refused.BANISHED,
)


@dataclass(frozen=True, slots=True)
class _Thought:
    turn: ComputerTurn
    task: asyncio.Task[None]


class ComputerPlayers:
    """Plays for all computer players; `timings` sets their pauses, `entropy` returns random bytes."""

    def __init__(
        self,
        tables: Tables,
        thinker: Thinker,
        timings: Timings,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._tables = tables
        self._queries = tables.queries
        self._thinker = thinker
        self._timings = timings
        self._entropy = entropy
        self._changed: set[str] = set()
        self._wake = asyncio.Event()
        self._thoughts: dict[str, _Thought] = {}
        tables.on_change(self._on_change)

    async def run(self) -> None:
        """Run until cancelled; then close the thinker."""
        try:
            longest = LONGEST_PAUSE * self._timings.computer + self._timings.thinking
            self._changed.update(await self._queries.due_within(longest))
            while True:
                self._wake.clear()
                while self._changed:
                    await self._look(self._changed.pop())
                await self._wake.wait()
        finally:
            tasks = [thought.task for thought in self._thoughts.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._thinker.close()

    def _on_change(self, table_id: str) -> None:
        self._changed.add(table_id)
        self._wake.set()

    async def _look(self, table_id: str) -> None:
        """Start choosing for the computer to move at a table; drop what was begun for an earlier position."""
        try:
            turn = await self._queries.computer_turn(table_id)
        except Refusal:
            turn = None
        except Exception:
            log.exception("not seen who is to move", extra={"table": table_id})
            return
        thought = self._thoughts.get(table_id)
        if thought is not None:
            if thought.turn == turn:
                return
            thought.task.cancel()
            del self._thoughts[table_id]
        if turn is not None:
            self._thoughts[table_id] = _Thought(turn, asyncio.create_task(self._move(turn)))

    async def _move(self, turn: ComputerTurn) -> None:
        where = {"table": turn.table_id, "user": turn.user_id}
        try:
            began = asyncio.get_running_loop().time()
            seed = int.from_bytes(self._entropy(8))
            move = await self._thinker.choose(turn.level, turn.view, seed)
            waited = asyncio.get_running_loop().time() - began
            await asyncio.sleep(max(0.0, self.pause(turn, seed) - waited))
            self._done(turn)
            await self._tables.change(turn.table_id, transitions.make_move, turn.user_id, turn.stamp, move)
        except ThoughtFailed as failure:
            self._done(turn)
            log.error("a computer player has found no move: %s", failure, extra=where)
        except Refusal as refused:
            is_overtaken = refused.reason in _OVERTAKEN
            log.log(logging.INFO if is_overtaken else logging.ERROR, "move refused: %s", refused, extra=where)
        except Exception:
            self._done(turn)
            log.exception("a computer player cannot move", extra=where)

    def pause(self, turn: ComputerTurn, seed: int) -> float:
        """Return the pause before this move, in seconds."""
        chance = Random(seed).random()  # noqa: S311 - the seed comes from the tables' entropy
        pause = self._timings.computer * (1 + (LONGEST_PAUSE - 1) * chance)
        if not turn.is_watched:
            return UNWATCHED * pause
        return max(pause, min(IN_ROW, IN_ROW * self._timings.computer)) if turn.is_in_row else pause

    def _done(self, turn: ComputerTurn) -> None:
        """Forget this turn: its move is chosen, and later changes at the table start a new one."""
        thought = self._thoughts.get(turn.table_id)
        if thought is not None and thought.turn is turn:
            del self._thoughts[turn.table_id]
