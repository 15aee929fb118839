"""What happens at deadlines, in simulated time: on a slow machine one could overtake another."""

from __future__ import annotations

import asyncio
from math import inf
from pathlib import Path

from bot.buttons import Here
from bot.tables.lifecycle import TablePhase
from tests.e2e.committed import committed, steps
from tests.e2e.wording import RUSSIAN
from tests.faults.simulated_tables import SimulatedTables
from tests.simulation.simulation import Simulation

REMINDED = RUSSIAN.plain("hand.still_your_turn", top="", group="").split("·")[0].strip()
"""How a reminder begins."""


def test_players_who_do_nothing_are_reminded_then_played_for_and_the_table_falls_asleep(
    tmp_path: Path,
) -> None:
    """Two people do nothing: two turns of each run out, and then nothing happens any more."""
    simulation = Simulation(tmp_path, "absent", turn_seconds=120)
    sim_table = SimulatedTables(simulation.sandbox).found(2)

    async def do_nothing() -> None:
        simulation.start()
        await sim_table.gather(patience=60)
        await sim_table.until(lambda: sim_table.offer(Here), inf)
        await asyncio.sleep(3600)
        await simulation.stop()

    simulation.run(do_nothing())
    state = asyncio.run(committed(simulation.database, sim_table.chat, {}))
    assert (state.table.phase, state.table.deadline) == (TablePhase.ASLEEP, None)
    assert [player.misses for player in state.table.players] == [2, 2]
    assert all(step.actor is None for step in steps(state) if step.before.round is not None)
    board = next(sim_table.newest(sim_table.chat))
    assert RUSSIAN.plain("table.asleep") in (board.text or "")
    title = simulation.sandbox.world.chat_title(simulation.sandbox.world.chats[sim_table.chat])
    for user in sim_table.users:
        rings = [ring for ring in simulation.sandbox.notifications[user] if ring.chat == user]
        assert len([ring for ring in rings if ring.text.startswith(REMINDED)]) == 2, "one for each turn"
        hand = next(sim_table.newest(user))
        assert (hand.text or "").startswith(RUSSIAN.plain("hand.asleep", group=title))
    assert simulation.trace.faults == []
