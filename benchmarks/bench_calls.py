"""Calls per move and delays of the messages: `python -m benchmarks.bench_calls`.

Runs the real bot with its rate limiter against a sandbox that enforces Telegram's limits. Forced moves follow
a second after the previous move, and people think long enough for each table to keep its pace. There are
three scenes: some tables with a move in 5 s, enough tables at that pace to use more than half of all calls,
and a single group with a move a second. Everything is counted from the sandbox's list of calls; forced moves
count as moves, answers to presses are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.running import Running, running
from bot.buttons import Lay, PassTurn, PickSuit, Take, decode
from engine import Deal, Draw, Pass, Play, load_move
from sandbox.events import Edited, Event, Posted
from sandbox.model import Json
from tests.faults.simulated_tables import Option, SimulatedTable

SHOWING = ("sendMessage", "editMessageText", "editMessageReplyMarkup", "deleteMessage")
GATHER_SECONDS = 0.02
"""A message sent this soon after a move does not show it yet: the reconciler gathers changes for so long."""
SETTLING_SECONDS = 15.0
"""Pause after the deals, which come all at once, before counting starts."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A number of tables of four with a move in `pace` seconds, and the targets."""

    name: str
    tables: int
    pace: float
    aims: str


SCENES = (
    Scene("some tables", 4, 5.0, "group ≤ 1, private ≤ 5"),
    Scene("more than half of all calls in use", 20, 5.0, "all ≤ 3.2"),
    Scene("one group, a move a second", 1, 1.0, "no 429, table ≤ 4 s, hand ≤ 2 s"),
)


@dataclass(frozen=True, slots=True)
class Moved:
    """A move in a table's log: when, and the round and number of turn moves it led to."""

    at: float
    stamp: tuple[int, int]


class HandsSeen:
    """When each mover's hand was first shown, by user and stamp."""

    def __init__(self) -> None:
        self.at: dict[tuple[int, tuple[int, int]], float] = {}

    def __call__(self, event: Event) -> None:
        """Handle an event of the sandbox's world."""
        if isinstance(event, Posted | Edited) and event.message.chat > 0:
            for row in event.message.buttons or ():
                for button in row:
                    match decode(button.get("callback_data", "")):
                        case (
                            Lay(stamp=stamp)
                            | Take(stamp=stamp)
                            | PassTurn(stamp=stamp)
                            | PickSuit(stamp=stamp)
                        ):
                            place = event.message.chat, (stamp.round, stamp.move)
                            self.at.setdefault(place, time.time())


async def main() -> None:
    """Play the scenes and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180, help="for each scene (default: %(default)g)")
    parser.add_argument("--forced", default="1", help="seconds before a forced move (default: %(default)s)")
    options = parser.parse_args()
    for scene in SCENES:
        await play(scene, options.seconds, options.forced)


async def play(scene: Scene, seconds: float, forced: str) -> None:
    """Play one scene with a new bot."""
    settings = {
        "FORCED_SECONDS": forced,
        "TURN_SECONDS": "120",
        "DEFAULT_RULES": '{"preset": "classic", "limit": 1000}',
    }
    async with running(flood=True, settings=settings) as bot:
        hands = HandsSeen()
        bot.sim.sandbox.world.listeners.append(hands)
        sim_tables = [bot.sim.found(4, seed=scene.name) for _ in range(scene.tables)]
        await asyncio.gather(*(sim_table.gather(patience=300) for sim_table in sim_tables))
        playing = [asyncio.create_task(sim_table.play(Timings(scene.pace))) for sim_table in sim_tables]
        await asyncio.sleep(SETTLING_SECONDS + scene.tables)
        first, begin = bot.sim.sandbox.call_count, time.time()
        await asyncio.sleep(seconds)
        calls = [call for call in bot.sim.sandbox.calls if call["n"] > first]
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
        report(scene, bot, calls, begin, hands)


class Timings:
    """The thinking time with which a table makes a move in `seconds` on average."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = time.time()
        self._moves: dict[int, int] = {}

    def __call__(self, option: Option) -> float:
        """Return the pause before this press: until the table's next move is due, at least half a second."""
        match option.asked:
            case Lay(stamp=stamp) | Take(stamp=stamp) | PassTurn(stamp=stamp) | PickSuit(stamp=stamp):
                self._moves[stamp.round] = stamp.move
            case _:
                pass
        due_at = self._began + self._seconds * (sum(self._moves.values()) + 1)
        return max(0.5, due_at - time.time())


