"""A whole match in simulated time, and the same once more."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from bot.buttons import Lay, Take
from sandbox.api import perform
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


def test_whoever_presses_what_is_long_outdated_gets_the_message_as_it_should_be(tmp_path: Path) -> None:
    """An edit takes effect long after the bot has stopped to allow for that, and undoes a later one."""
    simulation = Simulation(tmp_path, "a")
    sandbox = simulation.sandbox

    async def play() -> None:
        sim = SimulatedTables(sandbox)
        sim_table = sim.found(3)
        simulation.start()
        await sim_table.gather(patience=60)
        await asyncio.sleep(60)
        outdated = next(it for it in sim_table.options() if isinstance(it.asked, Lay | Take))

        def looks() -> tuple[str | None, object]:
            message = sandbox.world.chats[outdated.chat].messages[outdated.message_id]
            return message.text, message.buttons

        text, buttons = looks()
        assert (await sim_table.press(outdated)).was_accepted
        await asyncio.sleep(30)
        right = looks()
        late = {
            "chat_id": outdated.chat,
            "message_id": outdated.message_id,
            "text": text,
            "reply_markup": json.dumps({"inline_keyboard": buttons}),
        }
        await perform(sandbox, "editMessageText", late, {})
        assert looks() != right
        assert not (await sim_table.press(outdated)).was_accepted
        await sim_table.until(lambda: looks() == right, patience=5)
        await simulation.stop()

    simulation.run(play())
    assert simulation.trace.faults == []
