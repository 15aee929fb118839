"""The command `python -m bot rebuild-records`: effect, output, refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from bot.storage import Storage
from bot.storage.database import Database
from tests.bot.records.simulation import Simulation, state_of


def run(path: Path) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    environment = {**os.environ, "BOT_TOKEN": "1:a", "DATABASE_PATH": str(path)}
    command = [sys.executable, "-m", "bot", "rebuild-records"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


async def test_the_command_makes_the_records_anew_while_the_bot_does_not_run(tmp_path: Path) -> None:
    path = tmp_path / "101.sqlite3"
    database = await Database.open(path)
    storage = Storage(database)
    await Simulation(storage, Random(3)).play(5)
    kept = await state_of(storage)
    await database.execute("DELETE FROM ratings")
    while_it_runs = run(path)
    await database.close()
    assert while_it_runs.returncode == 1
    assert "ERROR" in while_it_runs.stderr

    done = run(path)
    assert (done.returncode, done.stdout) == (0, f"{len(kept[0])} matches recorded.\n")

    database = await Database.open(path)
    assert await state_of(Storage(database)) == kept
    last = kept[0][-1].table_id
    await database.execute("UPDATE table_moves SET move = '{}' WHERE table_id = ?", (last,))
    await database.close()
    broken = run(path)
    assert broken.returncode == 1
    assert last in broken.stderr
