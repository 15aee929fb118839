"""What happens when time has passed, and that no time passes while the bot is down: in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from bot.buttons import DealNext, Sit, StartMatch
from bot.clock import HEARTBEAT_SECONDS
from bot.messages.rate_limit import Limits
from bot.tables.automatic_moves import forced_move
from bot.tables.lifecycle import DeadlineKind, Ending, TablePhase
from engine import Deal
from sandbox import people
from sandbox.model import Message
from tests.e2e.committed import Committed, steps
from tests.e2e.wording import RUSSIAN
from tests.faults.simulated_tables import Option, SimulatedTable, SimulatedTables
from tests.simulation.simulation import Simulation

HOUR = 3600.0
A_WHILE = 20.0
"""Seconds, after which all that is to be shown is shown."""
RULES = '{"preset": "classic", "limit": 500}'


def simulate(
    folder: Path, main: Callable[[Simulation, SimulatedTables], Coroutine[Any, Any, None]], **settings: Any
) -> None:
    """Run the bot for a test."""
    simulation = Simulation(folder, "clock", default_rules=RULES, **settings)

    async def run() -> None:
        simulation.start()
        await main(simulation, SimulatedTables(simulation.sandbox))

    simulation.run(run())
    assert simulation.trace.faults == []


def test_the_next_round_is_dealt_by_itself_at_the_moment_the_result_tells(tmp_path: Path) -> None:
    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(2)
        await table.gather()
        await play_round(table)
        result = newest_with(table, DealNext)
        (told,) = [it["unix_time"] for it in result.entities if it["type"] == "date_time"]
        await asyncio.sleep(2 * A_WHILE)
        state = await simulation.committed(table.chat)
        first, second = (step for step in steps(state) if isinstance(step.move, Deal))
        assert (first.actor, second.actor) == (table.users[0], None)
        assert told <= second.at < told + A_WHILE

    simulate(tmp_path, main)


def test_a_lobby_that_nobody_cares_for_closes_itself_and_says_so(tmp_path: Path) -> None:
    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(1)
        await table.sit_down()
        lobby = newest_with(table, Sit)
        await asyncio.sleep(HOUR + A_WHILE)
        state = await simulation.committed(table.chat)
        assert (state.table.phase, state.table.ending) == (TablePhase.OVER, Ending.EXPIRED)
        closed = simulation.sandbox.world.chats[table.chat].messages[lobby.message_id]
        assert (closed.text or "").startswith(RUSSIAN.plain("lobby.expired"))
        assert table.offer(Sit) is None
        people.send(simulation.sandbox, table.users[0], table.chat, "/game")
        await table.until(lambda: table.offer(Sit))

    simulate(tmp_path, main)


def test_a_lobby_says_when_its_host_is_silent_and_then_anybody_who_sits_there_deals(tmp_path: Path) -> None:
    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(2)
        await table.sit_down()
        host, visitor = table.users
        words = RUSSIAN.plain("lobby.host_silent", name=simulation.sandbox.world.users[host].first_name)
        assert words not in (newest_with(table, StartMatch).text or "")
        await asyncio.sleep(200)
        assert words in (newest_with(table, StartMatch).text or "")
        start = table.offer(StartMatch)
        assert start is not None
        assert (await table.press(as_pressed_by(visitor, start))).was_accepted
        state = await simulation.committed(table.chat)
        assert (state.table.phase, state.table.host) == (TablePhase.PLAYING, visitor)

    simulate(tmp_path, main)


def test_nobody_loses_time_while_the_bot_is_down(tmp_path: Path) -> None:
    """A turn, a pause after a result and a lobby have as long after a stop of an hour as before it."""

    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        playing, between, gathering = sim.found(2), sim.found(2), sim.found(2)
        await between.gather()
        await play_round(between)
        await gathering.sit_down()
        await playing.gather()
        tables = (playing, between, gathering)
        before = [await simulation.committed(it.chat) for it in tables]
        simulation.kill()
        await asyncio.sleep(HOUR)
        simulation.start()
        await asyncio.sleep(3)
        after = [await simulation.committed(it.chat) for it in tables]
        kinds = [deadline_of(state)[0] for state in after]
        assert kinds == [DeadlineKind.TURN, DeadlineKind.NEXT_DEAL, DeadlineKind.HOST]
        for old, new in zip(before, after, strict=True):
            assert (new.log, new.table.phase) == (old.log, old.table.phase)
            assert 0 <= deadline_of(new)[1] - (deadline_of(old)[1] + HOUR) <= HEARTBEAT_SECONDS + 3
        option = (await playing.until(playing.options))[0]
        assert (await playing.press(option)).was_accepted

    simulate(tmp_path, main, next_deal_seconds=600)


def test_after_a_start_a_group_waits_for_what_may_have_been_sent_just_before_it(tmp_path: Path) -> None:
    """The limits count calls of a process that is gone, too: a new one has no new burst."""

    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(1)

        async def ask() -> None:
            before = next(iter(table.newest(table.chat)), None)
            people.send(simulation.sandbox, table.users[0], table.chat, "/rules 8")
            await table.until(lambda: next(iter(table.newest(table.chat)), None) is not before)

        await ask()
        killed_at = simulation.loop.time()
        simulation.kill()
        await asyncio.sleep(0)
        simulation.start()
        await ask()
        assert simulation.loop.time() - killed_at > 0.8 / Limits().group.per_second

    simulate(tmp_path, main)


def test_the_machines_clock_is_set_back_by_an_hour_and_nobody_waits_for_that(tmp_path: Path) -> None:
    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(2)
        await table.gather()
        before = await simulation.committed(table.chat)
        simulation.clock_offset = -HOUR
        await asyncio.sleep(A_WHILE)
        after = await simulation.committed(table.chat)
        assert after.log == before.log
        shift = deadline_of(after)[1] - deadline_of(before)[1]
        assert -HOUR <= shift <= -HOUR + HEARTBEAT_SECONDS
        assert (await table.press(table.options()[0])).was_accepted
        revision = (await simulation.committed(table.chat)).table.revision
        await asyncio.sleep(A_WHILE)
        assert table.options() or (await simulation.committed(table.chat)).table.revision > revision

    simulate(tmp_path, main)


def test_a_move_that_makes_itself_is_made_after_a_kill_too(tmp_path: Path) -> None:
    async def main(simulation: Simulation, sim: SimulatedTables) -> None:
        table = sim.found(2)
        await table.gather()
        while True:
            await table.press((await table.until(table.options))[0])
            state = await simulation.committed(table.chat)
            if state.table.deadline is not None and state.table.deadline.kind is DeadlineKind.FORCED:
                break
        simulation.kill()
        await asyncio.sleep(1)
        simulation.start()
        await asyncio.sleep(A_WHILE)
        made = steps(await simulation.committed(table.chat))[len(state.log)]
        assert (made.actor, made.move) == (None, forced_move(state.match))

    simulate(tmp_path, main, forced_seconds=2)


# --------------------------------------------------------------------------------------------------- helpers


async def play_round(table: SimulatedTable) -> None:
    """Play until the group is offered the next deal."""

    def moves() -> list[Option]:
        return [it for it in table.options() if not isinstance(it.asked, DealNext)]

    while await table.until(lambda: table.offer(DealNext) or moves()) and table.offer(DealNext) is None:
        await table.press(table.chance.choice(moves()))


def newest_with(table: SimulatedTable, kind: type) -> Message:
    """The message in the group that has this button."""
    offer = table.offer(kind)
    assert offer is not None
    return table.sandbox.world.chats[table.chat].messages[offer.message_id]


def as_pressed_by(user: int, option: Option) -> Option:
    """The same button, pressed by somebody."""
    return Option(user, option.chat, option.message_id, option.data, option.asked)


def deadline_of(state: Committed) -> tuple[DeadlineKind, float]:
    """What the table waits for, and until when (unix seconds)."""
    assert state.table.deadline is not None
    return state.table.deadline.kind, state.table.deadline.at
