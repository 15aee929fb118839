"""Many tables, everything that can go wrong, the bot killed again and again: what is left of it in the end.

Simulated people play while `FaultPlan` strikes and SIGKILL comes at random moments. Then all of that ends,
nobody does anything any more, and the bot has some time to set right what people see.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import random
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bot.buttons import BackToHand, Lay, PassTurn, Take
from engine import Draw, Move, Pass, Play, turn_stamp
from sandbox import people
from sandbox.model import Json
from tests.e2e.committed import Committed, all_committed, copied, steps
from tests.e2e.looks import Comparison, Place, compare, place_of
from tests.e2e.process import BotProcess
from tests.faults.fault_plan import FaultPlan
from tests.faults.simulated_tables import Option, SimulatedTable, SimulatedTables

SETTINGS = {
    "TELEGRAM_LIMITS": "false",
    "FORCED_SECONDS": "0.1",
    "NEXT_DEAL_SECONDS": "600",
    "TURN_SECONDS": "600",
    "DEFAULT_RULES": '{"preset": "classic", "limit": 101}',
}
GIVEN_UP_SECONDS = 5.0
"""The bot waits for an answer no longer than this."""
SURELY_HEARD_SECONDS = 3.0
"""A call that took longer by the sandbox's clock may have been given up: the bot's timeout starts earlier."""
YOUNG_SECONDS = 20.0
"""A message younger than this at a kill may not have been recorded yet."""
ON_THE_WAY_SECONDS = 3.0
"""A call that ended this shortly before a kill may not have been recorded, on a busy machine."""
QUEUED_SECONDS = 0.5
"""A call may come from a bot that is dead by the time it is processed."""
GATHERING_SECONDS = 120.0
LOOKS = (None, "picture")
"""Every other table is a picture."""
SENDING = ("sendMessage", "sendPhoto")
SETTLING_SECONDS = 180.0
"""The maximum. A call that keeps failing is repeated after a minute."""
ON_RECORD = "SELECT chat_id, message_id FROM shown UNION SELECT chat_id, message_id FROM replies"
NO_HARM = ("message is not modified", "message to delete not found")
"""Refusals that mean that everything is as it should be."""


@dataclass(frozen=True, slots=True)
class Plan:
    """So many tables of three, so many faults at intervals of about `pause` seconds, and so many kills.

    Events are counted, not timed, so a busy machine has no fewer of them.
    """

    tables: int
    mishaps: int
    pause: float
    kills: int
    seed: str


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """A table at the end: its committed state, and what is wrong with its messages.

    `unheard` counts the messages sent to its chats whose answers the bot may not have received.
    """

    sim_table: SimulatedTable
    state: Committed
    comparison: Comparison
    unheard: int


@dataclass(frozen=True, slots=True, repr=False)
class ChaosResult:
    """The results. `failed` are the calls that failed while the bot was alive.

    Its repr is short: event loops log the results of their tasks, and this would take gigabytes.
    """

    outcomes: list[Outcome]
    mishaps: Counter[str]
    kills: int
    failed: list[Json]
    log: list[Json]


@dataclass
class _Trial:
    """The run in progress. `killed_at`: when the bot was killed (unix seconds)."""

    sim: SimulatedTables
    bot: BotProcess
    database: Path
    plan: Plan
    chance: random.Random
    around: set[Place] = field(default_factory=set)
    """Messages of the bot that are not a table's."""
    killed_at: list[float] = field(default_factory=list)
    unwritten: set[tuple[int, float]] = field(default_factory=set)
    """Chats with a young message that was not on record when the bot was killed, and when that was."""

    async def play(self) -> Counter[str]:
        """Let people play while faults happen; return the faults by kind."""
        fault_plan = FaultPlan(self.sim, self.chance)
        self.sim.sandbox.faults.disturb_updates(duplicated=0.2, delay=0.0)
        players = [
            asyncio.create_task(it.play(lambda _: self.chance.uniform(0, 0.3), wait=2))
            for it in self.sim.sim_tables
        ]
        count = self.plan.mishaps
        kill_at = {count * (2 * n + 1) // (2 * self.plan.kills) for n in range(self.plan.kills)}
        for number in range(count):
            # The bot notices deletions when it next changes a message, so there must be a reason left.
            fault_plan.strike(may_delete=number < count // 2)
            if number in kill_at:
                await self._kill()
            await asyncio.sleep(self.chance.uniform(0, 2 * self.plan.pause))
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        fault_plan.end()
        for sim_table in self.sim.sim_tables:
            sim_table.look_again()
        return fault_plan.mishaps

    async def _kill(self) -> None:
        self.killed_at.append(time.time())
        await self.bot.kill()
        self._note_what_was_not_written(self.killed_at[-1])
        await asyncio.sleep(self.chance.uniform(0, 0.3))
        self.sim.called.clear()
        await self.bot.start()
        await self.sim.called.wait()
        for sim_table in self.sim.sim_tables:
            sim_table.look_again()

    def _note_what_was_not_written(self, killed_at: float) -> None:
        """Look up what was not recorded: a busy machine takes longer to record an answer."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            places = set(connection.execute(ON_RECORD))
        for chat in (
            chat for sim_table in self.sim.sim_tables for chat in (sim_table.chat, *sim_table.users)
        ):
            for message in self.sim.newest(chat):
                is_young = message.raw["date"] >= killed_at - YOUNG_SECONDS
                if is_young and place_of(message) not in places | self.around:
                    self.unwritten.add((chat, killed_at))

    async def note_what_is_around(self) -> None:
        """Note all messages so far that are not the tables'."""
        for outcome in (await self.settle(lambda _: math.inf)).values():
            self.around |= {place_of(message) for message in outcome[1].surplus}

    async def settle(
        self, most_surplus: Callable[[SimulatedTable], float]
    ) -> dict[SimulatedTable, tuple[Committed, Comparison]]:
        """Return the committed state, and what is wrong with the messages: nothing, or what a long wait has
        left.

        `most_surplus` says how many messages too many a table's chats may have.
        """
        by_chat = {sim_table.chat: sim_table for sim_table in self.sim.sim_tables}
        give_up_at = time.monotonic() + SETTLING_SECONDS
        while True:
            await self._put_wilds_back()
            known = self.around | await self._replies()
            states = await all_committed(self.database, by_chat)
            found = {
                by_chat[chat]: (state, compare(self.sim, state, known)) for chat, state in states.items()
            }
            is_done = all(
                not comparison.missing
                and state.shown.keys() <= state.wanted.keys()
                and len(comparison.surplus) <= most_surplus(sim_table)
                for sim_table, (state, comparison) in found.items()
            )
            if is_done or time.monotonic() > give_up_at:
                return found
            await asyncio.sleep(0.5)

    async def _put_wilds_back(self) -> None:
        """Leave no choice of a suit open: it is the only thing people see that is not committed."""
        for sim_table in self.sim.sim_tables:
            for option in sim_table.options():
                if isinstance(option.asked, BackToHand):
                    await sim_table.press(option)

    async def ask_for_what_was_deleted(self) -> None:
        """Ask for deleted messages, as people who miss their hand or the table do: the bot gets no update."""
        states = await all_committed(self.database, [sim_table.chat for sim_table in self.sim.sim_tables])
        for sim_table in self.sim.sim_tables:
            for shown in states[sim_table.chat].shown.values():
                if shown.message_id not in self.sim.sandbox.world.chats[shown.chat_id].messages:
                    who, command = (
                        (shown.chat_id, "/hand") if shown.chat_id > 0 else (sim_table.users[0], "/table")
                    )
                    people.send(self.sim.sandbox, who, shown.chat_id, command)

    async def _replies(self) -> set[Place]:
        """Return the answers to commands, and notices, which have their own record."""
        chats = [chat for sim_table in self.sim.sim_tables for chat in (sim_table.chat, *sim_table.users)]
        async with copied(self.database) as storage:
            found = await storage.replies.in_chats(chats)
            replaced = await storage.replies.replaced()
        return {(it.chat_id, it.message_id) for it in found if it not in replaced}

    async def let_hanging_calls_end(self) -> None:
        """Wait until the calls that still hang, whether their caller lives or not, have taken effect."""
        while self.sim.sandbox.faults.hanging:
            self.sim.called.clear()
            await self.sim.called.wait()

    def cut_short(self, call: Json) -> list[float]:
        """Return the kills before which the bot may not have recorded the result of this call."""
        began = call["at"] - call["ms"] / 1000
        heard = min(call["at"], began + GIVEN_UP_SECONDS)
        return [at for at in self.killed_at if began - QUEUED_SECONDS <= at <= heard + ON_THE_WAY_SECONDS]

    def unheard(self, sim_table: SimulatedTable) -> int:
        """Return how many messages to the table's chats the bot may not know of.

        They are those whose answers were lost or too late, and in each chat one for each kill during a send
        or its recording, since there is one call at a time.
        """
        chats = {sim_table.chat, *sim_table.users}
        sent = [call for call in self.sim.sandbox.calls if call["method"] in SENDING and call["ok"]]
        there = [call for call in sent if call["chat_id"] in chats]
        lost = [it for it in there if it["description"] is not None or it["ms"] > SURELY_HEARD_SECONDS * 1000]
        cut = {(call["chat_id"], at) for call in there for at in self.cut_short(call)}
        return len(lost) + len(cut | {(chat, at) for chat, at in self.unwritten if chat in chats})


async def run_chaos(plan: Plan, folder: Path) -> ChaosResult:
    """Run everything."""
    database, log = folder / "101.sqlite3", folder / "bot.log"
    async with SimulatedTables.gathering(flood=False) as sim:
        sandbox = sim.sandbox
        environment = {
            **os.environ,
            **SETTINGS,
            "BOT_TOKEN": sandbox.world.bot.token,
            "BOT_API_URL": sim.server.bot_api_url,
            "DATABASE_PATH": str(database),
        }
        bot = BotProcess((sys.executable, "-m", "bot"), environment, log)
        await bot.start()
        try:
            trial = _Trial(sim, bot, database, plan, random.Random(plan.seed))
            sim_tables = [sim.found(3, seed=plan.seed) for _ in range(plan.tables)]
            looks = itertools.cycle(LOOKS)
            await asyncio.gather(
                *(it.gather(GATHERING_SECONDS, look) for it, look in zip(sim_tables, looks, strict=False))
            )
            await trial.note_what_is_around()
            first = sandbox.call_count
            mishaps = await trial.play()
            await trial.let_hanging_calls_end()
            await trial.ask_for_what_was_deleted()
            found = await trial.settle(trial.unheard)
        finally:
            if bot.is_running:
                await bot.stop()
        failed = [
            call
            for call in sandbox.calls
            if call["n"] > first and _went_wrong(call) and not trial.cut_short(call)
        ]
    outcomes = [Outcome(it, state, seen, trial.unheard(it)) for it, (state, seen) in found.items()]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return ChaosResult(outcomes, mishaps, len(trial.killed_at), failed, lines)


def _went_wrong(call: Json) -> bool:
    is_slow = call["ms"] > GIVEN_UP_SECONDS * 1000 and call["method"] != "getUpdates"
    is_refused = call["description"] is not None and not any(it in call["description"] for it in NO_HARM)
    return bool(is_refused or is_slow)


def pressed_in_vain(outcome: Outcome) -> list[str]:
    """Return accepted presses that are not that person's move in the log, and moves that nobody pressed."""
    made: dict[tuple[int, int], tuple[int, Move]] = {}
    for step in steps(outcome.state):
        if step.actor is not None and isinstance(step.move, Play | Draw | Pass):
            made[turn_stamp(step.before)] = (step.actor, step.move)
    asked_for = [_as_move(option, outcome) for option in outcome.sim_table.pressed]
    accepted = [_as_move(tap.option, outcome) for tap in outcome.sim_table.taps if tap.was_accepted]
    in_vain = [
        f"{what} at {at} is not in the log" for at, what in filter(None, accepted) if made.get(at) != what
    ]
    return in_vain + [f"nobody pressed {made[at]} at {at}" for at in made if (at, made[at]) not in asked_for]


def _as_move(option: Option, outcome: Outcome) -> tuple[tuple[int, int], tuple[int, Move]] | None:
    """Return the moment, the person and the move that a press asks for; None if it is not a move."""
    seat = outcome.state.table.seat_of(option.user)
    assert seat is not None
    match option.asked:
        case Lay(stamp=stamp, card=card, suit=suit):
            move: Move = Play(seat, card, suit)
        case Take(stamp=stamp):
            move = Draw(seat)
        case PassTurn(stamp=stamp):
            move = Pass(seat)
        case _:
            return None
    return (stamp.round, stamp.move), (option.user, move)
