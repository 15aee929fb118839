"""What people find when they come back, in simulated time."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.buttons import Lay, Rematch, Take
from sandbox import people
from tests.faults.simulated_tables import SimulatedTables
from tests.simulation.people import buttons_of
from tests.simulation.simulation import Simulation


def test_who_could_not_be_written_to_when_a_match_ended_finds_no_hand_of_it_later(tmp_path: Path) -> None:
    simulation = Simulation(tmp_path, "blocked", default_rules='{"preset": "classic", "limit": 51}')

    async def play() -> None:
        sim_table = SimulatedTables(simulation.sandbox).found(2)
        visitor = sim_table.users[1]
        simulation.start()
        await sim_table.gather(patience=60)
        while (option := (await sim_table.until(sim_table.options))[0]).user != visitor:
            await sim_table.press(option)
        people.block(simulation.sandbox, visitor, blocked=True)
        sim_table.users.remove(visitor)
        await sim_table.play(lambda _: 1.0)
        again = sim_table.offer(Rematch)
        assert again is not None
        await sim_table.press(again)
        simulation.kill()
        await asyncio.sleep(1)
        simulation.start()
        await asyncio.sleep(30)
        people.start(simulation.sandbox, visitor, None)
        await asyncio.sleep(30)
        hands = [
            asked
            for message in simulation.sandbox.world.chats[visitor].messages.values()
            for _, asked in buttons_of(message)
            if isinstance(asked, Lay | Take)
        ]
        assert hands == []

    simulation.run(play())
