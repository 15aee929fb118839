"""Delay of a group's table while people flood the chat: `python -m benchmarks.bench_starvation`.

Runs the real bot with its rate limiter against a sandbox that enforces Telegram's limits. Four people play
fast in a group, and somebody else sends a command there now and then. The scenes follow each other in one
run: nobody floods; one person writes two commands a second; one person presses two buttons a second; five
people do either. A move is timed from the log to the next change of the table's own message.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from benchmarks.bench_calls import GATHER_SECONDS, Moved, moves_of, spread
from benchmarks.running import Running, running
from bot.buttons import (
    CallbackData,
    DealNext,
    Here,
    Nudge,
    Peek,
    ReadRules,
    ShowChart,
    ShowScore,
    decode,
    encode,
)
from sandbox import groups, people
from sandbox.errors import ControlError
from sandbox.events import Edited, Event, Posted
from sandbox.model import BOT
from tests.faults.simulated_tables import SimulatedTable

COMMANDS = ("/score", "/rules", "/help", "/settings", "/table", "/game", "/top", "/kick", "/leave", "/fair")
CHAPTERS = ("", "cards", "points", "turn")
EVERY_SECONDS = 0.5
"""Pause between two commands or presses of a flooder."""
ASKING_SECONDS = 20.0
"""Between an answer and the next question of the one who asks."""
WAITING_SECONDS = 30.0
"""How long they wait for an answer before they give up; nothing is asked so shortly before a scene ends."""
SETTLING_SECONDS = 20.0
"""Pause between two scenes, before counting starts."""
ASKER = "Зинаида"


@dataclass(frozen=True, slots=True)
class Scene:
    """The numbers of people who write commands and who press buttons."""

    name: str
    writers: int
    pressers: int


SCENES = (
    Scene("nobody floods", 0, 0),
    Scene("one writes commands", 1, 0),
    Scene("one presses buttons", 0, 1),
    Scene("five flood", 3, 2),
)


class Sights:
    """When the group's table appeared, and whether the one who asks has been answered."""

    def __init__(self, chat: int) -> None:
        self.chat = chat
        self.table_at: list[float] = []
        self.table_id = ""
        self.answered = asyncio.Event()

    def __call__(self, event: Event) -> None:
        """Handle an event of the sandbox's world."""
        if not isinstance(event, Posted | Edited) or event.message.chat != self.chat:
            return
        message = event.message
        for button in (button for row in message.buttons or () for button in row):
            match decode(button.get("callback_data", "")):
                case Peek(table=table) | Here(table=table) | Nudge(table=table) | DealNext(table=table):
                    self.table_id = table
                    self.table_at.append(time.time())
                    return
                case _:
                    pass
        if isinstance(event, Posted) and message.sender == BOT and ASKER in (message.text or ""):
            self.answered.set()


