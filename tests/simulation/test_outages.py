"""A network that is down when somebody's time is up: who has pressed in time has moved, in simulated time."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.buttons import Lay, PassTurn, Take
from engine.cards import card_code
from tests.faults.simulated_tables import Option, SimulatedTable, SimulatedTables
from tests.simulation.network import Weather
from tests.simulation.simulation import Simulation

TURN = 30
OUTAGES = 5


@pytest.mark.parametrize("weather", [Weather(lost=2.0), Weather(refused=1.0)], ids=["lost", "refused"])
@pytest.mark.parametrize("seconds", [4.0, 7.0, 40.0])
def test_a_press_counts_that_was_made_in_time_and_arrives_after_the_deadline(
    tmp_path: Path, weather: Weather, seconds: float
) -> None:
    """The network is down from two seconds before somebody's time is up, and the press is made meanwhile."""
    simulation = Simulation(tmp_path, "outages", turn_seconds=TURN, forced_seconds=0.1)
    expected: list[int | None] = []
    moved: list[int | None] = []

    async def play() -> None:
        sim = SimulatedTables(simulation.sandbox)
        sim_table = sim.found(3, seed="outages")
        simulation.start()
        await sim_table.gather(patience=60)
        for _ in range(OUTAGES):
            option = await sim_table.until(lambda: quick_move(sim_table), 10 * TURN)
            deadline, before = committed(simulation.database)
            await asyncio.sleep(deadline - 2 - simulation.loop.wall())
            simulation.network.weather = weather
            await asyncio.sleep(1)
            press = asyncio.create_task(sim_table.press(option, seconds + 20))
            await asyncio.sleep(seconds - 1)
            simulation.network.weather = Weather()
            await press
            expected.append(option.user)
            moved.append(committed(simulation.database)[1][len(before)])
            await asyncio.sleep(10)  # until everybody sees how things stand
        await simulation.stop()

    simulation.run(play())
    assert moved == expected


def quick_move(sim_table: SimulatedTable) -> Option | None:
    """A button that makes a move at once, of whoever is to move."""
    for option in sim_table.options():
        match option.asked:
            case Take() | PassTurn():
                return option
            case Lay(card=card) if not card_code(card).startswith("Q"):
                return option
    return None


def committed(database: Path) -> tuple[float, list[int | None]]:
    """When the time of whoever is to move is up (unix seconds), and who has made each move so far."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        ((deadline,),) = connection.execute("SELECT deadline_at FROM tables")
        moves = connection.execute("SELECT actor FROM table_moves ORDER BY n").fetchall()
    assert isinstance(deadline, float)
    return deadline, [actor for (actor,) in moves]