def report(scene: Scene, bot: Running, calls: list[Json], begin: float, hands: HandsSeen) -> None:
    """Print the calls per move and the delays."""
    moves = {
        chat: list(moves_of(bot.database, chat))
        for chat in (sim_table.chat for sim_table in bot.sim.sim_tables)
    }
    counted = sum(it.at >= begin and it.stamp[1] > 0 for of_chat in moves.values() for it in of_chat)
    rounds = sum(it.at >= begin and it.stamp[1] == 0 for of_chat in moves.values() for it in of_chat)
    shown = [call for call in calls if call["method"] in SHOWING]
    in_group = sum(call["chat_id"] < 0 for call in shown)
    by_method: dict[str, int] = defaultdict(int)
    for call in shown:
        by_method[f"{call['method']} {'group' if call['chat_id'] < 0 else 'private'}"] += 1
    late_hands = [
        late for sim_table in bot.sim.sim_tables for late in hands_late(sim_table, moves, hands, begin)
    ]
    late_tables = [late for chat in moves for late in tables_late(chat, moves[chat], shown, begin)]
    seconds = (shown[-1]["at"] - shown[0]["at"]) if shown else 0.0
    print(f"{scene.name} ({scene.tables} × 4 people, a move in {scene.pace:g} s; aims: {scene.aims})")
    print(f"  {counted} moves, {rounds} deals, {len(shown) / seconds:.1f} calls a second")
    print(
        f"  calls a move: group {in_group / counted:.2f}, private {(len(shown) - in_group) / counted:.2f},"
        f" all {len(shown) / counted:.2f}"
    )
    print(f"  {', '.join(f'{name} {count / counted:.2f}' for name, count in sorted(by_method.items()))}")
    print(f"  429s: {sum(call['status'] == 429 for call in calls)}")
    print(
        f"  the table is behind by: {spread(late_tables)}; the hand of who is to move: {spread(late_hands)}"
    )


def moves_of(database: Path, chat: int) -> Iterator[Moved]:
    """Return the log of the table in this chat."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT table_moves.at, move FROM table_moves JOIN tables ON id = table_id"
            " WHERE chat_id = ? ORDER BY n",
            (chat,),
        ).fetchall()
    number = made = 0
    for at, text in rows:
        match load_move(json.loads(text)):
            case Deal():
                number, made = number + 1, 0
                yield Moved(at, (number, made))
            case Play() | Draw() | Pass():
                made += 1
                yield Moved(at, (number, made))
            case _:
                pass


def hands_late(
    sim_table: SimulatedTable, moves: dict[int, list[Moved]], hands: HandsSeen, begin: float
) -> Iterator[float]:
    """Return the delay after each move until the next mover's hand was shown."""
    moved_at = {moved.stamp: moved.at for moved in moves[sim_table.chat]}
    for (user, stamp), at in hands.at.items():
        if user in sim_table.users and stamp in moved_at and moved_at[stamp] >= begin:
            yield at - moved_at[stamp]


def tables_late(chat: int, moved: list[Moved], calls: list[Json], begin: float) -> Iterator[float]:
    """Return the delay after each move until the group saw its result, or a later state."""
    shown_at = [
        call["at"]
        for call in calls
        if call["chat_id"] == chat and call["ok"] and call["method"] in ("sendMessage", "editMessageText")
    ]
    for move in moved:
        place = bisect.bisect_left(shown_at, move.at + GATHER_SECONDS)
        if move.at >= begin and place < len(shown_at):
            yield shown_at[place] - move.at


def spread(seconds: list[float]) -> str:
    """Return the median and the maximum."""
    ordered = sorted(seconds)
    return f"{ordered[len(ordered) // 2]:.2f} s, at most {ordered[-1]:.2f} s" if ordered else "never"


if __name__ == "__main__":
    asyncio.run(main())