async def main() -> None:
    """Play the scenes and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="for each scene (default: %(default)g)")
    parser.add_argument("--pause", type=float, default=1.5, help="before a move (default: %(default)g)")
    options = parser.parse_args()
    settings = {
        "FORCED_SECONDS": "1",
        "TURN_SECONDS": "120",
        "NEXT_DEAL_SECONDS": "5",
        "DEFAULT_RULES": '{"preset": "classic", "limit": 1000}',
    }
    async with running(flood=True, settings=settings) as bot:
        sim_table = bot.sim.found(4, seed="starvation")
        sights = Sights(sim_table.chat)
        bot.sim.sandbox.world.listeners.append(sights)
        others = [_join(bot, sim_table, f"Шумный {number}") for number in range(5)]
        asker = _join(bot, sim_table, ASKER)
        await sim_table.gather(patience=300)
        playing = asyncio.create_task(sim_table.play(lambda _option: options.pause))
        for scene in SCENES:
            await play(scene, bot, sim_table, sights, others, asker, options.seconds)
        playing.cancel()
        await asyncio.wait([playing])
        bot.tell_complaints()


async def play(
    scene: Scene,
    bot: Running,
    sim_table: SimulatedTable,
    sights: Sights,
    others: list[int],
    asker: int,
    seconds: float,
) -> None:
    """Play one scene at the running table."""
    await asyncio.sleep(SETTLING_SECONDS)
    writers = others[: scene.writers]
    pressers = others[scene.writers : scene.writers + scene.pressers]
    flooding = [asyncio.create_task(write(sim_table, user)) for user in writers]
    flooding += [asyncio.create_task(press(sim_table, user, sights)) for user in pressers]
    waits: list[float | None] = []
    asking = asyncio.create_task(ask(sim_table, asker, sights, seconds - WAITING_SECONDS, waits))
    first, begin = bot.sim.sandbox.call_count, time.time()
    await asyncio.sleep(seconds)
    end = time.time()
    for task in (*flooding, asking):
        task.cancel()
    await asyncio.wait([*flooding, asking])
    await asyncio.sleep(SETTLING_SECONDS)
    calls = [call for call in bot.sim.sandbox.calls if call["n"] > first and call["at"] <= end]
    here = [call for call in calls if call["chat_id"] == sim_table.chat]
    moves = [move for move in moves_of(bot.database, sim_table.chat) if begin <= move.at <= end]
    answered = [wait for wait in waits if wait is not None]
    print(f"{scene.name}: {len(moves)} moves in {seconds:g} s")
    print(f"  the table is behind by: {spread(list(delays(moves, sights.table_at)))}")
    print(f"  who asked something waited: {spread(answered)} ({len(answered)} of {len(waits)} answered)")
    unchanged = sum("not modified" in (call["description"] or "") for call in here)
    not_found = sum("not found" in (call["description"] or "") for call in here)
    members = sum(call["method"].startswith("getChat") for call in here)
    print(
        f"  calls in vain: {unchanged} not modified, {not_found} not found,"
        f" {sum(call['status'] == 429 for call in here)} refused by flood limits;"
        f" {members} look-ups of members",
        flush=True,
    )


async def write(sim_table: SimulatedTable, user: int) -> None:
    """Send commands of all kinds, one after another."""
    chance = random.Random(user)
    while True:
        people.send(sim_table.sandbox, user, sim_table.chat, chance.choice(COMMANDS))
        await asyncio.sleep(EVERY_SECONDS)


async def press(sim_table: SimulatedTable, user: int, sights: Sights) -> None:
    """Press buttons on any of the latest messages, one after another."""
    chance = random.Random(user)
    while True:
        table = sights.table_id
        kinds: tuple[CallbackData, ...] = (
            ShowScore(table),
            ShowChart(table),
            ReadRules(chance.choice(CHAPTERS), table),
        )
        messages = [message for message, _ in zip(sim_table.newest(sim_table.chat), range(6), strict=False)]
        if table and messages:
            with suppress(ControlError):
                message_id = chance.choice(messages).message_id
                people.press(
                    sim_table.sandbox, user, sim_table.chat, message_id, encode(chance.choice(kinds))
                )
        await asyncio.sleep(EVERY_SECONDS)


async def ask(
    sim_table: SimulatedTable, user: int, sights: Sights, seconds: float, waits: list[float | None]
) -> None:
    """For so long ask something whose answer names who has asked, one question at a time.

    `waits` becomes how long each answer took; None: it did not come.
    """
    end = time.time() + seconds
    while True:
        await asyncio.sleep(ASKING_SECONDS)
        asked_at = time.time()
        if asked_at >= end:
            return
        sights.answered.clear()
        people.send(sim_table.sandbox, user, sim_table.chat, "/bell")
        try:
            async with asyncio.timeout(WAITING_SECONDS):
                await sights.answered.wait()
        except TimeoutError:
            waits.append(None)
        else:
            waits.append(time.time() - asked_at)


def delays(moves: list[Moved], shown_at: list[float]) -> Iterator[float]:
    """Return the delay after each move until the group saw its result, or a later state."""
    for move in moves:
        place = bisect.bisect_left(shown_at, move.at + GATHER_SECONDS)
        if place < len(shown_at):
            yield shown_at[place] - move.at


def _join(bot: Running, sim_table: SimulatedTable, name: str) -> int:
    """Add a person who is in the group, has started the bot and does not play."""
    sandbox = bot.sim.sandbox
    user = sandbox.world.add_user(name, None, None, "ru").id
    groups.set_status(sandbox, sandbox.world.chats[sim_table.chat], user, "member")
    people.start(sandbox, user, None)
    return user


if __name__ == "__main__":
    asyncio.run(main())
