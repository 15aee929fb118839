"""A whole match in simulated time, and the same once more."""

from __future__ import annotations

from pathlib import Path

from tests.faults.simulated_tables import SimulatedTables
from tests.simulation.simulation import Simulation


def match(folder: Path, seed: str) -> Simulation:
    """Three people play a match to its end."""
    folder.mkdir()
    simulation = Simulation(folder, seed, default_rules='{"preset": "classic", "limit": 51}')

    async def play() -> None:
        sim = SimulatedTables(simulation.sandbox)
        sim_table = sim.found(3, seed=seed)
        simulation.start()
        await sim_table.gather(patience=60)
        chance = simulation.chance("people")
        await sim_table.play(lambda _: chance.uniform(1, 8))
        await simulation.stop()

    simulation.run(play())
    return simulation


def test_a_match_is_played_to_its_end_and_the_same_seed_gives_the_same_trace(tmp_path: Path) -> None:
    one, two = match(tmp_path / "one", "a"), match(tmp_path / "two", "a")
    assert one.trace.faults == []
    assert list(one.trace.newest) == list(two.trace.newest)
    assert (one.trace.count, one.trace.digest) == (two.trace.count, two.trace.digest)
    assert one.loop.time() > 60
    assert match(tmp_path / "other", "b").trace.digest != one.trace.digest
